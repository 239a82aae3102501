import type { Catalog } from '../../catalog/catalog.ts'
import type { JournaledChange } from '../../catalog/changes/commit-journal.ts'
import type { StoredChange } from '../../catalog/changes/stored-change.ts'
import { VersionedCache } from '../../lib/cache.ts'
import { InvalidCursorError } from '../page-cursor.ts'

/*
 * A place in the journal of commits, as clients store it: all before it was read.
 *   <version>.<content hash>            behind a whole version
 *   <version>.<content hash>.<offset>   within a version, behind that many of its changes in the country that was asked for
 *   <version>.<content hash>.<country>.<offset>   the same of several countries, which come in ascending order
 * The content hash tells whether the version is one of this catalog: a restored backup may have made another.
 */

/** Thrown for a token in `since` that cannot be parsed. */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError'
}

/** Thrown for a token whose version the journal no longer has, or never had. */
export class TokenExpiredError extends Error {
  override readonly name = 'TokenExpiredError'
  readonly parameter: TokenParameter['name']

  constructor({ name, expired }: TokenParameter) {
    super(expired)
    this.parameter = name
  }
}

/** A parameter with a token, and what errors say of one that cannot be used. */
export interface TokenParameter {
  readonly name: 'since' | 'cursor'
  /** Of commits before the copy of a replica was made, the journal has the changes but not the documents. */
  readonly needs: 'changes' | 'documents'
  /** What is wrong with a token that cannot be parsed, and what to send instead. */
  readonly unreadable: string
  /** What a token is whose version is not in the journal, and how to start again. */
  readonly expired: string
}

export const CHANGES_SINCE: TokenParameter = {
  name: 'since',
  needs: 'changes',
  unreadable: 'cannot be read; send the one of the last answer, or now',
  expired:
    'What happened after the token in "since" is no longer kept, or not known here. Start again: get the whole of ' +
    'the country from /catalog/export, or a new token by since=now.',
}

/** The cursor between two pages of changes since a token. */
export const CHANGES_CURSOR: TokenParameter = {
  name: 'cursor',
  needs: 'changes',
  unreadable: 'cannot be read; send the nextCursor of the previous page',
  expired:
    'What happened after the cursor is no longer kept, or not known here. Start again: send the same "since" without a ' +
    'cursor or, where that has expired, too, get the whole of the country from /catalog/export, or a new token by since=now.',
}

/** The error of a token that the parameter does not take. */
export function toInvalidTokenError({ name }: TokenParameter, problem: string): Error {
  return name === 'cursor'
    ? new InvalidCursorError(`The cursor ${problem}`)
    : new InvalidTokenError(`The token in "since" ${problem}`)
}

/** The first change that a reader has not seen; within a version of several countries, with its country. */
export interface JournalPlace extends Pick<JournaledChange, 'version' | 'offset'> {
  readonly country?: string
}

/** The token behind everything that the catalog holds. */
export function currentToken(catalog: Catalog): string {
  return `${catalog.version()}.${catalog.contentHash()}`
}

/** The token in front of a change. */
export function encodeToken(catalog: Catalog, { version, country, offset }: JournalPlace): string {
  const place = country === undefined ? offset : `${country}.${offset}`
  return `${version}.${catalog.journal.find(version)?.contentHash ?? ''}.${place}`
}

/** The parts of a token. */
interface ParsedToken {
  readonly version: number
  readonly contentHash: string
  readonly country: string | undefined
  /** Undefined behind a whole version. */
  readonly offset: number | undefined
}

/** Splits a token into its parts. Throws for one that is malformed. */
export function parseToken(token: string, parameter: TokenParameter): ParsedToken {
  const match = /^(\d{1,10})\.([0-9a-z]{1,32})(?:\.(?:([a-z]{2})\.)?(\d{1,9}))?$/.exec(token)
  if (match === null) throw toInvalidTokenError(parameter, parameter.unreadable)
  const [, version, contentHash = '', country, offset] = match
  return {
    version: Number(version),
    contentHash,
    country,
    offset: offset === undefined ? undefined : Number(offset),
  }
}

