import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { exportFeed } from '../../../src/ingest/export-feed.ts'
import { LocalLedger } from '../../../src/ledger/local-ledger.ts'
import { aMovie, aSnapshot, DAY } from '../builders.ts'
import { checkCatalog } from '../check-catalog.ts'
import { feedBytes } from '../feed.ts'
import { PROGRAM } from '../marquee-process.ts'
import { type CampaignOptions, type ChaosOutcome, repeatFault } from './campaign.ts'

type Json = Record<string, unknown>

interface KillOptions extends CampaignOptions {
  /** Shows of the demo feeds, and of the feed that takes several batches. */
  readonly shows?: number
  readonly manyShows?: number
}

/** An import of a feed into a catalog, with the result of a clean run. */
interface Scenario {
  readonly name: string
  readonly feed: string
  /** The data directory that it starts from; undefined for an empty one. */
  readonly base: string | undefined
  /** How long a run takes, and how many writes to the data file were observed. */
  ms: number
  writes: number
  readonly clean: readonly string[]
}

/** The moment of a kill: after a time, or after a write to the data file. */
type Instant = { readonly afterMs: number } | { readonly atWrite: number; readonly thenMs: number }

/** An import that exits before the kill proves nothing and is tried again. */
const MAX_ATTEMPTS = 4

/**
 * Kills imports at random instants. The catalog must open and pass the integrity check, and equal that of a clean import once the
 * import is repeated.
 */
export async function killImports(options: KillOptions): Promise<ChaosOutcome[]> {
  const { folder } = options
  const scenarios = await prepare(options)
  return repeatFault(options, async (random, kill) => {
    const scenario = scenarios[kill % scenarios.length] as Scenario
    let outcome: ChaosOutcome | undefined
    for (let attempt = 0; attempt < MAX_ATTEMPTS && outcome?.missed !== false; attempt++) {
      // Commits are short, so every other kill follows a write. The first third of a run is startup.
      const instant: Instant =
        kill % 2 === 0
          ? { afterMs: scenario.ms * (0.35 + 0.65 * random()) }
          : { atWrite: Math.ceil(scenario.writes * random()), thenMs: 30 * random() ** 2 }
      outcome = await killOnce(scenario, join(folder, 'killed'), instant)
    }
    return outcome as ChaosOutcome
  })
}

