import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { compare, type Field, type Standing } from '../compare.ts'
import { Limit } from '../limit/limit.ts'
import { Marquee } from '../marquee.ts'
import { filterMix } from '../mixes/filter-mix.ts'
import type { Question } from '../question.ts'
import { end, outputOf } from '../support/child.ts'
import { writeDelta } from '../support/delta.ts'
import { startMarquee } from '../support/marquee-command.ts'
import { pin } from '../support/pinning.ts'
import { say } from '../support/progress.ts'
import { figure } from '../support/table.ts'

/** Reads while another process writes the same catalog. */
export const whileImporting: Question = {
  name: 'while-importing',
  asks: 'What does an import do to those who read meanwhile?',
  async find(bench) {
    const catalog = await bench.catalog()
    const scratch = mkdtempSync(join(catalog.folder, 'while-importing-'))
    const data = join(scratch, 'data')
    cpSync(catalog.data, data, { recursive: true })
    say('while-importing: writing feeds of a tenth of the shows')
    const feeds = [join(scratch, 'there.ndjson.gz'), join(scratch, 'back.ndjson.gz')] as const
    await writeDelta(catalog.feed, feeds[0], 10)
    await writeDelta(catalog.feed, feeds[1], 10, true)

    const field: Field = { marquee: await Marquee.start(data), limit: await Limit.start(), peers: [] }
    const importer = new Importer(feeds, data, bench.cores?.other)
    // Long enough for a round to see more than one batch.
    const measuring = { ...bench.measuring(), seconds: Math.max(bench.seconds, 3) }
    try {
      const asks = await filterMix(field.marquee, catalog.sample)
      const quiet = (await compare(measuring, field, 'Filter searches, nothing else going on', asks)).standings[1]!
      importer.start()
      const busy = (await compare(measuring, field, 'Filter searches during imports', asks)).standings[1]!
      const imports = await importer.stop()
      return {
        tables: [
          {
            title: 'Reading while importing',
            head: ['', 'requests/s', 'lowest–highest', 'of the limit', 'p50 ms', 'p99 ms'],
            rows: [row('without an import', quiet), row('during imports', busy)],
            notes: [
              `${imports} imports of a tenth of the shows ran one after the other meanwhile.`,
              bench.cores?.other === undefined
                ? 'The importer has no core of its own on this machine: it takes its time from those who serve and ask.'
                : 'The importer has a core of its own.',
            ],
          },
        ],
        figures: { quiet, busy, imports },
      }
    } finally {
      await importer.stop()
      await Promise.all([field.marquee.stop(), field.limit.stop()])
      rmSync(scratch, { recursive: true, force: true })
    }
  },
}

/** Imports one feed after the other, over and over, until it is stopped. */
class Importer {
  readonly #feeds: readonly string[]
  readonly #data: string
  readonly #core: string | undefined
  #stopping = false
  #current: ReturnType<typeof startMarquee> | undefined
  #loop: Promise<void> | undefined
  #count = 0

  constructor(feeds: readonly string[], data: string, core: string | undefined) {
    this.#feeds = feeds
    this.#data = data
    this.#core = core
  }

  start(): void {
    this.#loop = this.#run()
  }

  /** Ends the import that is running; returns how many there were. */
  async stop(): Promise<number> {
    this.#stopping = true
    if (this.#current) await end(this.#current)
    await this.#loop
    return this.#count
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const feed = this.#feeds[this.#count++ % this.#feeds.length]!
      this.#current = startMarquee(['import', feed, '--json'], this.#data)
      if (this.#core !== undefined) pin([this.#current.pid!], this.#core)
      const failure = await outputOf(this.#current, 'marquee import').then(
        () => undefined,
        (error: Error) => error,
      )
      if (failure && !this.#stopping) throw failure
    }
  }
}

function row(name: string, { requestsPerSecond, lowest, highest, ofLimit, p50, p99 }: Standing): string[] {
  return [
    name,
    figure(requestsPerSecond),
    `${figure(lowest)}–${figure(highest)}`,
    `${figure(ofLimit * 100)} %`,
    figure(p50),
    figure(p99),
  ]
}
