import { createReadStream, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { type Marquee, ServiceError } from 'marquee-client'
import { UserError } from '../../lib/errors.ts'
import { Progress } from '../../runtime/progress.ts'
import { parseWholeNumber } from '../terminal/flags.ts'
import { printJson, printLines } from '../terminal/output.ts'
import { addServiceOptions, callService, type ServiceFlags } from './search-commands.ts'

interface MirrorFlags extends ServiceFlags {
  readonly country: string
  readonly out: string
  readonly every?: string
}

/** What is stored beside the file of shows: which country it is of, and up to where it is complete. */
interface MirrorState {
  readonly country: string
  readonly since: string
}

/** What a synchronization did. */
interface MirrorReport extends MirrorState {
  readonly file: string
  readonly updated: number
  readonly removed: number
  /** Whether the whole country was fetched. */
  readonly isWhole: boolean
}

/** Shows that come in one synchronization by id; undefined for one that left. */
type AlteredLines = Map<string, string | undefined>

const MAX_INTERVAL_SECONDS = 86_400

/** Adds `marquee mirror`. */
export function addMirrorCommand(program: Command): void {
  const command = program
    .command('mirror')
    .description('keep a copy of a country of a running service in a file, one show a line')
    .requiredOption('--country <code>', 'the country, such as us')
    .requiredOption('--out <file>', 'the file of the copy; FILE.state beside it says up to where it is complete')
    .option('--every <seconds>', 'go on, and fetch what was altered every so many seconds')
    .option('--json', 'print one JSON object for each time')
  addServiceOptions(command).action(async (flags: MirrorFlags) => {
    const every =
      flags.every === undefined ? undefined : parseWholeNumber('--every', flags.every, 1, MAX_INTERVAL_SECONDS)
    for (;;) {
      const report = await callService(flags, (client) => synchronize(client, flags))
      if (flags.json === true) printJson(report)
      else {
        const what = report.isWhole ? 'the whole of' : 'what was altered in'
        printLines(`${what} ${report.country}: ${report.updated} shows, ${report.removed} removed (${report.file})`)
      }
      if (every === undefined) return
      await pause(every * 1000)
    }
  })
}

/** Fetches what was altered since the last time; the whole country the first time, and where that is too long ago. */
async function synchronize(client: Marquee, { country: code, out }: MirrorFlags): Promise<MirrorReport> {
  const country = code.toLowerCase()
  const state = readState(out)
  if (state !== undefined && state.country !== country) {
    throw new UserError(`${out} is a copy of ${state.country}, not of ${country}; give another file to --out`)
  }
  if (state !== undefined) {
    try {
      return await fetchAltered(client, out, state)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 410) throw error
    }
  }
  return fetchWhole(client, out, country)
}

function readState(file: string): MirrorState | undefined {
  const stateFile = `${file}.state`
  if (!existsSync(file) && !existsSync(stateFile)) return undefined
  try {
    return JSON.parse(readFileSync(stateFile, 'utf8')) as MirrorState
  } catch {
    throw new UserError(
      `${file} exists, but ${stateFile} cannot be read; move both away, or give another file to --out`,
    )
  }
}

/** Puts the new file in place, then its state. Killed in between, the next run fetches the same again. */
function replaceFile(file: string, state: MirrorState): void {
  renameSync(`${file}.part`, file)
  writeState(file, state)
}

function writeState(file: string, state: MirrorState): void {
  writeFileSync(`${file}.state.part`, `${JSON.stringify(state)}\n`)
  renameSync(`${file}.state.part`, `${file}.state`)
}

async function fetchWhole(client: Marquee, file: string, country: string): Promise<MirrorReport> {
  const progress = new Progress()
  const seen = new Set<string>()
  const again: AlteredLines = new Map()
  let since = ''
  try {
    await writeLines(`${file}.part`, async (out) => {
      for await (const line of client.catalog.export({ country })) {
        if ('kind' in line) {
          if (line.kind === 'export') since = line.since
        } else if (seen.has(line.id)) again.set(line.id, JSON.stringify(line))
        else {
          seen.add(line.id)
          await out.write(JSON.stringify(line))
          progress.update('shows', seen.size)
        }
      }
    })
  } finally {
    progress.end()
  }
  replaceFile(file, { country, since })
  // An export that was cut off repeats shows where it goes on.
  if (again.size > 0) await rewrite(file, again, { country, since })
  return { country, since, file, updated: seen.size, removed: 0, isWhole: true }
}

async function fetchAltered(client: Marquee, file: string, { country, since }: MirrorState): Promise<MirrorReport> {
  const altered: AlteredLines = new Map()
  let next = since
  for await (const line of client.catalog.export({ country, since })) {
    if (!('kind' in line)) altered.set(line.id, JSON.stringify(line))
    else if (line.kind === 'remove') altered.set(line.id, undefined)
    else next = line.since
  }
  const state = { country, since: next }
  if (altered.size > 0) await rewrite(file, altered, state)
  else writeState(file, state)
  const removed = [...altered.values()].filter((line) => line === undefined).length
  return { ...state, file, updated: altered.size - removed, removed, isWhole: false }
}

/** Writes the file anew with the altered lines; those of new shows come last. */
async function rewrite(file: string, altered: AlteredLines, state: MirrorState): Promise<void> {
  const left = new Map(altered)
  await writeLines(`${file}.part`, async (out) => {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      // The id of a show is the first of all ids in its line.
      const id = /"id":"(\d+)"/.exec(line)?.[1] ?? ''
      if (!altered.has(id)) await out.write(line)
      else if (left.get(id) !== undefined) await out.write(left.get(id) as string)
      left.delete(id)
    }
    for (const line of left.values()) if (line !== undefined) await out.write(line)
  })
  replaceFile(file, state)
}

/** Lines to be collected before they are written. */
const WRITE_BYTES = 256 * 1024

/** Writes a file of lines. If that fails, the file is removed: no later run goes on with it. */
async function writeLines(path: string, write: (out: LineWriter) => Promise<void>): Promise<void> {
  const handle = await open(path, 'w')
  try {
    try {
      const out = new LineWriter(handle)
      await write(out)
      await out.flush()
    } finally {
      await handle.close()
    }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** Writes lines to a file, many at a time. */
class LineWriter {
  private readonly handle: FileHandle
  private lines: string[] = []
  private size = 0

  constructor(handle: FileHandle) {
    this.handle = handle
  }

  async write(line: string): Promise<void> {
    this.lines.push(line, '\n')
    this.size += line.length + 1
    if (this.size >= WRITE_BYTES) await this.flush()
  }

  /** Writes what was collected. */
  async flush(): Promise<void> {
    const text = this.lines.join('')
    this.lines = []
    this.size = 0
    await this.handle.appendFile(text)
  }
}
