/**
 * Judges title search: runs the queries of `server/test/search/judged-queries.json` on the demo and on a generated
 * catalog, and those of `held-out-queries.json`, which nothing is tuned on, on the latter. Prints how often the wanted title
 * comes first, among the first three, and among the first ten.
 *
 *   npm run evaluate:search [-- --shows 100000] [--json] [--save]
 *
 * --shows  the size of the generated catalog; the stored figures are those of the default
 * --save   stores the figures, below which no class may fall in the test suite
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({
  options: { shows: { type: 'string' }, json: { type: 'boolean' }, save: { type: 'boolean' } },
})
const shows = values.shows === undefined ? undefined : Number(values.shows)
if (shows !== undefined && (!Number.isSafeInteger(shows) || shows < 1_000)) {
  console.error(`--shows is ${values.shows}; it must be a whole number of at least 1000`)
  process.exit(2)
}
if (values.save && shows !== undefined) {
  console.error('--save stores the figures of the default size; leave --shows out')
  process.exit(2)
}

const root = resolve(import.meta.dirname, '..')
const FIGURES = join(root, 'server/test/search/figures.json')
const load = async (file) =>
  (await runnerImport(join(root, 'server/test/search', file), { root, configFile: false, logLevel: 'error' })).module
const { buildEvaluationCatalog, DEFAULT_SHOWS, EVALUATION_CATALOGS } = await load('evaluation-catalogs.ts')
const { EVALUATIONS, evaluateSearch } = await load('evaluation.ts')

const evaluations = {}
for (const kind of EVALUATION_CATALOGS) {
  const size = kind === 'large' ? (shows ?? DEFAULT_SHOWS.large) : DEFAULT_SHOWS[kind]
  console.error(`importing the ${kind} catalog: ${size.toLocaleString('en')} shows`)
  const folder = mkdtempSync(join(tmpdir(), 'marquee-search-'))
  try {
    const ledger = await buildEvaluationCatalog(kind, folder, size)
    for (const [name, { catalog }] of Object.entries(EVALUATIONS)) {
      if (catalog === kind) evaluations[name] = { shows: size, ...evaluateSearch(ledger.catalog, name) }
    }
    await ledger.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
if (values.json) console.log(JSON.stringify(evaluations))
else for (const [name, evaluation] of Object.entries(evaluations)) print(name, evaluation)
if (values.save) {
  const stored = Object.entries(evaluations).map(([name, { shows, classes, all, typing }]) => [
    name,
    { shows, classes, all, typing },
  ])
  writeFileSync(FIGURES, `${JSON.stringify(Object.fromEntries(stored), null, 2)}\n`)
  console.error(`stored in ${FIGURES.slice(root.length + 1)}; format it with npx biome check --write`)
}

/** Prints a table of classes, and the misses. */
function print(evaluation, { shows, classes, all, typing, misses }) {
  const stored = readStored()[evaluation]
  console.log(`\n${evaluation}, ${shows.toLocaleString('en')} shows`)
  console.log(row('class', 'queries', 'first', 'first 3', 'first 10'))
  for (const [name, figures] of Object.entries({ ...classes, all })) {
    const before = name === 'all' ? stored?.all : stored?.classes[name]
    const isWorse = stored?.shows === shows && before !== undefined && isBelow(figures, before)
    console.log(percentRow(name, figures) + (isWorse ? '  worse than stored' : ''))
  }
  const share = ((100 * typing.empty) / typing.searches).toFixed(2)
  console.log(`while typing: ${typing.empty} of ${typing.searches} searches found nothing (${share} %)`)
  for (const { kind: name, query, wanted, position, found } of misses) {
    const where = position === 0 ? 'not found' : `at ${position}`
    console.log(`  miss (${name}): ${query} -> ${wanted} ${where}; found ${found.join(', ') || 'nothing'}`)
  }
}

function readStored() {
  try {
    return JSON.parse(readFileSync(FIGURES, 'utf8'))
  } catch {
    return {}
  }
}

function isBelow(figures, before) {
  return ['first', 'firstThree', 'firstTen'].some((key) => figures[key] < before[key])
}

function percentRow(name, { queries, first, firstThree, firstTen }) {
  const percent = (count) => `${((100 * count) / queries).toFixed(1)} %`
  return row(name, String(queries), percent(first), percent(firstThree), percent(firstTen))
}

function row(name, ...cells) {
  return name.padEnd(28) + cells.map((cell) => cell.padStart(10)).join('')
}
