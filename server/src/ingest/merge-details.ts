import { EMPTY_IMAGE_SET, SHOW_IMAGE_KINDS, type ShowImageSet } from '../model/image.ts'
import { averageRating, type Ratings, type Show, type Translation, withRating } from '../model/show.ts'
import type { ShowStatement } from './statement.ts'

/** What a show says of itself: all but its ids, its offers and its parts. */
type Details = Omit<Show, 'id' | 'offers' | 'seasons' | 'formerIds'>

/**
 * What is known of a show itself after a statement about it. A statement replaces what was known, also by leaving it
 * out; a partial one leaves alone what it does not say.
 */
export function mergeDetails(before: Show | undefined, statement: ShowStatement, source: string): Details {
  const { kind, line, id, flawed, worded, countries, offers, seasons, formerIds, partial, ...said } = statement
  const kept = partial === true ? before : undefined
  const originalLanguage = said.originalLanguage ?? before?.originalLanguage
  const ratings = mergeRatings(before?.ratings ?? {}, statement, source)
  return {
    ...(kept !== undefined && optionalDetails(kept)),
    ...said,
    imdbId: said.imdbId !== '' ? said.imdbId : (before?.imdbId ?? ''),
    tmdbId: said.tmdbId !== '' ? said.tmdbId : (before?.tmdbId ?? ''),
    overview: said.overview ?? kept?.overview ?? '',
    imageSet: mergeImages(kept?.imageSet, said.imageSet),
    originalTitle: said.originalTitle ?? kept?.originalTitle ?? said.title,
    ...(originalLanguage !== undefined && { originalLanguage }),
    translations: mergeTranslations(before?.translations ?? {}, said.translations, kept !== undefined),
    genres: said.genres ?? kept?.genres ?? [],
    cast: said.cast ?? kept?.cast ?? [],
    rating: averageRating(ratings),
    ratings,
    popularity: said.popularity ?? before?.popularity ?? {},
  }
}

/** The details that a show may lack, as far as it has them. */
function optionalDetails(show: Show): Partial<Details> {
  const keys = ['year', 'lastAirYear', 'directors', 'creators', 'runtime', 'seasonCount', 'episodeCount'] as const
  return Object.fromEntries(keys.flatMap((key) => (show[key] === undefined ? [] : [[key, show[key]]])))
}

/** Each source has a part of its own, which only it can alter. */
function mergeRatings(before: Ratings, { rating, ratings, partial }: ShowStatement, source: string): Ratings {
  if (ratings !== undefined) return ratings
  if (rating === undefined && partial === true) return before
  return withRating(before, source, rating ?? 0)
}

function mergeImages(kept: ShowImageSet | undefined, said: ShowImageSet | undefined): ShowImageSet {
  if (kept === undefined || said === undefined) return said ?? kept ?? EMPTY_IMAGE_SET
  const isEmpty = (urls: object | undefined) => Object.values(urls ?? {}).every((url) => url === '')
  const kinds = SHOW_IMAGE_KINDS.flatMap(({ kind }) => {
    const urls = isEmpty(said[kind]) ? (kept[kind] ?? said[kind]) : said[kind]
    return urls === undefined ? [] : [[kind, urls]]
  })
  return Object.fromEntries(kinds) as ShowImageSet
}

/** A partial statement adds languages, and may name a title in one without knowing the overview. */
function mergeTranslations(
  before: Show['translations'],
  said: Show['translations'] | undefined,
  partial: boolean,
): Show['translations'] {
  if (said === undefined || !partial) return said ?? before
  const merged: Record<string, Translation> = { ...before }
  for (const [language, text] of Object.entries(said)) {
    merged[language] = { ...before[language], ...text, overview: text.overview || (before[language]?.overview ?? '') }
  }
  return merged
}
