/*
 * Checks package-lock.json: every package has an integrity hash, none names a registry address, and the packages with
 * install scripts are exactly those that `allowScripts` in package.json names.
 *
 *   node scripts/check-lock.mjs          check; `npm run lint` runs it
 *   node scripts/check-lock.mjs --fill   fetch missing hashes from the registry, and write them
 *   node scripts/check-lock.mjs --scripts   list the packages with install scripts
 *
 * npm writes no hash for a platform's optional package that the registry lacks at the time of the install. `--fill` completes
 * it where the registry has it by now; else the package has to stay at a version that the registry has for every platform, by
 * `overrides` in package.json if it is a dependency of another one.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const LOCK = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(LOCK, 'utf8'))
const { allowScripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

const packages = Object.entries(lock.packages)
  .filter(([path, entry]) => path.includes('node_modules/') && entry.link !== true)
  .map(([path, entry]) => ({ path, name: path.slice(path.lastIndexOf('node_modules/') + 13), entry }))
const withScripts = packages.filter(({ entry }) => entry.hasInstallScript === true)

if (process.argv.includes('--scripts')) {
  for (const { name, entry } of withScripts)
    console.log(`${name}@${entry.version}${entry.dev ? ' (development only)' : ''}`)
} else {
  if (process.argv.includes('--fill')) await fillIntegrity()
  check()
}

async function fillIntegrity() {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  for (const { path, name, entry } of packages.filter(({ entry }) => entry.integrity === undefined)) {
    const response = await fetch(new URL(`${name.replace('/', '%2f')}/${entry.version}`, registry))
    const integrity = response.ok ? (await response.json()).dist?.integrity : undefined
    if (integrity === undefined) continue
    const { version, ...rest } = entry
    lock.packages[path] = { version, integrity, ...rest }
    entry.integrity = integrity
  }
  writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`)
}

function check() {
  const problems = []
  for (const { path, entry } of packages)
    if (entry.integrity === undefined) problems.push(`${path} has no integrity hash (--fill fetches it)`)
  for (const { path, entry } of packages)
    if (entry.resolved !== undefined) problems.push(`${path} names ${entry.resolved}`)
  const allowed = new Set(Object.keys(allowScripts))
  const scripted = new Set(withScripts.map(({ name }) => name))
  for (const name of scripted)
    if (!allowed.has(name)) problems.push(`${name} has an install script; allowScripts lacks it`)
  for (const name of allowed)
    if (!scripted.has(name)) problems.push(`allowScripts names ${name}, which has no install script`)
  for (const problem of problems) console.error(`lock: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
  else console.log(`lock: ${packages.length} packages, each with a hash, ${scripted.size} with install scripts`)
}
