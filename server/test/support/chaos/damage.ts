import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CommandResult, marquee, type RunningService, runNode, startMarquee } from '../marquee-process.ts'
import { type Campaign, repeatFault } from './campaign.ts'
import { dayLater, withoutNearWindows } from './kill-imports.ts'

const CHILD = fileURLToPath(new URL('damage-child.mjs', import.meta.url))

/** One of so many tries runs the commands and the service themselves; the others do in one process what these do. */
const FULL_EVERY = 10

/** Far more than a command or a request takes on a busy machine. */
const HANG_MS = 60_000

const PAGE_BYTES = 4096

/** The most pages that one try zeroes or overwrites. */
const MAX_DAMAGED_PAGES = 4

/** The requests of a try, for the ids of some shows. Together they read every table of the catalog that answers need. */
const requestPaths = ([first, second, third, fourth]: readonly string[]) => [
  `/v4/shows/${first}?country=us`,
  `/v4/shows/${second}?country=us&series_granularity=episode`,
  `/v4/shows/${third}/history?country=us`,
  `/v4/shows/${fourth}/similar?country=us`,
  '/v4/shows/search/filters?country=us&order_by=original_title&series_granularity=episode',
  '/v4/shows/search/filters?country=us&order_by=rating&order_direction=desc',
  '/v4/shows/search/filters?country=us&order_by=release_date&show_type=movie',
  '/v4/shows/search/filters?country=us&order_by=popularity_1week&genres=drama',
  '/v4/shows/search/filters?country=us&order_by=popularity_alltime&keyword=family',
  '/v4/shows/count?country=us',
  '/v4/shows/search/title?country=us&title=the',
  '/v4/shows/search/title?country=us&title=godfahter',
  '/v4/people/search?name=an',
  '/v4/shows/top?country=us&service=netflix',
  '/v4/changes?country=us&change_type=new&item_type=show',
  '/v4/changes?country=us&change_type=removed&item_type=show',
  '/v4/changes?country=us&change_type=updated&item_type=season',
  '/v4/changes?country=us&change_type=expiring&item_type=show',
  '/v4/countries',
  '/v4/genres',
]

type Random = () => number

/** Damages the bytes of a file between two positions. */
type Damage = (file: string, start: number, end: number, random: Random) => void

const between = (start: number, end: number, random: Random) => start + Math.floor(random() * Math.max(1, end - start))

/** Alters the bytes of a file in place. */
function alter(file: string, change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(file)
  change(bytes)
  writeFileSync(file, bytes)
}

/** A range that starts in the given one, and is up to some pages long. */
function someRange(bytes: Buffer, start: number, end: number, random: Random): Buffer {
  const from = between(start, end, random)
  return bytes.subarray(from, from + 1 + Math.floor(random() ** 2 * MAX_DAMAGED_PAGES * PAGE_BYTES))
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  'a flipped bit': (file, start, end, random) =>
    alter(file, (bytes) => {
      const at = between(start, end, random)
      bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(random() * 8))
    }),
  'a zeroed range': (file, start, end, random) =>
    alter(file, (bytes) => void someRange(bytes, start, end, random).fill(0)),
  'an altered byte': (file, start, end, random) =>
    alter(file, (bytes) => {
      const at = between(start, end, random)
      bytes[at] = (bytes[at] as number) ^ (1 + Math.floor(random() * 255))
    }),
  'an overwritten range': (file, start, end, random) =>
    alter(file, (bytes) => {
      const range = someRange(bytes, start, end, random)
      for (let i = 0; i < range.length; i++) range[i] = Math.floor(random() * 256)
    }),
  'swapped pages': (file, start, end, random) =>
    alter(file, (bytes) => {
      const pages = Math.max(1, Math.floor(bytes.length / PAGE_BYTES))
      const first = Math.floor(between(start, end, random) / PAGE_BYTES)
      const page = (number: number) => bytes.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES)
      const [one, other] = [page(first), page(Math.floor(random() * pages))]
      const kept = Buffer.from(one)
      other.copy(one)
      kept.copy(other)
    }),
  'a zeroed page': (file, start, end, random) =>
    alter(file, (bytes) => {
      const page = Math.floor(between(start, end, random) / PAGE_BYTES)
      bytes.fill(0, page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
    }),
  'cut off': (file, start, end, random) => truncateSync(file, between(start, end, random)),
  'cut at a page': (file, start, end, random) =>
    truncateSync(file, Math.floor(between(start, end, random) / PAGE_BYTES) * PAGE_BYTES),
}

