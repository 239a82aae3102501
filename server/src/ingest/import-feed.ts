import type { Catalog } from '../catalog/catalog.ts'
import type { SourceRecord } from '../catalog/storage/meta.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Clock } from '../lib/clock.ts'
import { traced } from '../lib/spans.ts'
import type { SourceRanks } from '../model/source-ranks.ts'
import { FeedPass, type KnownIdentities, type PassOptions } from './apply/feed-pass.ts'
import type { ImportReport, Refusal } from './import-report.ts'
import type { FeedLine } from './lines/feed-lines.ts'
import type { Scope } from './parse/feed-record.ts'
import { confirmSource } from './rules/confirm-source.ts'

export interface ImportOptions {
  readonly clock: Clock
  /** Which sources have precedence for descriptive fields; without ranks, the latest record wins. */
  readonly ranks?: SourceRanks | undefined
  /** Source and mode; both override the feed's header. */
  readonly source?: string | undefined
  readonly mode?: 'snapshot' | 'delta' | undefined
  /** The scope; overrides the feed's header, too. */
  readonly scope?: Scope | undefined
  /** Imports a snapshot however much it removes. */
  readonly force?: boolean | undefined
  /** Refuses a delta that removes too much, too, if it covers at least this many known offers. */
  readonly guardDeltaFrom?: number | undefined
  readonly onProgress?: ((phase: 'checking' | 'importing', shows: number) => void) | undefined
  /** Called every few milliseconds; what it throws ends the import, and rolls back the commit in hand. */
  readonly checkpoint?: (() => void) | undefined
}

/** Opens a feed for one pass; called once for each. */
export type FeedSource = () => AsyncIterable<FeedLine>

/** A snapshot that would remove more than this share of its source's offers is refused. */
const MAX_REMOVED_SHARE = 1 / 5

/**
 * Imports a feed in two passes: a dry run, which changes nothing, then the import. If the dry run finds the feed
 * truncated or partly unreadable, the import removes nothing; if the feed would remove too much, it is refused. An empty
 * catalog has nothing to remove and needs no dry run.
 */
export function importFeed(feed: FeedSource, ledger: Ledger, options: ImportOptions): Promise<ImportReport> {
  const describe = ({ source, mode, created, altered, unchanged, refused }: ImportReport) => ({
    'marquee.source': source,
    'marquee.mode': mode,
    'marquee.shows.created': created,
    'marquee.shows.altered': altered,
    'marquee.shows.unchanged': unchanged,
    'marquee.refused': refused !== undefined,
  })
  return traced('import', describe, () => runImport(feed, ledger, options))
}

async function runImport(feed: FeedSource, ledger: Ledger, options: ImportOptions): Promise<ImportReport> {
  const { catalog } = ledger
  const now = options.clock()
  let removeMissing = true
  let expectedFingerprint: string | undefined
  let pass: FeedPass | undefined
  let identities: KnownIdentities | undefined
  catalog.buildIdentityIndex(options.checkpoint)
  if (catalog.counts().offers > 0) {
    const dryRun = await runDryRun(feed, ledger, options, { removeMissing })
    const refusal = findRefusal(dryRun, options)
    if (refusal !== undefined) return buildReport(dryRun, refusal, catalog.version())
    removeMissing = dryRun.complete
    expectedFingerprint = dryRun.fingerprint
    identities = dryRun.identities
    // A feed that changes nothing needs no second pass.
    if (dryRun.isNoOp && removeMissing) pass = dryRun
  }
  pass ??= await runPass(feed, ledger, options, { phase: 'importing', removeMissing, expectedFingerprint, identities })
  const unusable = findUnusable(pass)
  if (unusable !== undefined) return buildReport(pass, unusable, catalog.version())
  if (!removeMissing) addWithheldNotice(pass)
  const report = buildReport(pass, undefined, catalog.version())
  const sources = buildSourceRecords(pass, report, catalog, now)
  if (sources.length === 0) return report
  await ledger.commit(() => sources.map((source) => ({ at: now, shows: [], changes: [], source })))
  return report
}

/** The records of the feed's source, or of all sources in an export. */
function buildSourceRecords(pass: FeedPass, report: ImportReport, catalog: Catalog, now: number): SourceRecord[] {
  const { header, topLists: stated } = pass
  // An export holds the offers of other sources and is no source itself.
  if (header.statesChanges === true) {
    const records = new Map<string, SourceRecord>()
    const add = (name: string, members: Partial<SourceRecord>) =>
      records.set(name, { ...(records.get(name) ?? catalog.source(name)), name, ...members })
    for (const { source, attribution } of header.attributions ?? []) add(source, { attribution })
    for (const { source, ...history } of header.histories ?? []) add(source, history)
    return [...records.values()]
  }
  const { source: name, mode, shows, changes, notices, complete } = report
  const known = catalog.source(name)
  const attribution = header.attribution ?? known?.attribution
  const lastImport = { at: now, mode, shows, changes, notices, complete }
  const isConfirmed = mode === 'snapshot' && complete
  const { confirmedAt, confirmations } = isConfirmed ? confirmSource(known ?? {}, now, header.scope) : (known ?? {})
  const topLists = [...new Set([...(known?.topLists ?? []), ...stated])].sort()
  const recordedSince = known?.recordedSince ?? known?.lastImport?.at ?? now
  const snapshots = known?.snapshots
  return [
    ...withoutTopLists(catalog, name, stated),
    {
      name,
      ...(attribution !== undefined && { attribution }),
      lastImport,
      ...(confirmedAt !== undefined && { confirmedAt }),
      ...(confirmations !== undefined && { confirmations }),
      ...(topLists.length > 0 && { topLists }),
      recordedSince,
      ...(snapshots !== undefined && { snapshots }),
    },
  ]
}

