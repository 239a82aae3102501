import type { Catalog } from '../catalog/catalog.ts'
import type { SourceRecord } from '../catalog/storage/meta.ts'
import type { Batch } from '../catalog/write/batch.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type HistorySnapshot, livePlaces, type Place, placeKey, type ShowHistory, toPlace } from '../model/history.ts'
import type { Offer } from '../model/offer.ts'
import { type Show, showItems } from '../model/show.ts'
import { NO_RANKS } from '../model/source-ranks.ts'
import { identify } from './apply/identify.ts'
import { mergeShow } from './apply/merge-show.ts'
import { cacheShows, createCatalogIndex, type ShowIndex } from './apply/show-index.ts'
import { RecordKeys } from './identity/record-keys.ts'
import type { FeedSource, ImportOptions } from './import-feed.ts'
import { type ImportReport, ImportTally, NoticeLog, type Refusal } from './import-report.ts'
import { FeedParser } from './parse/feed-parser.ts'
import { type BodyRecord, countOffers, type FeedHeader, type ShowRecord } from './parse/feed-record.ts'
import { ReferenceBuilder } from './parse/reference-builder.ts'
import { UnchangedDetector } from './parse/unchanged-detector.ts'
import { observeSnapshot, type SeenPlaces, withHistory } from './rules/record-history.ts'

/** Shows per commit: their histories are written, and nothing else of them changes. */
const SHOWS_PER_COMMIT = 500

export interface AsOfOptions
  extends Pick<ImportOptions, 'clock' | 'source' | 'mode' | 'scope' | 'force' | 'onProgress' | 'checkpoint'> {
  /** When the snapshot was taken. */
  readonly asOf: number
  /** Only checks the snapshot. */
  readonly dryRun?: boolean
}

/**
 * Fills the history from an old snapshot. Offers, shows and changes stay as they are: each show of the snapshot that the
 * catalog knows gets, in its history, what was live at that time. A first pass finds out whether the snapshot can be read
 * to its end, since what it lacks counts as not live; one that cannot is refused, unless it is forced.
 */
export async function importAsOf(feed: FeedSource, ledger: Ledger, options: AsOfOptions): Promise<ImportReport> {
  const { catalog } = ledger
  catalog.buildIdentityIndex(options.checkpoint)
  const check = new SnapshotReader(catalog, options, 'checking')
  for await (const _ of check.read(feed)) options.checkpoint?.()
  const refused = findRefusal(check, options)
  if (refused !== undefined || options.dryRun === true) return buildReport(check, options, ledger, { refused })
  const reader = new SnapshotReader(catalog, options, 'importing')
  const writer = new HistoryWriter(ledger, check, options)
  for await (const shows of reader.read(feed)) await writer.write(shows)
  await writer.writeMissing()
  await writer.writeSnapshot()
  return buildReport(reader, options, ledger, { altered: writer.alteredIds.size })
}

/** The places of a show in the snapshot, by source. */
interface SeenShow {
  readonly id: string
  readonly bySource: ReadonlyMap<string, SeenPlaces>
}

/** Reads the known shows of a snapshot, chunk by chunk. */
class SnapshotReader {
  readonly notices = new NoticeLog()
  readonly tally = new ImportTally()
  /** The sources that state offers: that of the feed or, in an export, those of all offers. */
  readonly sources = new Set<string>()
  header: FeedHeader
  isComplete = true
  readonly parser: FeedParser
  private readonly reference: ReferenceBuilder
  private readonly options: AsOfOptions
  private readonly phase: 'checking' | 'importing'
  private readonly catalog: Catalog
  private readonly seenIds = new Set<string>()

  constructor(catalog: Catalog, options: AsOfOptions, phase: 'checking' | 'importing') {
    const { source, mode, scope } = options
    this.catalog = catalog
    this.options = options
    this.phase = phase
    this.reference = new ReferenceBuilder(catalog.reference())
    // Lines that the catalog has seen are parsed, too: the detector finds none that is valid for ever.
    const detector = new UnchangedDetector(catalog, this.reference, () => Number.POSITIVE_INFINITY, NO_RANKS)
    const overrides = {
      ...(source !== undefined && { source }),
      ...(mode !== undefined && { mode }),
      ...(scope !== undefined && { scope }),
    }
    this.parser = new FeedParser(this.reference, this.notices, detector, overrides)
    this.header = { kind: 'feed', source: source ?? 'default', mode: mode ?? 'delta', scope: scope ?? {} }
  }

