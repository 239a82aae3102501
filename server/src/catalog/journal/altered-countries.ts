import { isDeepStrictEqual } from 'node:util'
import { isLive, type Offer, type OffersByCountry } from '../../model/offer.ts'
import { type Show, showItems } from '../../model/show.ts'

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
