/**
 * Packs the three npm packages as they are published: `marquee` (the server), `marquee-client` and `marquee-web`.
 *
 *   node scripts/pack.mjs [FOLDER]     FOLDER is `packages` by default; the program must be built
 *
 * The tarball of the server holds the other two as bundled dependencies: `npm i -g ./marquee-*.tgz` then needs nothing that is
 * not published yet, and a server never runs with pages of another version.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = resolve(process.argv[2] ?? join(root, 'packages'))

/** What the build makes; a package without it would install and not start. */
const BUILT = [
  'client/dist/esm/index.js',
  'server/dist/cli.js',
  'server/clients',
  'server/man/marquee.1',
  'web/dist/index.html',
  'web/dist/render/first-view.js',
]
const missing = BUILT.filter((path) => !existsSync(join(root, path)))
if (missing.length > 0) {
  console.error(`${missing.join(', ')} is missing: npm run build`)
  process.exit(1)
}

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
const staging = mkdtempSync(join(tmpdir(), 'marquee-pack-'))
try {
  const [client, web] = ['client', 'web'].map((name) => pack(stage(name), out))
  const server = stage('server')
  for (const [name, tarball] of [
    ['marquee-client', client],
    ['marquee-web', web],
  ]) {
    extract(tarball, join(server, 'node_modules', name))
  }
  const manifest = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))
  manifest.bundleDependencies = ['marquee-client', 'marquee-web']
  writeFileSync(join(server, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  pack(server, out)
} finally {
  rmSync(staging, { recursive: true, force: true })
}
for (const name of readdirSync(out)) console.log(join(out, name))

/** A copy of what npm packs of a workspace, with the licence and, for the server, the README and the changelog. */
function stage(name) {
  const folder = join(staging, name)
  extract(pack(join(root, name), staging), folder)
  const shared = name === 'server' ? ['LICENSE', 'README.md', 'CHANGELOG.md'] : ['LICENSE']
  for (const file of shared) if (!existsSync(join(folder, file))) cpSync(join(root, file), join(folder, file))
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  // What is packed is built already; what built it is not needed where it is installed.
  manifest.scripts = undefined
  manifest.devDependencies = undefined
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return folder
}

function pack(folder, to) {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', to]
  const [{ filename }] = JSON.parse(
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  return join(to, filename)
}

function extract(tarball, to) {
  mkdirSync(to, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', to, '--strip-components=1'])
}
