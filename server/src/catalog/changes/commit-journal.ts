import { isDeepStrictEqual } from 'node:util'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Database, Key } from 'lmdb'
import { PAST_CHANGE_TYPES, type PastChangeType } from '../../model/change.ts'
import { isLive, OFFER_TYPES, type Offer, type OffersByCountry, type OfferType } from '../../model/offer.ts'
import { ITEM_TYPES, type ItemType, type Show, showItems } from '../../model/show.ts'
import { type DocSet, decodeDocSet, encodeDocSet, RoaringBitmap32 } from '../index/doc-set.ts'
import { ByteReader, ByteWriter } from '../storage/byte-stream.ts'
import type { Dictionary } from '../storage/dictionary.ts'
import type { ChangeLog } from './change-log.ts'
import type { ChangeListId, ChangeSortKey, StoredChange } from './stored-change.ts'

/** Changes in one record: a page of an answer decodes one record. */
const CHUNK_CHANGES = 500

/** What a commit altered, as its writer collects it. */
export interface CommitRecord {
  readonly version: number
  readonly contentHash: string
  /** The time of the commit. */
  readonly at: number
  /** Whether it altered reference data, which answers print in every show. */
  readonly altersReference: boolean
  /** The documents whose answers it altered, by country. */
  readonly docs: ReadonlyMap<string, ReadonlySet<number>>
  /** The changes that it logged, by country, in their order. */
  readonly changes: ReadonlyMap<string, readonly StoredChange[]>
}

/** A commit that a copy of the catalog includes. */
export type CopiedCommit = Pick<CommitRecord, 'version' | 'contentHash' | 'at' | 'changes'>

/** A commit in the journal, without its documents and changes. */
export type JournaledCommit = Pick<CommitRecord, 'contentHash' | 'at' | 'altersReference'>

/** A change at its place in the journal of a country. */
export interface JournaledChange {
  readonly version: number
  readonly country: string
  /** The count of changes before it in the same version. */
  readonly offset: number
  /** Undefined where the change log no longer has it. */
  readonly change: StoredChange | undefined
}

/**
 * What each commit altered, in the order of commits: documents by country, and changes. The change log is sorted by the
 * time of changes, and an import can add one of an earlier time; by the journal a reader sees everything exactly once.
 * Derived from the batches, so replicas of one ledger have the same. Keys:
 *   v, version                   content hash, time, whether reference data changed
 *   p, version                   the same of a commit before the copy of a replica was made: its documents are not known
 *   d, country, version          documents, as a posting list
 *   c, country, version, chunk   sort keys of changes; the change log has the rest
 */
export class CommitJournal {
  private readonly table: Database<Buffer, Key> | undefined
  private readonly log: ChangeLog
  private readonly dictionary: Dictionary
  private readonly out = new ByteWriter(16 * 1024)

  constructor(table: Database<Buffer, Key> | undefined, log: ChangeLog, dictionary: Dictionary) {
    this.table = table
    this.log = log
    this.dictionary = dictionary
  }

  /** Adds a commit. Only within a write transaction. */
  append({ version, contentHash, at, altersReference, docs, changes }: CommitRecord): void {
    const table = this.table as Database<Buffer, Key>
    this.out.reset().byte(altersReference ? 1 : 0)
    this.out.varint(at)
    this.out.sizedText(contentHash)
    table.putSync(['v', version], this.out.toBuffer())
    for (const [country, set] of docs) {
      if (set.size > 0) table.putSync(['d', country, version], encodeDocSet(new RoaringBitmap32(set), version))
    }
    this.putChanges(version, changes)
  }

  /**
   * Adds a commit that a copy of the catalog includes: its changes, but not which documents it altered. The version of the
   * copy itself is there already, without changes. Only within a write transaction.
   */
  appendCopied({ version, contentHash, at, changes }: CopiedCommit): void {
    const table = this.table as Database<Buffer, Key>
    if (!this.hasDocuments(version)) {
      this.out.reset().byte(0)
      this.out.varint(at)
      this.out.sizedText(contentHash)
      table.putSync(['p', version], this.out.toBuffer())
    }
    this.putChanges(version, changes)
  }

  private putChanges(version: number, changes: CommitRecord['changes']): void {
    const table = this.table as Database<Buffer, Key>
    for (const [country, list] of changes) {
      for (let chunk = 0; chunk * CHUNK_CHANGES < list.length; chunk++) {
        const part = list.slice(chunk * CHUNK_CHANGES, (chunk + 1) * CHUNK_CHANGES)
        table.putSync(['c', country, version, chunk], this.encodeChanges(part))
      }
    }
  }

  /** Deletes all commits. Only within a write transaction. */
  clear(): void {
    this.table?.clearSync()
  }

