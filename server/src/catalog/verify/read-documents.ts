import { compareRuns, OPEN, type PlaceHistory, placeKey, type SeenRun } from '../../model/history.ts'
import { SHOW_TYPES, type Show, showItems } from '../../model/show.ts'
import type { Catalog } from '../catalog.ts'
import type { Facts } from '../documents/facts-codec.ts'
import { DamagedCatalogError, describeDamage } from '../storage/environment.ts'
import type { ProblemCollector } from './catalog-problems.ts'

/** Called with the documents read so far. */
export type OnDocument = (done: number) => void

/** All readable shows with their documents, in order. Documents that cannot be read become problems. */
export function* readDocuments(
  catalog: Catalog,
  problems: ProblemCollector,
  onDocument?: OnDocument,
): Iterable<readonly [doc: number, show: Show]> {
  let done = 0
  for (const doc of catalog.documents.docs()) {
    const show = readDocument(catalog, doc, problems)
    if (show !== undefined) yield [doc, show]
    onDocument?.(++done)
  }
}

function readDocument(catalog: Catalog, doc: number, problems: ProblemCollector): Show | undefined {
  try {
    const show = readShow(catalog, doc, problems)
    if (show === undefined) problems.add('documents', 'missing', `the texts of document ${doc}`)
    else if (!hasSameFacts(catalog.facts(doc), show)) {
      problems.add('documents', 'different', `the two records of document ${doc} are not of one show`)
    } else if (!isWellFormed(show)) {
      problems.add('documents', 'unreadable', `document ${doc} is no show`)
    } else return show
  } catch (error) {
    problems.add('documents', 'unreadable', describeDamage(error))
  }
  return undefined
}

/** A show; without its history if only that cannot be read. */
function readShow(catalog: Catalog, doc: number, problems: ProblemCollector): Show | undefined {
  try {
    return catalog.show(doc)
  } catch (error) {
    if (!(error instanceof DamagedCatalogError && error.table === 'history')) throw error
    problems.add('history', 'unreadable', error.problem)
    return catalog.documents.showWithoutHistory(doc)
  }
}

/** The history of a show is sorted by place, and the segments and runs of each place by time. */
export function checkHistory({ id, history = [] }: Show, problems: ProblemCollector): void {
  let last = ''
  for (const place of history) {
    const key = placeKey(place)
    if (key <= last) problems.add('history', 'different', `show ${id}: ${key} is out of order`)
    last = key
    if (!isInOrder(place)) problems.add('history', 'different', `show ${id}: the times of ${key} are out of order`)
  }
}

function isInOrder({ segments, seen = [] }: PlaceHistory): boolean {
  let end = 0
  const isSorted = segments.every(([from, to], i) => {
    const isNext = from >= end && (to === OPEN ? i === segments.length - 1 : to > from)
    end = to
    return isNext
  })
  return (
    isSorted && seen.every((run, i) => run[1] <= run[2] && (i === 0 || compareRuns(seen[i - 1] as SeenRun, run) < 0))
  )
}

/** What both the record of facts and that of texts hold. */
function hasSameFacts(facts: Facts | undefined, { id, showType, rating, originalTitle }: Show): boolean {
  return (
    facts?.id === id && facts.showType === showType && facts.rating === rating && facts.originalTitle === originalTitle
  )
}

/** Damaged bytes may decode to something. Indexes are built only of what has the form of a show. */
function isWellFormed({ id, showType, title, originalTitle, rating, genres, cast, imdbId, tmdbId }: Show): boolean {
  const texts = [title, originalTitle, imdbId, tmdbId, ...(Array.isArray(cast) ? cast : [undefined]), ...genres]
  return (
    Number.isSafeInteger(Number(id)) &&
    SHOW_TYPES.includes(showType) &&
    Number.isFinite(rating) &&
    texts.every((text) => typeof text === 'string')
  )
}

/** Records that belong to no document, and offers of seasons where the document has no outline of them. */
export function checkRecords(catalog: Catalog, showIds: Float64Array, problems: ProblemCollector): void {
  const { facts, texts, outlines, offers, seasonOffers, history = texts, checksums = texts } = catalog.environment
  for (const [name, table] of Object.entries({ texts, outlines, offers, seasonOffers, history, checksums })) {
    const needed = table === seasonOffers ? outlines : facts
    problems.attempt('documents', () => {
      for (const doc of table.getKeys({})) {
        if (!needed.doesExist(doc))
          problems.add('documents', 'unexpected', `${name} of document ${doc}, which is not there`)
      }
    })
  }
  problems.attempt('seen records', () => {
    for (const doc of catalog.environment.seenRecords.getKeys({})) checkSeenRecords(catalog, doc, showIds, problems)
  })
}

function checkSeenRecords(catalog: Catalog, doc: number, showIds: Float64Array, problems: ProblemCollector): void {
  try {
    for (const { id } of catalog.seenRecords.get(doc)) {
      if (Number(id) === showIds[doc]) continue
      problems.add('seen records', 'different', `document ${doc} has a record of show ${id}`)
    }
  } catch {
    problems.add('seen records', 'unreadable', `those of document ${doc}`)
  }
}

/** Services, addons, genres and countries that a show refers to exist. */
export function checkReferences(catalog: Catalog, show: Show, problems: ProblemCollector): void {
  const { services, genres, countries } = catalog.reference()
  const miss = (what: string) => problems.add('reference data', 'missing', `${what}, of show ${show.id}`)
  for (const genre of show.genres) if (!Object.hasOwn(genres, genre)) miss(`genre ${genre}`)
  for (const [, byCountry] of showItems(show)) {
    for (const [country, offers] of Object.entries(byCountry)) {
      if (!Object.hasOwn(countries, country)) miss(`country ${country}`)
      for (const { service, addon } of offers) {
        const known = Object.hasOwn(services, service) ? services[service]?.countries[country] : undefined
        if (known === undefined) miss(`service ${service} in ${country}`)
        else if (addon !== undefined && !known.addons.some(({ id }) => id === addon)) {
          miss(`addon ${addon} of ${service} in ${country}`)
        }
      }
    }
  }
}