/** Of so many tries of a file one empties it. */
const EMPTIED_EVERY = 25

/** What the undamaged folder says. */
interface Baseline {
  readonly status: string
  readonly exported: string
  /** Each request with its answer. */
  readonly answers: ReadonlyMap<string, string>
}

/**
 * Damages one file of a data folder, slice by slice over its whole length, and runs the program on it. Every command and every
 * request must say the same as before, or name the damage; none may die of a signal, print a stack trace or hang.
 */
export const damageFiles: Campaign = async (options) => {
  const { folder, tries } = options
  const base = join(folder, 'base')
  const key = await makeFolder(folder, base)
  const data = join(folder, 'data')
  const copy = () => {
    rmSync(data, { recursive: true, force: true })
    cpSync(base, data, { recursive: true })
  }
  copy()
  const env = { MARQUEE_DATA: data, MARQUEE_WORKERS: '1' }
  const exportFile = join(folder, 'export.ndjson')
  const baseline = await readBaseline(env, key, exportFile)
  const turns = planTurns(base, tries)

  copy()
  const expected = (await readInChild(data, key, baseline)).said as ChildReport

  return repeatFault(options, async (random, number) => {
    const { file, start, end, name } = turns[number] as Turn
    copy()
    const damage = DAMAGES[name] ?? ((path: string) => truncateSync(path, 0))
    damage(join(data, file), start, end, random)
    const started = performance.now()
    const isFull = number % FULL_EVERY === FULL_EVERY - 1
    const judged = isFull
      ? await judgeProgram(env, key, baseline, exportFile)
      : judgeReport(await readInChild(data, key, baseline), expected)
    const { problems, isFound, failures } = judged
    const found = isFound ? `found; ${failures} requests failed` : 'nothing used is damaged'
    const fault = `${file}, ${name} in ${start}-${end}${isFull ? ', by the program' : ''}: ${found}`
    return { kind: `${file}, ${name}`, fault, missed: false, problems, ms: performance.now() - started }
  })
}

/** What a damaged folder did. */
interface Judgement {
  readonly problems: string[]
  /** Whether a verification names the damage. */
  readonly isFound: boolean
  /** Requests that failed. */
  readonly failures: number
}

/** What each part of the child said: a digest, or the damage that it named. */
interface Said {
  readonly digest?: string
  readonly damage?: string
}

interface ChildReport {
  readonly verify: Said
  readonly exported: Said
  readonly start: Said
  readonly answers: Readonly<Record<string, Said>>
}

/** Reads the folder in one process; without a report if that died. */
async function readInChild(
  data: string,
  key: string,
  { answers }: Baseline,
): Promise<CommandResult & { said?: ChildReport }> {
  const result = await runNode([CHILD, data, key, ...answers.keys()], {}, undefined, HANG_MS)
  return result.code === 0 ? { ...result, said: JSON.parse(result.stdout) as ChildReport } : result
}

function judgeReport({ code, stderr, said }: CommandResult & { said?: ChildReport }, expected: ChildReport): Judgement {
  if (said === undefined)
    return { problems: [`it died with ${code}: ${stderr.slice(-900)}`], isFound: false, failures: 0 }
  const problems: string[] = []
  const parts: [string, Said, Said | undefined][] = [
    ['export', said.exported, expected.exported],
    ...Object.entries(said.answers).map(([path, one]): (typeof parts)[0] => [path, one, expected.answers[path]]),
  ]
  for (const [name, { digest }, whole] of parts) {
    if (digest !== undefined && digest !== whole?.digest) problems.push(`ANOTHER ANSWER: ${name}`)
  }
  const failures =
    parts.filter(([, { damage }]) => damage !== undefined).length + (said.start.damage === undefined ? 0 : 1)
  const isFound = said.verify.damage !== undefined
  if (!isFound && failures > 0) problems.push('verify finds nothing, although damage was met')
  return { problems, isFound, failures }
}

