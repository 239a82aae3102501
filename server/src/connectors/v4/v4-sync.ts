import { importFeed } from '../../ingest/import-feed.ts'
import type { ImportReport } from '../../ingest/import-report.ts'
import type { JsonObject } from '../../ingest/parse/fields.ts'
import type { Attribution } from '../../model/source-ranks.ts'
import { ApiUnavailableError } from '../fetch/api-client.ts'
import { QuotaReachedError } from '../fetch/quota-tracker.ts'
import { type SyncDependencies, SyncHaltedError, SyncImporter } from '../sync/sync-importer.ts'
import type { SyncRun } from '../sync/sync-store.ts'
import { describeQuotaPause, MAX_CONSECUTIVE_FAILURES, type SyncOptions, type SyncReport } from '../sync/title-sync.ts'
import { buildReferenceRecords, createReferenceIndex, type RemoteReference, readAttributions } from './records.ts'
import type { V4Client } from './v4-client.ts'
import {
  buildDetailRecords,
  buildFlagRecords,
  buildTopRecords,
  DETAIL_PHASES,
  detailsKey,
  needsWalk,
  PHASES,
  planTasks,
  scopeKey,
  selectCountries,
  targetKey,
  type V4Target,
} from './v4-plan.ts'
import type { SyncTask, V4Store } from './v4-store.ts'
import {
  listOriginalLanguages,
  readTopLists,
  readUpcomingOffers,
  toOutcome,
  type WalkContext,
  walkChanges,
  walkDetails,
  walkShows,
  walkTexts,
} from './v4-walks.ts'

/** The target of a sync, and how it is run. */
export interface V4SyncOptions extends V4Target, SyncOptions {}

/** The context of a run: what was fetched at its start. */
interface RunContext {
  readonly reference: RemoteReference
  readonly attribution: readonly Attribution[]
  /** The instant at the service up to which its changes are covered when the run is complete. */
  readonly remoteStart: number
  /** Countries whose shows are walked, and whose further facts are. */
  readonly walked: readonly string[]
}

/** Changes are asked for from a little earlier, in case clocks differ or a change was committed late. */
const OVERLAP_SECONDS = 900

/** A walk that no longer finds more than this share of the shows of a country is not believed. */
const MAX_UNSEEN_SHARE = 1 / 5
const MIN_GUARDED_SHOWS = 50

/** Rows of one import of further facts. */
const DETAILS_PER_IMPORT = 2_000

/**
 * Synchronises the catalog with another service of this contract: walks all shows of a country with the filter search,
 * and later fetches what `/changes` lists. Every page is stored with the cursor of the next one, so an interrupted sync
 * goes on where it was. When the quota of the key is used up, the sync pauses.
 */
export class V4Sync {
  private readonly client: V4Client
  private readonly dependencies: SyncDependencies<V4Store>
  private readonly options: V4SyncOptions
  private readonly imports: ImportReport[] = []
  private importer: SyncImporter | undefined
  private fetched = 0
  private gone = 0
  private failure: Error | undefined

  constructor(
    { client, ...dependencies }: SyncDependencies<V4Store> & { readonly client: V4Client },
    options: V4SyncOptions,
  ) {
    this.client = client
    this.dependencies = dependencies
    this.options = options
  }

  /** Runs the sync, or resumes an unfinished one with the same target. */
  async run(): Promise<SyncReport> {
    const { store, ledger } = this.dependencies
    const { source, force } = this.options
    // The catalog was replaced: what the state says of it no longer holds.
    if (ledger.catalog.source(source) === undefined && store.hasShows()) await store.reset()
    store.scope = scopeKey(this.options)
    if (!force) await store.requeueRejected()
    const isResumed = store.run?.wish === targetKey(this.options)
    let paused: SyncReport['paused']
    try {
      if (!isResumed) await store.abandon()
      const run = isResumed ? (store.run as SyncRun) : await this.begin()
      await this.runPhases(run)
    } catch (error) {
      if (!(error instanceof QuotaReachedError)) throw error
      paused = describeQuotaPause(error)
    }
    return {
      source,
      resumed: isResumed,
      requests: this.client.requests,
      fetched: this.fetched,
      gone: this.gone,
      failures: store.failures(),
      imports: [...this.imports, ...(this.importer?.imports ?? [])],
      ...(paused !== undefined && { paused }),
    }
  }

  /** Fetches the reference data and plans a new sync. */
  private async begin(): Promise<SyncRun> {
    const { store, clock } = this.dependencies
    const startedAt = clock()
    const reference = await this.fetchReference()
    const attribution = readAttributions(await this.client.attributions()) as unknown as readonly Attribution[]
    const countries = selectCountries(this.options, reference)
    if (countries.length === 0) {
      const wanted = this.options.countries?.join(', ') ?? 'any'
      throw new ApiUnavailableError(`${this.client.host} has no catalog of the countries ${wanted}`)
    }
    const context: RunContext = {
      reference,
      attribution,
      remoteStart: this.client.remoteNow() - OVERLAP_SECONDS,
      walked: countries.filter((country) => needsWalk(store, country, this.options, startedAt)),
    }
    const tasks = planTasks(store, this.options, reference, startedAt)
    const run = { startedAt, wish: targetKey(this.options), planned: tasks.length, context: { ...context } }
    await store.begin(run, tasks)
    return run
  }