/** The records of other sources that have stated these top lists before: a list belongs to who stated it last. */
function withoutTopLists(catalog: Catalog, name: string, stated: ReadonlySet<string>): SourceRecord[] {
  if (stated.size === 0) return []
  return catalog.sources().flatMap(({ topLists = [], ...source }) => {
    const kept = topLists.filter((key) => !stated.has(key))
    if (source.name === name || kept.length === topLists.length) return []
    return [{ ...source, ...(kept.length > 0 && { topLists: kept }) }]
  })
}

/** Returns the report that an import would return, and changes nothing. */
export async function checkFeed(feed: FeedSource, ledger: Ledger, options: ImportOptions): Promise<ImportReport> {
  ledger.catalog.buildIdentityIndex(options.checkpoint)
  const version = ledger.catalog.version()
  const dryRun = await runDryRun(feed, ledger, options, { removeMissing: true })
  const refusal = findRefusal(dryRun, options)
  if (refusal !== undefined || dryRun.complete) return buildReport(dryRun, refusal, version)
  const { identities } = dryRun
  const withheld = await runPass(feed, ledger, options, { phase: 'checking', removeMissing: false, identities })
  if (ledger.catalog.counts().offers > 0) addWithheldNotice(withheld)
  return buildReport(withheld, undefined, version)
}

/**
 * Runs a dry run. Which show a record is about can depend on the rest of the feed: whether another record is about that
 * show, and whether the source numbers its records anew. Where it does, the dry run is repeated with what it has found out.
 */
async function runDryRun(
  feed: FeedSource,
  ledger: Ledger,
  options: ImportOptions,
  pass: Pick<PassOptions, 'removeMissing'>,
): Promise<FeedPass> {
  let identities: KnownIdentities | undefined
  for (;;) {
    const dryRun = await runPass(feed, ledger, options, { phase: 'checking', ...pass, identities })
    identities = dryRun.misjudgedIdentities
    if (identities === undefined) return dryRun
  }
}

/** Runs one pass over the feed; the phase `checking` is a dry run. */
function runPass(
  feed: FeedSource,
  ledger: Ledger,
  { clock, ranks, source, mode, scope, onProgress, checkpoint }: ImportOptions,
  {
    phase,
    ...pass
  }: Pick<PassOptions, 'removeMissing' | 'expectedFingerprint' | 'identities'> & { phase: 'checking' | 'importing' },
): Promise<FeedPass> {
  const describe = ({ tally, complete }: FeedPass) => ({ 'marquee.shows': tally.shows, 'marquee.complete': complete })
  const run = new FeedPass(ledger.catalog, {
    ...(source !== undefined && { source }),
    ...(mode !== undefined && { mode }),
    ...(scope !== undefined && { scope }),
    ...pass,
    clock,
    ranks,
    checkpoint,
    ledger: phase === 'checking' ? undefined : ledger,
    onProgress: onProgress && ((shows) => onProgress(phase, shows)),
  })
  return traced(`import ${phase}`, describe, () => run.run(feed()))
}

/** Why a feed is refused as a whole: an invalid header, or no record. */
function findUnusable({ hasInvalidHeader, hasNoRecords }: FeedPass): Refusal | undefined {
  if (hasInvalidHeader) return { reason: 'invalid_header' }
  return hasNoRecords ? { reason: 'no_records' } : undefined
}

/** Why a feed must not be imported, after its dry run; adds the notice, too. */
function findRefusal(dryRun: FeedPass, { force, guardDeltaFrom }: ImportOptions): Refusal | undefined {
  const unusable = findUnusable(dryRun)
  if (unusable !== undefined) return unusable
  const { held, missing } = dryRun.tally
  const isGuarded = dryRun.header.mode === 'snapshot' || held >= (guardDeltaFrom ?? Number.POSITIVE_INFINITY)
  if (!isGuarded || force === true || !dryRun.complete) return undefined
  if (missing <= held * MAX_REMOVED_SHARE) return undefined
  dryRun.notices.add(
    'too_many_removals',
    `The ${dryRun.header.mode} lacks ${missing} of the ${held} offers that ${dryRun.header.source} holds; ` +
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
