import type { Catalog } from '../catalog/catalog.ts'
import type { SourceRecord } from '../catalog/storage/meta.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Clock } from '../lib/clock.ts'
import { FeedPass, type PassOptions } from './apply/feed-pass.ts'
import type { ImportReport, Refusal } from './import-report.ts'
import type { FeedLine } from './parse/feed-lines.ts'
import type { Scope } from './parse/feed-record.ts'

export interface ImportOptions {
  readonly clock: Clock
  /** Who feeds, and whether the feed is all there is; both win over what the feed's header says. */
  readonly source?: string | undefined
  readonly mode?: 'snapshot' | 'delta' | undefined
  /** What the feed speaks of; wins over its header, too. */
  readonly scope?: Scope | undefined
  /** Removes whatever the feed lacks, however much it is. */
  readonly force?: boolean | undefined
  /** Refuses a delta, too, if it would remove too much, provided that it is about at least so many known offers. */
  readonly guardDeltaFrom?: number | undefined
  readonly onProgress?: ((phase: 'checking' | 'importing', shows: number) => void) | undefined
}

/** A feed that can be read more than once. */
export type FeedSource = () => AsyncIterable<FeedLine>

/** Snapshots that would remove more than this part of what their source holds are refused. */
export const MAX_REMOVED_SHARE = 1 / 5

/**
 * Imports a feed. Unless the catalog is empty, the feed is first read to the end without changing anything: one that
 * breaks off or cannot be read in places removes nothing, and one that would remove too much is refused as a whole.
 */
export async function importFeed(feed: FeedSource, ledger: Ledger, options: ImportOptions): Promise<ImportReport> {
  const { catalog } = ledger
  const now = options.clock()
  let remove = true
  let checked: string | undefined
  let done: FeedPass | undefined
  if (catalog.counts().offers > 0) {
    const check = await runPass(feed, ledger, options, { phase: 'checking', now, remove })
    const refusal = findRefusal(check, options)
    if (refusal !== undefined) return buildReport(check, refusal, catalog.version())
    remove = check.complete
    checked = check.fingerprint
    // What comes to nothing need not be read a second time to come to nothing again.
    if (check.isNoOp && remove) done = check
  }
  done ??= await runPass(feed, ledger, options, { phase: 'importing', now, remove, checked })
  const unusable = findUnusable(done)
  if (unusable !== undefined) return buildReport(done, unusable, catalog.version())
  if (!remove) addWithheldNotice(done)
  const report = buildReport(done, undefined, catalog.version())
  const sources = buildSourceRecords(done, report, catalog, now)
  if (sources.length === 0) return report
  await ledger.commit(() => sources.map((source) => ({ at: now, shows: [], changes: [], source })))
  return report
}

/** What is to be remembered of the sources that a feed speaks for. */
function buildSourceRecords({ header }: FeedPass, report: ImportReport, catalog: Catalog, now: number): SourceRecord[] {
  // An export speaks for others: nobody of its own name feeds the catalog.
  if (header.statesChanges === true) {
    return (header.attributions ?? []).map(({ source, attribution }) => {
      return { ...catalog.source(source), name: source, attribution }
    })
  }
  const { source: name, mode, shows, changes, notices, complete } = report
  const attribution = header.attribution ?? catalog.source(name)?.attribution
  const lastImport = { at: now, mode, shows, changes, notices, complete }
  return [{ name, ...(attribution !== undefined && { attribution }), lastImport }]
}

/** Says all that an import would say, and changes nothing. */
export async function checkFeed(feed: FeedSource, ledger: Ledger, options: ImportOptions): Promise<ImportReport> {
  const now = options.clock()
  const version = ledger.catalog.version()
  const check = await runPass(feed, ledger, options, { phase: 'checking', now, remove: true })
  const refusal = findRefusal(check, options)
  if (refusal !== undefined || check.complete) return buildReport(check, refusal, version)
  const withheld = await runPass(feed, ledger, options, { phase: 'checking', now, remove: false })
  if (ledger.catalog.counts().offers > 0) addWithheldNotice(withheld)
  return buildReport(withheld, undefined, version)
}

/** Reads a feed once, to check it or to import it. */
function runPass(
  feed: FeedSource,
  ledger: Ledger,
  { source, mode, scope, onProgress }: ImportOptions,
  { phase, ...pass }: Pick<PassOptions, 'now' | 'remove' | 'checked'> & { phase: 'checking' | 'importing' },
): Promise<FeedPass> {
  const commit: PassOptions['commit'] = phase === 'checking' ? undefined : (make) => ledger.commit(make)
  return new FeedPass(ledger.catalog, {
    ...(source !== undefined && { source }),
    ...(mode !== undefined && { mode }),
    ...(scope !== undefined && { scope }),
    ...pass,
    commit,
    onProgress: onProgress && ((shows) => onProgress(phase, shows)),
  }).run(feed())
}

/** Why nothing can be taken from a feed at all. */
function findUnusable({ hasInvalidHeader, hasNoRecords }: FeedPass): Refusal | undefined {
  if (hasInvalidHeader) return { reason: 'invalid_header' }
  return hasNoRecords ? { reason: 'no_records' } : undefined
}

/** Why a feed that was checked must not be imported; noted in the check, too. */
function findRefusal(check: FeedPass, { force, guardDeltaFrom }: ImportOptions): Refusal | undefined {
  const unusable = findUnusable(check)
  if (unusable !== undefined) return unusable
  const { held, missing } = check.tally
  const guarded = check.header.mode === 'snapshot' || held >= (guardDeltaFrom ?? Number.POSITIVE_INFINITY)
  if (!guarded || force === true || !check.complete) return undefined
  if (missing <= held * MAX_REMOVED_SHARE) return undefined
  check.notices.add(
    'too_many_removals',
    `The ${check.header.mode} lacks ${missing} of the ${held} offers that ${check.header.source} holds; ` +
      'nothing was imported. If that is right, import it with --force.',
  )
  return { reason: 'too_many_removals', held, removed: missing }
}

function addWithheldNotice(pass: FeedPass): void {
  pass.notices.add('removals_withheld', 'What the feed lacks is kept, since it could not be read whole')
}

function buildReport(pass: FeedPass, refused: Refusal | undefined, version: number): ImportReport {
  const { header, notices, complete } = pass
  const { shows, offers, created, altered, unchanged, changes, changesByPlace } = pass.tally
  return {
    source: header.source,
    mode: header.mode,
    shows,
    offers,
    created,
    altered,
    unchanged,
    changes,
    changesByPlace,
    notices: notices.counts,
    noticeList: notices.notices,
    complete,
    ...(refused !== undefined && { refused }),
    version,
  }
}