  async *read(feed: FeedSource): AsyncIterable<SeenShow[]> {
    let shows: SeenShow[] = []
    let index = cacheShows(createCatalogIndex(this.catalog))
    let hasStarted = false
    for await (const whole of feed()) {
      this.options.checkpoint?.()
      for (const record of this.parser.parse(this.parser.prepare(whole), this.header)) {
        if (this.parser.hasInvalidHeader) return
        if (record.kind === 'feed') {
          if (hasStarted) this.notices.add('misplaced_header', 'The header comes after other records', whole)
          else this.header = record
        } else shows.push(...this.readRecord(record, index))
        hasStarted = true
      }
      if (shows.length < SHOWS_PER_COMMIT) continue
      yield shows
      shows = []
      index = cacheShows(createCatalogIndex(this.catalog))
    }
    if (shows.length > 0) yield shows
    const { count = 0, statesChanges } = this.header
    if (this.parser.count < count) {
      this.notices.add('count_mismatch', `The header declares ${count} records, the feed holds ${this.parser.count}`)
    }
    const isWhole = (['truncated_feed', 'misplaced_header', 'count_mismatch'] as const).every(
      (one) => !this.notices.has(one),
    )
    this.isComplete &&= isWhole && this.parser.hasRecords && !this.parser.isDamaged && !this.parser.hasInvalidHeader
    if (statesChanges !== true) this.sources.add(this.header.source)
  }

  private readRecord(record: BodyRecord, index: ShowIndex): SeenShow[] {
    if (record.kind !== 'show' || record.deleted === true || record.mergedInto !== undefined) return []
    const { tally } = this
    tally.shows++
    tally.offers += countOffers(record)
    this.options.onProgress?.(this.phase, tally.shows)
    if (record.isFlawed) this.isComplete = false
    const where = { line: record.line, record: record.id ?? record.title }
    const known = this.findShow(record, index)
    if (known === undefined || known.deleted === true) {
      this.notices.add('unknown_show', 'The catalog does not have this show; its past is left out', where)
      return []
    }
    if (this.seenIds.has(known.id)) {
      this.notices.add('duplicate_show', `Show ${known.id} was stated before in this feed`, where)
      return []
    }
    this.seenIds.add(known.id)
    return [{ id: known.id, bySource: this.readPlaces(record, known) }]
  }

  /** The show that a record is about; an export names it by its own id. */
  private findShow(record: ShowRecord, index: ShowIndex): Show | undefined {
    const { source, statesChanges } = this.header
    if (statesChanges === true && record.id !== undefined) return index.findById(record.id)
    return identify(record, index, {
      source,
      keys: new RecordKeys(record),
      reusesIds: false,
      observe: () => {},
      isUnclaimed: () => false,
      isStated: ({ id }) => this.seenIds.has(id),
    }).known
  }

  /** The places of a record that were live at the time of the snapshot, what its parts give a series included. */
  private readPlaces(record: ShowRecord, { id }: Show): ReadonlyMap<string, SeenPlaces> {
    const { source, scope } = this.header
    const { history: _, ...then } = record
    const show = mergeShow(id, undefined, then, {
      source,
      scope,
      now: this.options.asOf,
      appliesWindows: true,
      homePage: (service, country) => this.reference.homePage(service, country),
      ranks: NO_RANKS,
      keepMissing: 'nothing',
      observer: { held: () => {}, missing: () => {}, expired: () => {} },
    })
    const bySource = new Map<string, Map<string, { place: Place; prices: string }>>()
    for (const [item, byCountry] of showItems(show)) {
      for (const country in byCountry) {
        const offers = byCountry[country] as readonly Offer[]
        for (const name of new Set(offers.map((offer) => offer.source))) {
          const places = bySource.get(name) ?? new Map<string, { place: Place; prices: string }>()
          bySource.set(name, places)
          this.sources.add(name)
          const own = offers.filter((offer) => offer.source === name)
          for (const { offer, prices } of livePlaces(own).values()) {
            const place = toPlace(item, country, offer)
            places.set(placeKey(place), { place, prices })
          }
        }
      }
    }
    return bySource
  }
}

/** Commits what a snapshot says to the histories of shows. */
class HistoryWriter {
  private readonly ledger: Ledger
  private readonly sources: readonly { readonly source: string; readonly all: readonly HistorySnapshot[] }[]
  private readonly snapshot: HistorySnapshot
  private readonly options: AsOfOptions
  private readonly seenIds = new Set<string>()
  /** Shows of the snapshot whose history it has altered. */
  readonly alteredIds = new Set<string>()

  constructor(ledger: Ledger, { sources, header }: SnapshotReader, options: AsOfOptions) {
    const { countries, services } = header.scope
    this.ledger = ledger
    this.options = options
    this.snapshot = {
      at: options.asOf,
      ...(countries !== undefined && { countries: [...countries].sort() }),
      ...(services !== undefined && { services: [...services].sort() }),
    }
    this.sources = [...sources].sort().map((source) => ({ source, all: this.withSnapshot(source) }))
  }

