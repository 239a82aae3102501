import { mergeDecisions, mergeLinks } from '../../model/identity.ts'
import { type Offer, type OffersByCountry, offerGroupKey } from '../../model/offer.ts'
import { averageRating, mapItems, type Season, type Show } from '../../model/show.ts'
import { joinHistories } from '../rules/record-history.ts'

/**
 * Merges a duplicate into a show. The show keeps its own id and details, and gets from the duplicate the external ids that
 * it lacks, the ratings of sources that had not rated it, and the offers that it does not have.
 */
export function mergeDuplicates(show: Show, duplicate: Show): Show {
  const history = joinHistories(show, duplicate)
  const seasons = mergeDuplicateSeasons(show.seasons, duplicate.seasons)
  const ratings = { ...duplicate.ratings, ...show.ratings }
  const aliases = [...new Set([...(show.aliases ?? []), ...(duplicate.aliases ?? [])])]
  const records = mergeLinks(show.records, duplicate.records)
  const { decisions: _, ...rest } = show
  const decisions = mergeDecisions(show, duplicate)
  return {
    ...rest,
    imdbId: show.imdbId !== '' ? show.imdbId : duplicate.imdbId,
    tmdbId: show.tmdbId !== '' ? show.tmdbId : duplicate.tmdbId,
    rating: averageRating(ratings),
    ratings,
    translations: { ...duplicate.translations, ...show.translations },
    ...(aliases.length > 0 && { aliases }),
    popularity: { ...duplicate.popularity, ...show.popularity },
    offers: mergeDuplicateOffers(show.offers, duplicate.offers),
    ...(seasons !== undefined && { seasons }),
    formerIds: [...new Set([...(show.formerIds ?? []), duplicate.id, ...(duplicate.formerIds ?? [])])],
    ...(records !== undefined && { records }),
    ...(decisions !== undefined && { decisions }),
    ...(history !== undefined && { history }),
  }
}

/** What is left of a show that was merged into another: found by no query, and all that an undo needs. */
export function toTombstone(show: Show, into: string): Show {
  const mergedIds = [show.imdbId, show.tmdbId, ...(show.formerIds ?? [])].filter((id) => id !== '')
  return { ...stripShow(show), deleted: true, mergedInto: into, ...(mergedIds.length > 0 && { mergedIds }) }
}

/** A show without offers and without external ids. */
function stripShow(show: Show): Show {
  const { formerIds, ...rest } = mapItems(show, () => ({}))
  return { ...rest, imdbId: '', tmdbId: '' }
}

function mergeDuplicateSeasons(
  own: readonly Season[] | undefined,
  other: readonly Season[] | undefined,
): readonly Season[] | undefined {
  if (own === undefined || other === undefined) return own ?? other
  return zipByPosition(own, other, (season, same) => {
    const episodes =
      season.episodes === undefined || same.episodes === undefined
        ? (season.episodes ?? same.episodes)
        : zipByPosition(season.episodes, same.episodes, (episode, same) => ({
            ...episode,
            offers: mergeDuplicateOffers(episode.offers, same.offers),
          }))
    return {
      ...season,
      offers: mergeDuplicateOffers(season.offers, same.offers),
      ...(episodes !== undefined && { episodes }),
    }
  })
}

function zipByPosition<T>(own: readonly T[], other: readonly T[], join: (own: T, other: T) => T): T[] {
  return Array.from({ length: Math.max(own.length, other.length) }, (_, i) => {
    const [a, b] = [own[i], other[i]]
    return a !== undefined && b !== undefined ? join(a, b) : ((a ?? b) as T)
  })
}

/** Adds the offers of the duplicate; an offer that both have from the same source is kept once. */
function mergeDuplicateOffers(own: OffersByCountry, other: OffersByCountry): OffersByCountry {
  const merged: Record<string, readonly Offer[]> = { ...own }
  for (const country in other) {
    const known = own[country] ?? []
    const more = (other[country] ?? []).filter((offer) => !known.some((one) => isSameOffer(one, offer)))
    merged[country] = [...known, ...more]
  }
  return merged
}

function isSameOffer(one: Offer, other: Offer): boolean {
  return (
    one.source === other.source &&
    offerGroupKey(one) === offerGroupKey(other) &&
    one.link === other.link &&
    one.quality === other.quality &&
    one.startsOn === other.startsOn
  )
}
