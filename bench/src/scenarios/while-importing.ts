import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Scenario } from '../context.ts'
import { writeDelta } from '../data/delta.ts'
import { pinToCore } from '../lib/machine.ts'
import { startMarquee } from '../lib/marquee-cli.ts'
import { logProgress } from '../lib/output.ts'
import { readOutput, stopProcess } from '../lib/processes.ts'
import { compareTargets, type TargetSet } from '../measure/compare.ts'
import { Limit } from '../targets/limit.ts'
import { Marquee } from '../targets/marquee.ts'
import { filterSearches } from '../workloads/filters.ts'

/** Long enough for a round to overlap several commits. */
const MIN_ROUND_SECONDS = 3

/** Reads while another process writes to the same catalog. */
export const whileImporting: Scenario = {
  name: 'while-importing',
  description: 'filter searches while imports run',
  async run(context) {
    const catalog = await context.catalog()
    const scratch = mkdtempSync(join(catalog.folder, 'while-importing-'))
    const data = join(scratch, 'data')
    cpSync(catalog.data, data, { recursive: true })
    logProgress('while-importing: writing delta feeds of a tenth of the shows')
    const feeds = [join(scratch, 'change.ndjson.gz'), join(scratch, 'restore.ndjson.gz')] as const
    await writeDelta(catalog.feed, feeds[0], 10)
    await writeDelta(catalog.feed, feeds[1], 10, true)

    const spareCore = context.cores?.spare
    const targets: TargetSet = { marquee: await Marquee.start(data), limit: await Limit.start(), peers: [] }
    const importer = new ImportLoop(feeds, data, spareCore)
    const options = { ...context.measureOptions(), seconds: Math.max(context.seconds, MIN_ROUND_SECONDS) }
    try {
      const requests = await filterSearches(targets.marquee, catalog.sample)
      const idle = await compareTargets(options, targets, 'Filter searches, no import', requests)
      importer.start()
      const importing = await compareTargets(options, targets, 'Filter searches during imports', requests)
      return {
        kind: 'while-importing',
        idle: idle.results[1]!,
        importing: importing.results[1]!,
        imports: await importer.stop(),
        ownCore: spareCore !== undefined,
      }
    } finally {
      await importer.stop()
      await Promise.all([targets.marquee.stop(), targets.limit.stop()])
      rmSync(scratch, { recursive: true, force: true })
    }
  },
}

/** Imports feeds one after the other, repeatedly, until it is stopped. */
class ImportLoop {
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

  /** Stops the running import and returns how many were started. */
  async stop(): Promise<number> {
    this.#stopping = true
    if (this.#current) await stopProcess(this.#current)
    await this.#loop
    return this.#count
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const feed = this.#feeds[this.#count++ % this.#feeds.length]!
      this.#current = startMarquee(['import', feed, '--json'], this.#data)
      if (this.#core !== undefined) pinToCore([this.#current.pid!], this.#core)
      const error = await readOutput(this.#current, 'marquee import').then(
        () => undefined,
        (error: Error) => error,
      )
      if (error && !this.#stopping) throw error
    }
  }
}
