import type { Catalog } from '../../catalog/catalog.ts'
import type { JournaledChange } from '../../catalog/journal/commit-journal.ts'

/*
 * A place in the journal of commits, as clients store it: all before it was read.
 *   <version>.<content hash>            behind a whole version
 *   <version>.<content hash>.<offset>   within a version, behind that many of its changes in the country that was asked for
 *   <version>.<content hash>.<country>.<offset>   the same of several countries, which come in ascending order
 * The content hash tells whether the version is one of this catalog: a restored backup may have made another.
 */

/** Thrown for a token that cannot be parsed. */
export class InvalidTokenError extends Error {
  override readonly name = 'InvalidTokenError'
}

/** Thrown for a token whose version the journal no longer has, or never had. */
export class TokenExpiredError extends Error {
  override readonly name = 'TokenExpiredError'
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

/**
 * The place that a token names. Throws for a token that is malformed, or whose version is not in the journal.
 * @param needs of commits before the copy of a replica was made, the journal has the changes but not the documents
 */
export function resolveToken(
  catalog: Catalog,
  token: string,
  needs: 'changes' | 'documents' = 'changes',
): JournalPlace {
  const match = /^(\d{1,10})\.([0-9a-z]{1,32})(?:\.(?:([a-z]{2})\.)?(\d{1,9}))?$/.exec(token)
  if (match === null) {
    throw new InvalidTokenError('The token in "since" cannot be read; send the one of the last answer, or now')
  }
  const version = Number(match[1])
  const current = catalog.version()
  const contentHash = version === current ? catalog.contentHash() : catalog.journal.find(version)?.contentHash
  const hasDocuments = needs === 'changes' || version === current || catalog.journal.hasDocuments(version)
  if (version > current || contentHash !== match[2] || !hasAllAfter(catalog, version, current) || !hasDocuments) {
    throw new TokenExpiredError(
      'What happened after the token in "since" is no longer kept, or not known here. Start again: get the whole of ' +
        'the country from /catalog/export, or a new token by since=now.',
    )
  }
  if (match[4] === undefined) return { version: version + 1, offset: 0 }
  return { version, offset: Number(match[4]), ...(match[3] !== undefined && { country: match[3] }) }
}

/** The same for readers of one country, who take no token from between two pages of several. */
export function resolveCountryToken(catalog: Catalog, token: string): JournalPlace {
  const place = resolveToken(catalog, token)
  if (place.country === undefined) return place
  throw new InvalidTokenError(
    'The token in "since" is from between two pages of several countries; send the same country with it',
  )
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
