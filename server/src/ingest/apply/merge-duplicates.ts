import { type Offer, type OffersByCountry, offerGroupKey } from '../../model/offer.ts'
import { averageRating, mapItems, type Season, type Show } from '../../model/show.ts'

/**
 * A show that takes another one in, since the two turned out to be one: it keeps its own id and what it says of
 * itself, gets the ids that it lacked, the ratings of sources that had rated the other one only, and the offers that it
 * does not have.
 */
export function mergeDuplicates(show: Show, absorbed: Show): Show {
  const seasons = mergeDuplicateSeasons(show.seasons, absorbed.seasons)
  const ratings = { ...absorbed.ratings, ...show.ratings }
  return {
    ...show,
    imdbId: show.imdbId !== '' ? show.imdbId : absorbed.imdbId,
    tmdbId: show.tmdbId !== '' ? show.tmdbId : absorbed.tmdbId,
    rating: averageRating(ratings),
    ratings,
    translations: { ...absorbed.translations, ...show.translations },
    popularity: { ...absorbed.popularity, ...show.popularity },
    offers: mergeDuplicateOffers(show.offers, absorbed.offers),
    ...(seasons !== undefined && { seasons }),
    formerIds: [...new Set([...(show.formerIds ?? []), absorbed.id, ...(absorbed.formerIds ?? [])])],
  }
}

/** A show without any offers and without ids that lead to it from outside. */
export function stripShow(show: Show): Show {
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
        : zipByPosition(season.episodes, same.episodes, (episode, twin) => ({
            ...episode,
            offers: mergeDuplicateOffers(episode.offers, twin.offers),
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

/** What a source has said of both in the same way is one offer; all else can be watched as before. */
function mergeDuplicateOffers(own: OffersByCountry, other: OffersByCountry): OffersByCountry {
  const joined: Record<string, readonly Offer[]> = { ...own }
  for (const country in other) {
    const known = own[country] ?? []
    const more = (other[country] ?? []).filter((offer) => !known.some((one) => isSameOffer(one, offer)))
    joined[country] = [...known, ...more]
  }
  return joined
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