async function killOnce(scenario: Scenario, data: string, instant: Instant): Promise<ChaosOutcome> {
  rmSync(data, { recursive: true, force: true })
  if (scenario.base !== undefined) cpSync(scenario.base, data, { recursive: true })
  const start = performance.now()
  const child = spawn(process.execPath, [PROGRAM, 'import', scenario.feed, '--json'], {
    env: { ...process.env, MARQUEE_DATA: data },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const running = () => child.exitCode === null
  if ('afterMs' in instant) await Promise.race([sleep(instant.afterMs), ended])
  else {
    await watchWrites(data, instant.atWrite, running)
    await Promise.race([sleep(instant.thenMs), ended])
  }
  const tooLate = !running()
  child.kill('SIGKILL')
  await ended
  if (tooLate) scenario.ms = performance.now() - start

  const differences: string[] = []
  const killed = await inspect(data)
  differences.push(...killed.problems.map((problem) => `after the kill: ${problem}`))
  const again = await run(['import', scenario.feed, '--json'], data)
  if (again.code !== 0) differences.push(`the repeated import ended with ${again.code}: ${again.stderr.slice(0, 300)}`)
  const repeated = await inspect(data)
  differences.push(...repeated.problems.map((problem) => `after the repeated import: ${problem}`))
  differences.push(...diffLines(scenario.clean, repeated.content))
  const when =
    'afterMs' in instant
      ? `after ${Math.round(instant.afterMs)} ms`
      : `${Math.round(instant.thenMs)} ms after write ${instant.atWrite}`
  const fault = `${scenario.name} killed ${when}, version ${killed.version}`
  return { kind: `import, ${scenario.name}`, fault, missed: tooLate, problems: differences }
}

/** Waits for the n-th write to a data file while a process runs; returns the number of observed writes. */
async function watchWrites(data: string, maxWrites: number, running: () => boolean): Promise<number> {
  const path = join(data, 'catalog', 'data.mdb')
  const readMtime = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  let writes = 0
  for (let last = readMtime(); writes < maxWrites && running(); ) {
    await sleep(1)
    const now = readMtime()
    if (now !== last) writes++
    last = now
  }
  return writes
}

/** Opens a catalog, checks all of it, and closes it. */
async function inspect(data: string): Promise<{ version: number; problems: string[]; content: string[] }> {
  const ledger = new LocalLedger(data)
  try {
    const { catalog } = ledger
    return { version: catalog.version(), problems: checkCatalog(catalog), content: readContent(ledger) }
  } finally {
    await ledger.close()
  }
}

/** The exported lines of a catalog, sorted, without what depends on the time and number of imports. */
function readContent({ catalog }: LocalLedger): string[] {
  const lines: string[] = []
  for (const record of exportFeed(catalog) as Iterable<Json>) {
    if (record.kind === 'source' || record.kind === 'feed') continue
    // The timestamp of a change is that of its import; a repeated change shows without it.
    const { timestamp, ...rest } = record
    lines.push(JSON.stringify(record.kind === 'change' ? rest : { ...record, ...withoutImportTimes(record) }))
  }
  return lines.sort()
}

/** The history of a show, if it has one, in which the times of imports of this run are all the same. */
function withoutImportTimes({ history }: { history?: { segments: (number | string)[][] }[] }): object {
  if (history === undefined) return {}
  const now = Date.now() / 1000
  const replace = (value: number | string) => (typeof value === 'number' && value > now - DAY / 2 ? 'import' : value)
  return { history: history.map((place) => ({ ...place, segments: place.segments.map((one) => one.map(replace)) })) }
}

/** The lines that one list has more often than the other. */
function diffLines(expected: readonly string[], found: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of expected) counts.set(line, (counts.get(line) ?? 0) + 1)
  for (const line of found) counts.set(line, (counts.get(line) ?? 0) - 1)
  return [...counts].flatMap(([line, count]) =>
    count === 0 ? [] : [`${count > 0 ? 'missing' : 'unexpected'}: ${line.slice(0, 300)}`],
  )
}

async function prepare({ folder, shows = 300, manyShows = 4_500, seed }: KillOptions): Promise<Scenario[]> {
  mkdirSync(folder, { recursive: true })
  const feeds = {
    first: join(folder, 'first.ndjson'),
    second: join(folder, 'second.ndjson'),
    many: join(folder, 'many.ndjson'),
  }
  const written = await run(
    ['demo', '--shows', String(shows), '--countries', '4', '--seed', String(seed), '--out', feeds.first],
    folder,
  )
  if (written.code !== 0) throw new Error(`The demo feed was not written: ${written.stderr}`)
  const records = readFileSync(feeds.first, 'utf8')
    .trim()
    .split('\n')
    .map((line) => withoutNearWindows(JSON.parse(line)) as Json)
  writeFileSync(feeds.first, feedBytes(records))
  writeFileSync(feeds.second, feedBytes(dayLater(records)))
  writeFileSync(feeds.many, feedBytes(manyMovies(manyShows)))

  const scenario = async (name: string, feed: string, base: string | undefined): Promise<Scenario> => {
    const data = join(folder, `clean-${name}`)
    if (base !== undefined) cpSync(base, data, { recursive: true })
    const start = performance.now()
    let running = true
    const counting = watchWrites(data, Number.POSITIVE_INFINITY, () => running)
    const { code, stderr } = await run(['import', feed, '--json'], data)
    const ms = performance.now() - start
    running = false
    if (code !== 0) throw new Error(`The clean import of ${name} ended with ${code}: ${stderr}`)
    const { problems, content } = await inspect(data)
    if (problems.length > 0)
      throw new Error(`The clean import of ${name} is damaged: ${problems.slice(0, 3).join('\n')}`)
    return { name, feed, base, ms, writes: await counting, clean: content }
  }
  const first = await scenario('first', feeds.first, undefined)
  const second = await scenario('second', feeds.second, join(folder, 'clean-first'))
  return [first, second, await scenario('many', feeds.many, undefined)]
}

/** Removes windows that start or end during the test, because they would change the catalog. */
export function withoutNearWindows(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNearWindows)
  if (typeof value !== 'object' || value === null) return value
  const now = Date.now() / 1000
  const near = (time: unknown) => typeof time === 'number' && time > now - DAY && time < now + DAY
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inside]) => !((key === 'startsOn' || key === 'expiresOn') && near(inside)))
      .map(([key, inside]) => [key, withoutNearWindows(inside)]),
  )
}

/** The feed of the next day: some shows are gone, and some options are added, removed or changed. */
export function dayLater(records: readonly Json[]): Json[] {
  let shows = 0
  return records.flatMap((record) => {
    if (record.kind === 'top') return [{ ...record, shows: [...(record.shows as string[])].reverse() }]
    if (record.kind !== 'show') return [record]
    shows++
    if (shows % 17 === 0) return []
    if (shows % 5 !== 0) return [record]
    const options = record.streamingOptions as Record<string, Json[]>
    const changed = Object.entries(options).map(([country, list], i) => [
      country,
      list.map((option) => (i % 2 === 0 ? { ...option, link: `${option.link}?moved` } : option)).slice(shows % 2),
    ])
    return [{ ...record, rating: 1, streamingOptions: Object.fromEntries(changed) }]
  })
}

/** More small shows than fit into one batch. */
function manyMovies(count: number): Json[] {
  const imageSet = { verticalPoster: {}, horizontalPoster: {} }
  const minimal = { overview: '', genres: [], directors: [], cast: [], imageSet }
  const movies = Array.from({ length: count }, (_, i) => aMovie({ id: String(i + 1), title: `M${i}`, ...minimal }))
  return aSnapshot(...movies)
}

async function run(args: readonly string[], data: string): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...process.env, MARQUEE_DATA: data },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stderr }
}