  /** Countries and genres in all wanted languages; a language that the service does not have is left out. */
  private async fetchReference(): Promise<RemoteReference> {
    const countries: Record<string, readonly JsonObject[]> = {}
    const genres: Record<string, readonly JsonObject[]> = {}
    for (const language of new Set(['en', ...this.options.languages])) {
      try {
        countries[language] = (await this.client.countries(language)) ?? []
        genres[language] = await this.client.genres(language)
      } catch (error) {
        if (language === 'en' || !(error instanceof ApiUnavailableError) || error.status !== 400) throw error
      }
    }
    return { countries, genres }
  }

  private async runPhases(run: SyncRun): Promise<void> {
    const { store } = this.dependencies
    const context = run.context as unknown as RunContext
    const walks = this.createWalkContext(run, context)
    await this.dropCountries(context)
    await this.importRecords(
      context,
      buildReferenceRecords(
        context.reference,
        selectCountries(this.options, context.reference),
        this.dependencies.ledger.catalog.reference(),
      ),
    )
    try {
      for (const phase of PHASES) await this.runPhase(store.tasks(phase), (task) => this.runTask(task, walks, context))
      await this.fetchChanged(walks)
    } finally {
      // What was fetched before an error or the end of the quota is imported, too.
      await this.importer?.finish()
    }
    await this.importTopLists(context)
    try {
      for (const phase of DETAIL_PHASES) {
        if (phase === 'language') await this.planLanguages()
        await this.runPhase(store.tasks(phase), (task) => this.runTask(task, walks, context))
      }
    } finally {
      await this.importDetails(context)
    }
    await store.clearDetails()
    await this.finish(run, context)
  }

  private createWalkContext(run: SyncRun, context: RunContext): WalkContext {
    const { store, clock } = this.dependencies
    const { filter, source, force, onProgress } = this.options
    const importer = new SyncImporter(this.dependencies, {
      name: this.client.host,
      source,
      force,
      attribution: context.attribution,
      buildReference: () => [],
      takeNotes: () => [],
      buildRemoval: (key) => ({ kind: 'remove', id: key.split('/')[1] }),
      country: (key) => key.split('/')[0],
    })
    this.importer = importer
    return {
      client: this.client,
      store,
      clock,
      filter,
      records: { filter, ...createReferenceIndex(context.reference) },
      scope: scopeKey(this.options),
      languages: Object.keys(context.reference.countries).filter((language) => language !== 'en'),
      startedAt: run.startedAt,
      onPage: async (outcomes) => {
        this.fetched += outcomes
        await importer.addFetched(outcomes)
        onProgress?.(this.fetched, 0)
        this.failure ??= importer.halted
        if (this.failure !== undefined) throw this.failure
      },
    }
  }

  /** Runs tasks with several workers. The first failure stops all of them; then it is thrown. */
  private async runPhase(tasks: readonly SyncTask[], run: (task: SyncTask) => Promise<void>): Promise<void> {
    const queue = tasks[Symbol.iterator]()
    const runWorker = async () => {
      for (const task of queue) {
        if (this.failure !== undefined) return
        try {
          await run(task)
        } catch (error) {
          this.failure ??= error as Error
        }
      }
    }
    await Promise.all(Array.from({ length: this.options.concurrency }, runWorker))
    if (this.failure !== undefined) throw this.failure
    await this.importer?.finish()
  }

  private async runTask(task: SyncTask, walks: WalkContext, { remoteStart }: RunContext): Promise<void> {
    const { store } = this.dependencies
    const [phase, country = ''] = task.key.split(' ')
    const since = store.countryState(country)?.changesSince ?? remoteStart
    switch (phase) {
      case 'upcoming':
        return readUpcomingOffers(task, walks)
      case 'walk':
        return walkShows(task, walks)
      case 'changes':
        return walkChanges(task, since, walks)
      case 'top':
        return readTopLists(task, walks)
      case 'sweep':
        return this.sweep(task, country, walks)
      case 'texts':
        return walkTexts(task, since, walks)
      default:
        return walkDetails(task, walks)
    }
  }

