/**
 * Packs the npm packages and uses them as strangers do: publint and attw read each of them; then
 * `npm i -g ./marquee-*.tgz && marquee serve --demo` runs in an empty folder, is asked, and is stopped.
 *
 *   node scripts/check-packages.mjs     needs the build, and the npm registry for what the server depends on
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'marquee-packages-'))
const [packages, prefix, empty] = ['packages', 'prefix', 'empty'].map((name) => join(folder, name))
const env = { ...process.env, PATH: `${join(prefix, 'bin')}:${process.env.PATH}`, PORT: '0', MARQUEE_WORKERS: '1' }
let failures = 0

try {
  execFileSync(process.execPath, [join(root, 'scripts/pack.mjs'), packages], { stdio: ['ignore', 'ignore', 'inherit'] })
  for (const name of readdirSync(packages)) readPackage(join(packages, name))
  mkdirSync(empty)
  execFileSync('sh', ['-c', `npm i -g --no-audit --no-fund --prefix "${prefix}" ./marquee-*.tgz`], {
    cwd: packages,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const version = execFileSync('marquee', ['--version'], { cwd: empty, env, encoding: 'utf8' }).trim()
  console.log(`installed with npm i -g: ${version}`)
  await useService()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failures === 0 ? 0 : 1
console.log(failures === 0 ? 'the packages can be published' : `${failures} failed`)

function check(name, isGood, detail = '') {
  if (!isGood) failures++
  console.log(`${isGood ? 'ok    ' : 'FAILED'}  ${name}${isGood ? '' : `  ${detail}`}`)
}

/** What publint and attw say of a tarball. */
function readPackage(tarball) {
  const name = tarball.split('/').at(-1)
  console.log(`${name}: ${Math.round(statSync(tarball).size / 1024)} KB`)
  tool('publint', 'publint/src/cli.js', [tarball, '--strict'])
  // The server is a program without an interface to import, and the module of the pages is for the server alone.
  if (name.startsWith('marquee-client'))
    tool('attw', '@arethetypeswrong/cli/dist/index.js', [tarball, '--format', 'ascii'])
  else
    tool('attw', '@arethetypeswrong/cli/dist/index.js', [
      tarball,
      '--format',
      'ascii',
      '--ignore-rules',
      'untyped-resolution',
    ])
}

function tool(name, file, args) {
  try {
    execFileSync(process.execPath, [join(root, 'node_modules', file), ...args], { encoding: 'utf8', stdio: 'pipe' })
    check(name, true)
  } catch (error) {
    check(name, false, `${error.stdout}\n${error.stderr}`)
  }
}

/** Starts the installed program on the demo in the empty folder, asks it for everything that comes from a package, and stops it. */
async function useService() {
  const service = spawn('marquee', ['serve', '--demo'], { cwd: empty, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = new Promise((resolve) => service.once('exit', resolve))
  let output = ''
  const printed = await new Promise((resolve, reject) => {
    for (const stream of [service.stdout, service.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
        if (output.includes('curl -H')) resolve(output)
      })
    }
    void exited.then((code) => reject(new Error(`marquee serve --demo exited with ${code}:\n${output}`)))
  })
  const [, address] = /serves the demo catalog at (\S+)/.exec(printed)
  const [, key] = /direct key +(\S+)/.exec(printed)
  const ask = async (path, headers = {}) => {
    const response = await fetch(`${address}${path}`, { headers })
    return { status: response.status, type: response.headers.get('content-type') ?? '', body: await response.text() }
  }
  const { title } = JSON.parse((await ask('/v4/shows/tt0068646?country=us', { 'x-api-key': key })).body)
  check('the API answers', title === 'The Godfather', title)
  const page = await ask('/show/tt0068646?country=us', { accept: 'text/html' })
  check('a page is rendered on the server', page.body.includes('The Godfather'), page.status)
  const [, script] = /<script[^>]+src="([^"]+)"/.exec(page.body) ?? []
  check('its script is there', (await ask(script ?? '/none')).type.includes('javascript'), script)
  check('the reference is there', (await ask('/docs', { accept: 'text/html' })).status === 200)
  check('the Python client is there', (await ask('/clients/marquee-client/')).body.includes('.whl'))
  service.kill('SIGTERM')
  check('it stops with 0', (await exited) === 0)
}
