import type { Ledger } from '../ledger/ledger.ts'
import type { Clock } from '../model/clock.ts'
import type { FeedLine } from './feed-lines.ts'
import { FeedPass, type PassOptions } from './feed-pass.ts'
import type { ImportReport, Refusal } from './import-report.ts'

export interface ImportOptions {
  readonly clock: Clock
  /** Who feeds, and whether the feed is all there is; both win over what the feed's header says. */
  readonly source?: string | undefined
  readonly mode?: 'snapshot' | 'delta' | undefined
  /** Removes whatever the feed lacks, however much it is. */
  readonly force?: boolean | undefined
  readonly onProgress?: ((phase: 'checking' | 'importing', shows: number) => void) | undefined
}

/** A feed that can be read more than once. */
export type FeedSource = () => AsyncIterable<FeedLine>

/** Snapshots that would remove more than this part of what their source holds are refused. */
export const MOST_REMOVED = 1 / 5

/**
 * Imports a feed. Where its source holds offers already, the feed is first read to the end without changing
 * anything: one that breaks off or cannot be read in places removes nothing, and one that would remove too much is
 * refused as a whole.
 */
export async function importFeed(feed: FeedSource, ledger: Ledger, options: ImportOptions): Promise<ImportReport> {
  const { catalog } = ledger
  const now = options.clock()
  const pass = (remove: boolean, commit: PassOptions['commit'], phase: 'checking' | 'importing') =>
    new FeedPass(catalog, {
      ...(options.source !== undefined && { source: options.source }),
      ...(options.mode !== undefined && { mode: options.mode }),
      now,
      remove,
      commit,
      onProgress: options.onProgress && ((shows) => options.onProgress?.(phase, shows)),
    }).run(feed())

  const holdsOffers = Object.keys(catalog.counts().offersBySource).length > 0
  const check = holdsOffers ? await pass(true, undefined, 'checking') : undefined
  const refusal =
    check?.complete === true && options.force !== true ? refusalOf(check, catalog.counts().offersBySource) : undefined
  if (check !== undefined && refusal !== undefined) {
    const { removed, held } = refusal
    check.notices.add(
      'too_many_removals',
      `The snapshot lacks ${removed} of the ${held} offers that ${check.header.source} holds; ` +
        'nothing was imported. If that is right, import it with --force.',
    )
    return reportOf(check, refusal, catalog.version())
  }
  const remove = check?.complete ?? true
  const done = await pass(remove, (make) => ledger.commit(make), 'importing')
  if (!remove) done.notices.add('removals_withheld', 'What the feed lacks was kept, since it could not be read whole')
  const report = reportOf(done, undefined, catalog.version())
  const { source: name, mode, shows, changes, notices, complete } = report
  const lastImport = { at: now, mode, shows, changes, notices, complete }
  await ledger.commit(() => ({ at: now, shows: [], changes: [], source: { name, lastImport } }))
  return { ...report, version: catalog.version() }
}

/** Says all that an import would say, and changes nothing. */
export async function checkFeed(feed: FeedSource, ledger: Ledger, options: ImportOptions): Promise<ImportReport> {
  const { source, mode } = options
  const check = await new FeedPass(ledger.catalog, {
    ...(source !== undefined && { source }),
    ...(mode !== undefined && { mode }),
    now: options.clock(),
    remove: true,
    commit: undefined,
    onProgress: options.onProgress && ((shows) => options.onProgress?.('checking', shows)),
  }).run(feed())
  const refusal = check.complete ? refusalOf(check, ledger.catalog.counts().offersBySource) : undefined
  return reportOf(check, refusal, ledger.catalog.version())
}

function refusalOf(check: FeedPass, offersBySource: Readonly<Record<string, number>>): Refusal | undefined {
  const held = offersBySource[check.header.source] ?? 0
  if (check.header.mode !== 'snapshot' || check.tally.missing <= held * MOST_REMOVED) return undefined
  return { reason: 'too_many_removals', held, removed: check.tally.missing }
}

function reportOf(pass: FeedPass, refused: Refusal | undefined, version: number): ImportReport {
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
