import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportFeed } from '../../../src/ingest/export-feed.ts'
import { LocalLedger } from '../../../src/ledger/local-ledger.ts'
import { aMovie, anOption, aSeries, aSnapshot } from '../builders.ts'
import { checkCatalog } from '../check-catalog.ts'
import { feedBytes } from '../feed.ts'
import { marquee } from '../marquee-process.ts'

/** Far more than a command takes on a busy machine; one that hangs takes for ever. */
export const HANG_MS = 60_000

/** What commands may leave in their folder of results. */
const RESULTS = ['export.ndjson', 'backup']

/** Commands, on copies of a small data folder. */
export class FaultedCommands {
  /** The folder of everything that a command reads or writes. */
  readonly place: string
  readonly data: string
  readonly results: string
  /** The arguments of each command. */
  readonly commands: Readonly<Record<string, readonly string[]>>
  private readonly base: string

  private constructor(folder: string, feed: string, backup: string) {
    this.base = join(folder, 'base')
    this.place = join(folder, 'place')
    this.data = join(this.place, 'data')
    this.results = join(this.place, 'results')
    this.commands = {
      import: ['import', feed],
      'keys create': ['keys', 'create', '--source', 'direct', '--plan', 'free', '--name', 'b'],
      'plans set': ['plans', 'set', 'thousand', '--requests', '1000'],
      export: ['export', '--out', join(this.results, 'export.ndjson')],
      backup: ['backup', join(this.results, 'backup')],
      restore: ['restore', backup],
      'verify --repair': ['verify', '--repair'],
      status: ['status'],
    }
  }

  static async prepare(folder: string): Promise<FaultedCommands> {
    const [first, second, backup] = ['first.ndjson', 'second.ndjson', 'backup'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    mkdirSync(folder, { recursive: true })
    writeFileSync(first, feedBytes(aSnapshot(...someShows(30))))
    writeFileSync(second, feedBytes(aSnapshot(...someShows(60))))
    const prepared = new FaultedCommands(folder, second, backup)
    for (const args of [
      ['import', first],
      ['keys', 'create', '--source', 'direct', '--plan', 'free', '--name', 'a'],
      ['backup', backup],
    ]) {
      const { code, stderr } = await marquee(args, { MARQUEE_DATA: prepared.base })
      if (code !== 0) throw new Error(`marquee ${args[0]} failed: ${stderr}`)
    }
    return prepared
  }

  /** Puts a copy of the data folder into its place, without results. */
  reset(): void {
    rmSync(this.place, { recursive: true, force: true })
    mkdirSync(this.results, { recursive: true })
    cpSync(this.base, this.data, { recursive: true })
  }

  /** What is wrong with the catalog, and with what the command left beside the results. */
  async findDamage(): Promise<string[]> {
    const problems: string[] = []
    if (existsSync(join(this.results, 'backup'))) {
      const { code, stderr } = await marquee(['verify', join(this.results, 'backup')], {}, undefined, HANG_MS)
      if (code !== 0) problems.push(`a backup is there, and not whole: ${stderr}`)
    }
    const ledger = new LocalLedger(this.data)
    try {
      for (const _ of exportFeed(ledger.catalog));
      problems.push(...checkCatalog(ledger.catalog))
    } finally {
      await ledger.close()
    }
    return problems
  }

  /** Files beside the results. */
  findLeftovers(): string[] {
    return readdirSync(this.results).filter((file) => !RESULTS.includes(file))
  }

  /** Deletes the results, and runs a command without a fault; returns what is wrong. */
  async repeat(args: readonly string[]): Promise<string[]> {
    for (const result of RESULTS) rmSync(join(this.results, result), { recursive: true, force: true })
    const { code, stderr } = await marquee(args, { MARQUEE_DATA: this.data }, undefined, HANG_MS)
    if (code !== 0) return [`repeated: ${stderr}`]
    const left = this.findLeftovers()
    return left.length === 0 ? [] : [`repeated, there still is ${left.join(', ')}`]
  }
}

function someShows(count: number) {
  return Array.from({ length: count }, (_, n) =>
    n % 7 === 0
      ? aSeries({ id: String(n + 1), title: `Series ${n}` })
      : aMovie({ id: String(n + 1), title: `Movie ${n}`, streamingOptions: { us: [anOption()] } }),
  )
}