  /** A commit by the version that it made. */
  find(version: number): JournaledCommit | undefined {
    const stored = this.table?.get(['v', version]) ?? this.table?.get(['p', version])
    if (stored === undefined) return undefined
    const input = new ByteReader(stored)
    const altersReference = input.byte() === 1
    return { altersReference, at: input.varint(), contentHash: input.sizedText() }
  }

  /** Whether it knows which documents were altered after a version. */
  hasDocuments(version: number): boolean {
    return this.table?.get(['v', version]) !== undefined
  }

  /** Whether a version after `version` altered reference data. */
  hasReferenceChangeAfter(version: number): boolean {
    for (const { value } of this.table?.getRange({ start: ['v', version + 1], end: ['w'] }) ?? []) {
      if (value[0] === 1) return true
    }
    return false
  }

  /** The documents whose answers in a country were altered after a version. */
  docsAfter(version: number, country: string): DocSet {
    const range = { start: ['d', country, version + 1], end: ['d', country, Number.MAX_SAFE_INTEGER] }
    const sets = [...(this.table?.getRange(range) ?? [])].map(({ value }) => decodeDocSet(value))
    return RoaringBitmap32.orMany(sets)
  }

  /** The changes of a country from a place in the journal on: version by version, each in the order of its commit. */
  *changesFrom(
    { version, offset }: Pick<JournaledChange, 'version' | 'offset'>,
    country: string,
    catalogVersion: number,
  ): Iterable<JournaledChange> {
    const start = ['c', country, version, Math.floor(offset / CHUNK_CHANGES)]
    const end = ['c', country, Number.MAX_SAFE_INTEGER]
    for (const { key, value } of this.table?.getRange({ start, end }) ?? []) {
      const [, , keyVersion, chunk] = key as [string, string, number, number]
      let at = chunk * CHUNK_CHANGES
      for (const { list, sortKey } of this.decodeChanges(value, country)) {
        const place = { version: keyVersion, country, offset: at++ }
        if (keyVersion === version && place.offset < offset) continue
        yield { ...place, change: this.log.find(list, sortKey, catalogVersion) }
      }
    }
  }

  /** Whether it has a commit before an instant, other than the last one. */
  hasBefore(instant: number): boolean {
    for (const { key, value } of this.table?.getRange({ start: ['p'], end: ['w'], limit: 1 }) ?? []) {
      return readTime(value) < instant && this.find((key as [string, number])[1] + 1) !== undefined
    }
    return false
  }

  /** Deletes commits before an instant, the last one excepted. Only within a write transaction. */
  truncateBefore(instant: number): void {
    const table = this.table as Database<Buffer, Key>
    const commits = [...table.getRange({ start: ['p'], end: ['w'] })]
    const kept = commits.findIndex(({ value }, i) => readTime(value) >= instant || i === commits.length - 1)
    const firstKept = commits[kept]
    if (firstKept === undefined || kept === 0) return
    const [, first] = firstKept.key as [string, number]
    for (const { key } of commits.slice(0, kept)) table.removeSync(key)
    for (const kind of ['c', 'd']) {
      for (const key of [...table.getKeys({ start: [kind], end: [`${kind}~`] })] as [string, string, number][]) {
        if (key[2] < first) table.removeSync(key)
      }
    }
  }

  /** Decodes every record, and describes each that is damaged, missing or not of this catalog. */
  *findProblems(catalogVersion: number, contentHash: string, docCount: number): Iterable<string> {
    if (this.table === undefined) return
    let previous: number | undefined
    for (const { key, value } of this.table.getRange({})) {
      const [kind, ...place] = key as [string, ...(string | number)[]]
      try {
        if (kind === 'v' || kind === 'p') {
          const version = place[0] as number
          if (previous !== undefined && version !== previous + 1) yield `version ${previous + 1} is missing`
          previous = version
          if (version === catalogVersion && this.find(version)?.contentHash !== contentHash) {
            yield `version ${version} has another content hash than the catalog`
          }
        } else if (kind === 'd') {
          const docs = decodeDocSet(value)
          if ((docs.toUint32Array().at(-1) ?? 0) >= docCount)
            yield `the record ${key.toString()} names a document that does not exist`
        } else for (const _ of this.decodeChanges(value, place[0] as string));
      } catch {
        yield `the record ${key.toString()} cannot be read`
      }
    }
    if (previous !== undefined && previous !== catalogVersion) yield `version ${catalogVersion} is missing`
  }

