/**
 * Makes a release: sets the version everywhere, turns "Unreleased" of the changelog into the section of the version, and writes
 * its release notes.
 *
 *   npm run release -- 1.2.0 [--date 2026-11-30] [--dry-run]
 *
 * With --dry-run nothing is written: it prints which files would change, and the notes. Without it, it ends with the commands
 * that are left to the person who releases: check, commit, tag, publish.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const VERSION = /^(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?$/

/** Where the version stands, and the text that holds it; `%` is the version. */
const PLACES = [
  ['package.json', ['"version": "%"']],
  ['client/package.json', ['"version": "%"']],
  ['web/package.json', ['"version": "%"']],
  ['server/package.json', ['"version": "%"', '"marquee-client": "%"', '"marquee-web": "%"']],
  ['python/pyproject.toml', ['version = "%"']],
  ['python/marquee_client/_version.py', ['__version__ = "%"']],
  ['marquee/client.go', ['const Version = "%"']],
  ['deploy/kubernetes.yaml', ['image: marquee:%']],
]

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean' }, date: { type: 'string' } },
})
const [version = ''] = positionals
const isDryRun = values['dry-run'] === true
const date = values.date ?? new Date().toISOString().slice(0, 10)

try {
  release()
} catch (error) {
  console.error(`release: ${error.message}`)
  process.exitCode = 1
}

function release() {
  if (!VERSION.test(version)) throw new Error(`"${version}" is not a version such as 1.2.0 or 2.0.0-rc.1`)
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new Error(`"${date}" is not a date such as 2026-11-30`)
  const current = JSON.parse(read('package.json')).version
  if (compareVersions(version, current) <= 0) throw new Error(`${version} does not follow ${current}`)
  const edits = new Map(
    PLACES.map(([file, texts]) => [
      file,
      texts.reduce((text, place) => replace(file, text, place, current), read(file)),
    ]),
  )
  edits.set('package-lock.json', setLockVersions(current))
  const { changelog, notes } = closeChangelog(read('CHANGELOG.md'))
  edits.set('CHANGELOG.md', changelog)
  if (!isDryRun) {
    const uncommitted = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
    if (uncommitted !== '') throw new Error(`these files are not committed:\n${uncommitted}`)
    for (const [file, text] of edits) writeFileSync(new URL(`../${file}`, import.meta.url), text)
    writeFileSync(new URL('../RELEASE_NOTES.md', import.meta.url), notes)
  }
  const done = isDryRun ? 'would change' : 'changed'
  console.log(`${current} to ${version}, ${date}; ${edits.size} files ${done}:`)
  for (const file of edits.keys()) console.log(`  ${file}`)
  console.log(isDryRun ? `\nThe release notes:\n\n${notes}` : nextCommands())
}

function read(file) {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
}

function replace(file, text, place, current) {
  const [before, after] = [place.replace('%', current), place.replace('%', version)]
  if (text.split(before).length !== 2) throw new Error(`${file} does not hold ${before} exactly once`)
  return text.replace(before, after)
}

/** The lock file with the versions of the packages of this repository. */
function setLockVersions(current) {
  const lock = JSON.parse(read('package-lock.json'))
  lock.version = version
  for (const folder of ['', 'client', 'server', 'web']) {
    const entry = lock.packages[folder]
    if (entry.version !== current) throw new Error(`package-lock.json has version ${entry.version} of "${folder}"`)
    entry.version = version
  }
  for (const name of ['marquee-client', 'marquee-web']) lock.packages.server.dependencies[name] = version
  return `${JSON.stringify(lock, null, 2)}\n`
}

/** The changelog with a section of this version, and the text of that section. */
function closeChangelog(text) {
  const [head, rest] = text.split(/^## Unreleased\n/m)
  if (rest === undefined) throw new Error('CHANGELOG.md has no section "Unreleased"')
  const end = rest.search(/^## /m)
  const section = (end < 0 ? rest : rest.slice(0, end)).trim()
  if (section === '') throw new Error('"Unreleased" of CHANGELOG.md is empty: there is nothing to release')
  const earlier = end < 0 ? '' : `\n${rest.slice(end)}`
  return {
    changelog: `${head}## Unreleased\n\n## ${version} - ${date}\n\n${section}\n${earlier}`,
    notes: `# Marquee ${version}\n\n${section}\n`,
  }
}

/** Below 0, 0 or above 0 as the first version is older, equal or newer. A pre-release is older than its release. */
function compareVersions(one, other) {
  const parse = (text) => {
    const [, major, minor, patch, pre] = VERSION.exec(text)
    return [Number(major), Number(minor), Number(patch), pre]
  }
  const [a, b] = [parse(one), parse(other)]
  for (let i = 0; i < 3; i++) if (a[i] !== b[i]) return a[i] - b[i]
  if (a[3] === b[3]) return 0
  if (a[3] === undefined || b[3] === undefined) return a[3] === undefined ? 1 : -1
  return a[3].localeCompare(b[3], 'en', { numeric: true })
}

function nextCommands() {
  return `
What is left to do:
  npm run check && npm run packages:check
  git commit -am "Release ${version}" && git tag -a v${version} -F RELEASE_NOTES.md
  npm run pack && npm publish packages/marquee-client-${version}.tgz && npm publish packages/marquee-web-${version}.tgz && npm publish packages/marquee-${version}.tgz`
}