  async write(shows: readonly SeenShow[]): Promise<void> {
    for (const { id } of shows) this.seenIds.add(id)
    const { catalog } = this.ledger
    await this.commit(shows.map(({ id, bySource }) => [catalog.findOwnDoc(id), bySource] as const))
  }

  /** Notes for all shows that the snapshot lacks that they were not live then. */
  async writeMissing(): Promise<void> {
    const { catalog } = this.ledger
    const docs = [...catalog.documents.docsWithHistory()]
    for (let start = 0; start < docs.length; start += SHOWS_PER_COMMIT) {
      this.options.checkpoint?.()
      const missing = docs
        .slice(start, start + SHOWS_PER_COMMIT)
        .filter((doc) => !this.seenIds.has(catalog.facts(doc)?.id ?? ''))
      await this.commit(missing.map((doc) => [doc, NOTHING_SEEN] as const))
    }
  }

  /** Adds the snapshot to those of its sources. */
  async writeSnapshot(): Promise<void> {
    const { catalog } = this.ledger
    const records = this.sources.map(
      ({ source, all }): SourceRecord => ({ ...catalog.source(source), name: source, snapshots: all }),
    )
    const at = this.options.clock()
    await this.ledger.commit(() => records.map((source) => ({ at, shows: [], changes: [], source })))
  }

  private withSnapshot(source: string): readonly HistorySnapshot[] {
    const known = this.ledger.catalog.source(source)?.snapshots ?? []
    const name = JSON.stringify(this.snapshot)
    if (known.some((one) => JSON.stringify(one) === name)) return known
    return [...known, this.snapshot].sort((a, b) => a.at - b.at || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }

  private async commit(shows: readonly (readonly [doc: number | undefined, SeenShow['bySource']])[]): Promise<void> {
    const at = this.options.clock()
    await this.ledger.commit(() => this.buildBatches(shows, at))
  }

  /** Built within the transaction, from what the shows are by then. */
  private *buildBatches(
    shows: readonly (readonly [doc: number | undefined, SeenShow['bySource']])[],
    at: number,
  ): Iterable<Batch> {
    const { catalog } = this.ledger
    const altered: Show[] = []
    for (const [doc, bySource] of shows) {
      const before = doc === undefined ? undefined : catalog.documents.history(doc)
      const history = this.observe(before, bySource)
      const show = history === before || doc === undefined ? undefined : catalog.show(doc)
      if (show === undefined) continue
      altered.push(withHistory(show, history))
      if (this.seenIds.has(show.id)) this.alteredIds.add(show.id)
    }
    if (altered.length > 0) yield { at, shows: altered, changes: [] }
  }

  private observe(before: ShowHistory | undefined, bySource: SeenShow['bySource']): ShowHistory | undefined {
    let history = before
    for (const { source, all } of this.sources) {
      history = observeSnapshot(history, bySource.get(source) ?? NO_PLACES, { source, snapshot: this.snapshot, all })
    }
    return history
  }
}

const NO_PLACES: SeenPlaces = new Map()
const NOTHING_SEEN: SeenShow['bySource'] = new Map()

/** Why a snapshot is refused; adds the notice, too. */
function findRefusal(check: SnapshotReader, { force }: AsOfOptions): Refusal | undefined {
  const { header, parser, notices, isComplete } = check
  if (parser.hasInvalidHeader) return { reason: 'invalid_header' }
  if (!parser.hasRecords) {
    notices.add('no_records', 'Not one record of a feed was found; nothing was imported')
    return { reason: 'no_records' }
  }
  if (header.mode !== 'snapshot') {
    notices.add(
      'incomplete_snapshot',
      'The feed is a delta, which says nothing of what it leaves out; nothing was imported',
    )
  } else if (!isComplete && force !== true) {
    notices.add(
      'incomplete_snapshot',
      'Parts of the snapshot cannot be read, and would count as not live; nothing was imported. If that is right, ' +
        'import it with --force.',
    )
  } else return undefined
  return { reason: 'incomplete_snapshot' }
}

function buildReport(
  { header, notices, tally, isComplete }: SnapshotReader,
  { asOf }: AsOfOptions,
  { catalog }: Ledger,
  { refused, altered = 0 }: { readonly refused?: Refusal | undefined; readonly altered?: number },
): ImportReport {
  const { shows, offers, changes, changesByPlace } = tally
  const leftOut = (notices.counts.unknown_show ?? 0) + (notices.counts.duplicate_show ?? 0)
  return {
    source: header.source,
    mode: header.mode,
    asOf,
    shows,
    offers,
    created: 0,
    altered,
    unchanged: shows - leftOut - altered,
    changes,
    changesByPlace,
    notices: notices.counts,
    noticeList: notices.notices,
    complete: isComplete,
    ...(refused !== undefined && { refused }),
    version: catalog.version(),
  }
}