  private encodeChanges(changes: readonly StoredChange[]): Buffer {
    const { out, dictionary } = this
    let [time, id, season, episode] = [0, 0, 0, 0]
    out.reset().varint(changes.length)
    for (const change of changes) {
      const { changeType, itemType } = change.list
      out.byte(PAST_CHANGE_TYPES.indexOf(changeType as PastChangeType) * 4 + ITEM_TYPES.indexOf(itemType))
      out.byte(OFFER_TYPES.indexOf(change.offerType) * 2 + (change.addon === '' ? 0 : 1))
      writeDifference(out, change.timestamp - time)
      writeDifference(out, change.showId - id)
      writeDifference(out, change.season - season)
      writeDifference(out, change.episode - episode)
      out.varint(dictionary.intern(change.service))
      if (change.addon !== '') out.varint(dictionary.intern(change.addon))
      ;({ timestamp: time, showId: id, season, episode } = change)
    }
    return deflateRawSync(out.view(), { level: 1 })
  }

  private *decodeChanges(
    stored: Buffer,
    country: string,
  ): Iterable<{ readonly list: ChangeListId; readonly sortKey: ChangeSortKey }> {
    const { dictionary } = this
    const input = new ByteReader(inflateRawSync(stored))
    let [timestamp, showId, season, episode] = [0, 0, 0, 0]
    for (let left = input.varint(); left > 0; left--) {
      const types = input.byte()
      const offer = input.byte()
      timestamp += readDifference(input)
      showId += readDifference(input)
      season += readDifference(input)
      episode += readDifference(input)
      const service = dictionary.text(input.varint())
      const addon = offer % 2 === 0 ? '' : dictionary.text(input.varint())
      const changeType = PAST_CHANGE_TYPES[types >> 2] as PastChangeType
      const itemType = ITEM_TYPES[types & 3] as ItemType
      const offerType = OFFER_TYPES[offer >> 1] as OfferType
      yield {
        list: { country, changeType, itemType },
        sortKey: { timestamp, showId, season, episode, service, offerType, addon },
      }
    }
  }
}

function readTime(stored: Buffer): number {
  return new ByteReader(stored, 1).varint()
}

/** Differences are zigzag-encoded. */
function writeDifference(out: ByteWriter, value: number): void {
  out.varint(value < 0 ? -value * 2 - 1 : value * 2)
}

function readDifference(input: ByteReader): number {
  const value = input.varint()
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

/** The fields of a show that answers print, offers and seasons excepted. */
const PRINTED_FIELDS = [
  'showType',
  'imdbId',
  'tmdbId',
  'title',
  'overview',
  'imageSet',
  'originalTitle',
  'originalLanguage',
  'translations',
  'year',
  'lastAirYear',
  'genres',
  'directors',
  'creators',
  'cast',
  'rating',
  'runtime',
  'seasonCount',
  'episodeCount',
  'deleted',
] as const satisfies readonly (keyof Show)[]

/**
 * The countries in which two states of a show are answered differently: those where it is or was live, and its texts or
 * its offers there differ. Never too few; a difference that no answer prints may be among them.
 */
export function alteredCountries(old: Show | undefined, show: Show): Set<string> {
  const altered = liveCountries(show)
  if (old === undefined) return altered
  const before = liveCountries(old)
  const hasSameTexts = isSameTexts(old, show)
  for (const country of before) altered.add(country)
  if (!hasSameTexts) return altered
  for (const country of altered) if (hasSameOffers(old, show, country)) altered.delete(country)
  return altered
}

/** The countries in which a show has a live offer of itself or of a part. */
function liveCountries(show: Show): Set<string> {
  const countries = new Set<string>()
  if (show.deleted === true) return countries
  for (const [, byCountry] of showItems(show)) {
    for (const country in byCountry) {
      if (!countries.has(country) && (byCountry[country] as readonly Offer[]).some(isLive)) countries.add(country)
    }
  }
  return countries
}

function isSameTexts(old: Show, show: Show): boolean {
  for (const field of PRINTED_FIELDS) if (!isDeepStrictEqual(old[field], show[field])) return false
  const [before = [], after = []] = [old.seasons, show.seasons]
  if ((old.seasons === undefined) !== (show.seasons === undefined) || before.length !== after.length) return false
  return before.every((season, s) => {
    const { title, firstAirYear, lastAirYear, episodes } = season
    const other = after[s] as typeof season
    return (
      title === other.title &&
      firstAirYear === other.firstAirYear &&
      lastAirYear === other.lastAirYear &&
      episodes?.length === other.episodes?.length &&
      (episodes ?? []).every((episode, e) => {
        const twin = other.episodes?.[e]
        return episode.title === twin?.title && episode.overview === twin.overview && episode.airYear === twin.airYear
      })
    )
  })
}

/** Whether two states of a show with the same items have the same offers in a country. */
function hasSameOffers(old: Show, show: Show, country: string): boolean {
  const others: Iterator<readonly [unknown, OffersByCountry]> = showItems(show)[Symbol.iterator]()
  for (const [, offers] of showItems(old)) {
    const [, other] = others.next().value as readonly [unknown, OffersByCountry]
    if (!isDeepStrictEqual(offers[country], other[country])) return false
  }
  return true
}