/** Runs the commands and the service on a damaged folder. */
async function judgeProgram(
  env: Record<string, string>,
  key: string,
  baseline: Baseline,
  exportFile: string,
): Promise<Judgement> {
  const problems: string[] = []
  const verified = await marquee(['verify', '--json'], env, undefined, HANG_MS)
  problems.push(...judgeCommand('verify', verified))
  if (verified.code === 1 && !namesDamage(verified)) problems.push(`verify does not name damage: ${verified.stderr}`)
  const status = await marquee(['status', '--json'], env, undefined, HANG_MS)
  problems.push(...judgeCommand('status', status))
  if (status.code === 0 && withoutTimes(status.stdout) !== baseline.status) problems.push('status says something else')
  const exported = await marquee(['export', '--out', exportFile], env, undefined, HANG_MS)
  problems.push(...judgeCommand('export', exported))
  if (exported.code === 0 && exportedShows(exportFile) !== baseline.exported) problems.push('the export is another one')
  const served = await judgeService(env, key, baseline)
  problems.push(...served.problems)
  const isNoticed = [status, exported].some(({ code }) => code !== 0) || served.failures > 0
  const isFound = verified.code !== 0
  if (!isFound && isNoticed) problems.push('verify finds nothing, although damage was met')
  return { problems, isFound, failures: served.failures }
}

/** Makes a small data folder with all that one has; returns an API key. */
async function makeFolder(folder: string, base: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const env = { MARQUEE_DATA: base, MARQUEE_WORKERS: '1' }
  const feeds = ['first', 'second'].map((name) => join(folder, `${name}.ndjson`)) as [string, string]
  await run(['demo', '--shows', '80', '--countries', '2', '--seed', '1', '--out', feeds[0]], env)
  const records = readFileSync(feeds[0], 'utf8')
    .trim()
    .split('\n')
    .map((line) => withoutNearWindows(JSON.parse(line)) as Record<string, unknown>)
  for (const [i, day] of [records, dayLater(records)].entries()) {
    writeFileSync(feeds[i] as string, day.map((record) => `${JSON.stringify(record)}\n`).join(''))
    await run(['import', feeds[i] as string], env)
  }
  const key = (await run(['keys', 'create', '--plan', 'unlimited'], env)).trim()
  const service = await startMarquee(env)
  await ask(service, '/v4/shows/search/filters?country=us', key)
  await service.stop()
  return key
}

