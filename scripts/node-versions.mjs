/**
 * Tries the built program on several versions of Node, the supported ones or those that are named, and prints a table.
 *
 *   node scripts/node-versions.mjs [--ends] [--install] [--suite] [VERSION…]
 *
 * The smoke is always run. --install packs the npm packages, installs them globally into an empty folder and starts them there;
 * --suite runs the whole suite, which takes long. --ends takes only the oldest and the newest version. The binaries come from
 * the npm registry, once; the program must be built.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const SUPPORTED = ['20', '22', '24', '26']

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { ends: { type: 'boolean' }, install: { type: 'boolean' }, suite: { type: 'boolean' } },
})
const all = positionals.length > 0 ? positionals : SUPPORTED
const versions = values.ends ? [all[0], all.at(-1)] : all

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

/** The steps of a version: the title of their column, and what is run. */
const steps = [
  ...(values.install ? [['install, start', ['scripts/check-packages.mjs']]] : []),
  ['smoke', ['scripts/smoke.mjs']],
  ...(values.suite ? [['suite', ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'built']]] : []),
]

const rows = versions.map((version) => {
  const node = install(version)
  const exact = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
  // What is started by the name `node`, by npm too, is this version.
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
  const cells = steps.map(([, command]) => {
    const start = Date.now()
    const { status } = spawnSync(node, command, { cwd: root, env, stdio: 'inherit' })
    return `${status === 0 ? 'passed' : 'FAILED'} ${Math.round((Date.now() - start) / 1000)} s`
  })
  return [exact, ...cells]
})

const table = [['node', ...steps.map(([title]) => title)], ...rows]
for (const row of table)
  process.stdout.write(
    `${row
      .map((cell) => cell.padEnd(16))
      .join('')
      .trimEnd()}\n`,
  )
process.exitCode = rows.flat().some((cell) => cell.startsWith('FAILED')) ? 1 : 0