  /** Has the held shows of a country that its walk has not seen fetched by id: they may be gone, or without offers. */
  private async sweep(task: SyncTask, country: string, { store, startedAt }: WalkContext): Promise<void> {
    const unseen: string[] = []
    const seen = new Set<string>()
    for (const { id, at } of store.heldShows(country)) {
      if (at >= startedAt) seen.add(`${country}/${id}`)
      else unseen.push(id)
    }
    const held = unseen.length + seen.size
    if (!this.options.force && held >= MIN_GUARDED_SHOWS && unseen.length > held * MAX_UNSEEN_SHARE) {
      throw new SyncHaltedError(
        `${this.client.host} no longer lists ${unseen.length} of ${held} shows in ${country}. None of them was removed. ` +
          'If that is right, sync with --force; if the service was out of order, sync again later.',
      )
    }
    await store.dropSeen(country, (key) => seen.has(key))
    await store.addChanged(country, unseen)
    await store.completeTask(task, startedAt)
  }

  /** Fetches changed shows by id: in one country, or in all at once if it changed in several. */
  private async fetchChanged(walks: WalkContext): Promise<void> {
    const { store, clock } = this.dependencies
    const shows = store.changedShows()
    let failures = 0
    const tasks = shows.map(({ id }, position) => ({ position, key: id }))
    await this.runPhase(tasks, async ({ position, key: id }) => {
      const { countries } = shows[position] as (typeof shows)[number]
      try {
        const query = { series_granularity: 'episode', country: countries.length === 1 ? countries[0] : undefined }
        const show = await this.client.show(id, query)
        if (show === undefined) this.gone++
        await store.saveChanged(
          id,
          countries.map((country) =>
            show === undefined
              ? { key: `${country}/${id}`, record: null, at: clock(), scope: walks.scope }
              : { ...toOutcome(show, country, walks), key: `${country}/${id}` },
          ),
        )
        failures = 0
        await walks.onPage(show === undefined ? 0 : countries.length)
      } catch (error) {
        const isPassing = error instanceof ApiUnavailableError && ++failures <= MAX_CONSECUTIVE_FAILURES
        if (!isPassing) throw error
        await store.saveShowFailure(id, error.message)
      }
    })
  }

  /** Adds the walks by original language: which languages there are is known from the walks through the shows. */
  private async planLanguages(): Promise<void> {
    const { store } = this.dependencies
    const parts = this.options.filter.parameters().map((_, i) => i)
    for (const task of store.tasks('language')) {
      const [, country = '', language] = task.key.split(' ')
      if (language !== undefined) continue
      const codes = listOriginalLanguages(store.audioLanguages(country))
      await store.addTasks(codes.flatMap((code) => parts.map((part) => `language ${country} ${code} ${part}`)))
      await store.completeTask(task, 0)
    }
  }

  /** Removes the offers of countries that are no longer wanted. */
  private async dropCountries(context: RunContext): Promise<void> {
    const { store } = this.dependencies
    const wanted = selectCountries(this.options, context.reference)
    for (const country of store.heldCountries().filter((code) => !wanted.includes(code))) {
      await this.importRecords(context, [], { mode: 'snapshot', countries: [country] })
      await store.dropCountry(country)
    }
  }

  private async importTopLists(context: RunContext): Promise<void> {
    const { store, ledger } = this.dependencies
    const records = [...buildFlagRecords(store), ...buildTopRecords(store, ledger.catalog)]
    if (records.length > 0) await this.importRecords(context, records)
    await store.clearTopLists()
  }

  /** Imports the further facts of shows as partial records that cover no country, so that no offer is touched. */
  private async importDetails(context: RunContext): Promise<void> {
    const { store, ledger } = this.dependencies
    let rows: object[] = []
    for (const record of buildDetailRecords(store, ledger.catalog)) {
      rows.push(record)
      if (rows.length < DETAILS_PER_IMPORT) continue
      await this.importRecords(context, rows)
      rows = []
    }
    if (rows.length > 0) await this.importRecords(context, rows)
  }

  /** Imports records that hold no offers. */
  private async importRecords(
    { attribution }: RunContext,
    records: readonly object[],
    { mode = 'delta', countries = [] }: { mode?: 'delta' | 'snapshot'; countries?: readonly string[] } = {},
  ): Promise<void> {
    const { ledger, clock, ranks, withLock } = this.dependencies
    const { source } = this.options
    const header = { kind: 'feed', source, mode, scope: { countries }, count: records.length, attribution }
    const lines = [header, ...records].map((record, i) => ({ line: i + 1, text: JSON.stringify(record) }))
    const feed = async function* () {
      yield* lines
    }
    this.imports.push(await withLock(() => importFeed(feed, ledger, { clock, ranks, force: true })))
  }

  /** Records how far each country is, and ends the run. */
  private async finish(run: SyncRun, { remoteStart, walked, reference }: RunContext): Promise<void> {
    const { store } = this.dependencies
    for (const country of selectCountries(this.options, reference)) {
      const before = store.countryState(country)
      const walkedAt = walked.includes(country) ? run.startedAt : (before?.walkedAt ?? run.startedAt)
      await store.setCountryState(country, {
        walkedAt,
        changesSince: remoteStart,
        scope: scopeKey(this.options),
        details: detailsKey(this.options),
      })
    }
    await store.finish(run)
  }
}