async function run(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await marquee(args, env)
  if (code !== 0) throw new Error(`marquee ${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

async function readBaseline(env: Record<string, string>, key: string, exportFile: string): Promise<Baseline> {
  const status = withoutTimes(await run(['status', '--json'], env))
  await run(['export', '--out', exportFile], env)
  const service = await startMarquee(env)
  try {
    const { text } = await ask(service, '/v4/shows/search/filters?country=us&show_type=series&order_by=rating', key)
    const { shows } = JSON.parse(text) as { shows: { id: string }[] }
    const answers = new Map<string, string>()
    for (const path of requestPaths(shows.map(({ id }) => id))) {
      const answer = await ask(service, path, key)
      if (answer.status !== 200) throw new Error(`${path} gets ${answer.status} undamaged: ${answer.text}`)
      answers.set(path, answer.text)
    }
    return { status, exported: exportedShows(exportFile), answers }
  } finally {
    await service.stop()
  }
}

/** Which part of which file a try damages, and how. */
interface Turn {
  readonly file: string
  readonly start: number
  readonly end: number
  readonly name: string
}

/**
 * Shares the tries among the files, half of them for the catalog and a quarter for the accounts, and covers each file from its
 * start to its end.
 */
function planTurns(base: string, tries: number): Turn[] {
  const [catalog, accounts] = ['catalog', 'accounts'].map((part) => join(part, 'data.mdb')) as [string, string]
  const others = listFiles(base).filter((file) => file !== catalog && file !== accounts)
  const chosen = Array.from({ length: tries }, (_, i) =>
    i % 2 === 0 ? catalog : i % 4 === 1 ? accounts : (others[(i >> 2) % others.length] as string),
  )
  const counts = new Map<string, number>()
  const names = Object.keys(DAMAGES)
  return chosen.map((file) => {
    const count = counts.get(file) ?? 0
    counts.set(file, count + 1)
    const total = chosen.filter((other) => other === file).length
    const size = readFileSync(join(base, file)).length
    const [start, end] = [count, count + 1].map((part) => Math.floor((part * size) / total)) as [number, number]
    const isEmptied = count % EMPTIED_EVERY === EMPTIED_EVERY - 1
    return { file, start, end, name: isEmptied ? 'emptied' : (names[count % names.length] as string) }
  })
}

/** All files below a folder that are not empty. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((file) => readFileSync(join(folder, file)).length > 0)
    .sort()
}

/** Whether a command named the damage: in its report, or in the line that it failed with. */
function namesDamage({ stdout, stderr }: CommandResult): boolean {
  return /"problems":\[\{/.test(stdout) || /damaged|cannot be (read|used)|not valid|format/.test(stderr)
}

/** What is wrong with the end of a command, whether or not it failed. */
function judgeCommand(name: string, { code, stderr }: CommandResult): string[] {
  if (code !== 0 && code !== 1) return [`${name} ended with ${code}: ${stderr.slice(-300)}`]
  if (/\n\s+at /.test(stderr)) return [`${name} printed a stack trace: ${stderr.slice(0, 500)}`]
  return []
}

/** What `status` says of the catalog; the age of an import differs each time. */
function withoutTimes(json: string): string {
  return json.replaceAll(/"age":\d+/g, '')
}

/** The exported records but for the first, which has the time of the export. */
function exportedShows(file: string): string {
  const text = readFileSync(file, 'utf8')
  rmSync(file)
  return text.slice(text.indexOf('\n'))
}

interface Answer {
  readonly status: number
  readonly text: string
}

async function ask(service: RunningService, path: string, key: string): Promise<Answer> {
  const response = await fetch(`${service.address}${path}`, {
    headers: { 'X-API-Key': key },
    signal: AbortSignal.timeout(HANG_MS / 4),
  })
  return { status: response.status, text: await response.text() }
}

/** Serves a damaged folder, and compares the answers. A service that refuses the folder in one line is well, too. */
async function judgeService(
  env: Record<string, string>,
  key: string,
  { answers }: Baseline,
): Promise<{ problems: string[]; failures: number }> {
  const problems: string[] = []
  let service: RunningService
  try {
    service = await startMarquee(env)
  } catch (error) {
    const { message } = error as Error
    if (!/marquee: .*(damaged|cannot be)/.test(message)) problems.push(`serve: ${message.slice(0, 600)}`)
    return { problems, failures: 1 }
  }
  let failures = 0
  try {
    for (const [path, expected] of answers) {
      const answer = await ask(service, path, key).catch((error: Error) => ({ status: 0, text: error.message }))
      if (answer.status === 200 && answer.text === expected) continue
      failures++
      const problem = judgeAnswer(answer, service)
      if (problem !== undefined) problems.push(`${path}: ${problem}`)
      // A worker that dies of each request would make one try last for minutes.
      if (answer.status === 0 && failures > 2) break
    }
    if (failures > 0 && !problems.length && service.events('catalog_damaged').length > 0) {
      const metrics = await (await fetch(`${service.address}/metrics`)).text()
      if (!/marquee_catalog_damage_total\{[^}]*\} [1-9]/.test(metrics)) problems.push('no metric counts the damage')
    }
    const output = service.output()
    if (/\n\s+at |"stack":/.test(output)) problems.push(`the log has a stack trace: ${findTrace(output)}`)
  } finally {
    if ((await service.stop()) !== 0) problems.push('the service did not stop well')
  }
  return { problems, failures }
}

function findTrace(output: string): string {
  const at = output.search(/\n\s+at |"stack":/)
  return output.slice(Math.max(0, at - 300), at + 300)
}

/** What is wrong with an answer that is not that of the undamaged folder. */
function judgeAnswer({ status, text }: Answer, service: RunningService): string | undefined {
  if (status === 0) {
    const named = [...service.events('catalog_damaged'), ...service.events('replica_damaged')]
    return named.length > 0 ? undefined : `no answer (${text}), and the log does not name damage`
  }
  if (status >= 500) return text.includes('damaged') ? undefined : `${status} ${text.slice(0, 200)}`
  return `ANOTHER ANSWER: ${status} ${text.slice(0, 120)}`
}