/** The place that a token names. Throws for a token that is malformed, or whose version is not in the journal. */
export function resolveToken(catalog: Catalog, token: string, parameter = CHANGES_SINCE): JournalPlace {
  const { version, country, offset, ...parsed } = parseToken(token, parameter)
  const current = catalog.version()
  const contentHash = version === current ? catalog.contentHash() : catalog.journal.find(version)?.contentHash
  const isComplete =
    hasAllAfter(catalog, version, current) &&
    (parameter.needs === 'changes' || version === current || catalog.journal.hasDocuments(version))
  if (version > current || contentHash !== parsed.contentHash || !isComplete) throw new TokenExpiredError(parameter)
  if (offset === undefined) return { version: version + 1, offset: 0 }
  return { version, offset, ...(country !== undefined && { country }) }
}

/** The same for readers of one country, who take no token from between two pages of several. */
export function resolveCountryToken(catalog: Catalog, token: string, parameter = CHANGES_SINCE): JournalPlace {
  const place = resolveToken(catalog, token, parameter)
  if (place.country === undefined) return place
  throw toInvalidTokenError(parameter, 'is from between two pages of several countries; send the same country with it')
}

/** Whether a token is of a version that this catalog does not have yet: a replica may be behind the node that made it. */
export function isAhead(catalog: Catalog, token: string): boolean {
  return Number.parseInt(token, 10) > catalog.version()
}

/** The first version of which a reader behind a token has not seen everything. */
export function nextVersion(token: string): number {
  const [version, , ...place] = token.split('.')
  return Number(version) + (place.length === 0 ? 1 : 0)
}

function hasAllAfter(catalog: Catalog, version: number, current: number): boolean {
  return version === current || catalog.journal.find(version + 1) !== undefined
}

/** Changes of a slice: what is read in one turn of the event loop. */
const SLICE_CHANGES = 100

const MAX_CACHE_BYTES = 8 * 1024 * 1024

/** The size of a decoded change, about. */
const CHANGE_BYTES = 600

/** A change, and the token behind it. */
interface TokenedChange {
  readonly change: StoredChange
  readonly token: string
}

/** Changes of a country that follow each other in the journal. */
interface JournalSlice {
  readonly changes: readonly TokenedChange[]
  /** The token behind the slice. */
  readonly token: string
  /** Whether the journal has more behind it. */
  readonly hasMore: boolean
}

/**
 * Reads the journal of a country in slices, from a token on. Readers that follow the journal are all at its end, so they
 * read the same slices, however their filters differ: a cached slice is decoded once for all of them.
 */
export class JournalSlices {
  readonly cache = new VersionedCache<string, JournalSlice>({
    name: 'journal_slices',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ changes }, key) => 200 + 2 * key.length + CHANGE_BYTES * changes.length,
  })
  private readonly catalog: Catalog

  constructor(catalog: Catalog) {
    this.catalog = catalog
  }

  /** The slice behind a token. Throws for a token that is malformed or has expired. */
  read(country: string, token: string): JournalSlice {
    const version = this.catalog.version()
    const place = resolveCountryToken(this.catalog, token)
    const key = `${country}/${place.version}/${place.offset}`
    return this.cache.getOrCompute(key, version, () => this.readFrom(country, place, version))
  }

  private readFrom(country: string, place: JournalPlace, version: number): JournalSlice {
    const { catalog } = this
    const changes: TokenedChange[] = []
    let count = 0
    for (const entry of catalog.journal.changesFrom(place, country, version)) {
      if (count++ === SLICE_CHANGES) {
        const { version, offset } = entry
        return { changes, token: encodeToken(catalog, { version, offset }), hasMore: true }
      }
      if (entry.change === undefined) continue
      const token = encodeToken(catalog, { version: entry.version, offset: entry.offset + 1 })
      changes.push({ change: entry.change, token })
    }
    return { changes, token: currentToken(catalog), hasMore: false }
  }
}
