// Runs the smoke, or the whole suite, on several versions of Node: the supported ones, or those that are named.
// `node scripts/node-versions.mjs [--suite] [--ends] [VERSION…]`; --ends takes only the oldest and the newest one.
// The binaries come from the npm registry, once; the program must be built.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SUPPORTED = ['20', '22', '24', '26']

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const named = args.filter((arg) => !arg.startsWith('--'))
const all = named.length > 0 ? named : SUPPORTED
const versions = args.includes('--ends') ? [all[0], all.at(-1)] : all

/** The binary of a version, for this machine. */
function install(version) {
  const folder = join(tmpdir(), 'marquee-node-versions', version)
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const binary = join(folder, 'node_modules', name, 'bin', 'node')
  if (!existsSync(binary)) {
    mkdirSync(folder, { recursive: true })
    const npmArgs = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder]
    const { status } = spawnSync('npm', [...npmArgs, `${name}@${version}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 2],
    })
    if (status !== 0) throw new Error(`npm could not install ${name}@${version}`)
  }
  return binary
}

const rows = versions.map((version) => {
  const node = install(version)
  const exact = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
  const command = args.includes('--suite') ? ['node_modules/vitest/vitest.mjs', 'run'] : ['scripts/smoke.mjs']
  // What the tests start by the name `node` is this version too.
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
  const start = Date.now()
  const { status } = spawnSync(node, command, { cwd: root, env, stdio: 'inherit' })
  return { exact, result: status === 0 ? 'passed' : 'FAILED', seconds: Math.round((Date.now() - start) / 1000) }
})

for (const { exact, result, seconds } of rows) process.stdout.write(`${exact.padEnd(10)} ${result}  ${seconds} s\n`)
process.exitCode = rows.every(({ result }) => result === 'passed') ? 0 : 1
