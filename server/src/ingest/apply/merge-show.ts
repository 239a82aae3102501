import { pickIdentity } from '../../model/identity.ts'
import type { Offer, OffersByCountry } from '../../model/offer.ts'
import {
  averageRating,
  EMPTY_IMAGE_SET,
  type Episode,
  type Ratings,
  type Season,
  SHOW_IMAGE_KINDS,
  type Show,
  type ShowImageSet,
  type Translation,
  withRating,
} from '../../model/show.ts'
import {
  isInScope,
  type ParsedEpisode,
  type ParsedOffers,
  recordOffers,
  type ShowRecord,
} from '../parse/feed-record.ts'
import { type PageLinks, rollUpOffers } from '../rules/roll-up.ts'
import { FieldPrecedence } from './field-precedence.ts'
import { type MergeContext, mergeOffers } from './merge-offers.ts'

/**
 * Merges a record into the show that it is about. Details are replaced by those of the record, unless they come from a
 * source of better rank; offers only if they are of the same source and within the scope. What a series has for its parts is then rolled up anew; an export states that, too.
 */
export function mergeShow(id: string, before: Show | undefined, record: ShowRecord, context: MergeContext): Show {
  const { source, appliesWindows: isDerived } = context
  const sources = collectSources(record, source)
  const covers = (country: string, offer: Offer) =>
    sources.has(offer.source) &&
    !(isDerived && offer.rolledUp !== undefined) &&
    isInScope(context.scope, country, offer.service) &&
    record.countries?.has(country) !== false
  const merge: OfferMerger = (old, parsed) => mergeOffers(old ?? {}, parsed, covers, context)
  // An old export has one rating without its source: it is credited to the source of the offers.
  const [, rater = source] = sources
  const allFormerIds = new Set([...(before?.formerIds ?? []), ...(record.formerIds ?? [])])
  const formerIds = [...allFormerIds].filter((former) => former !== id)
  const { fieldSources: _, fieldSharers: _s, ...identity } = pickIdentity(before ?? {})
  const details = mergeDetails(before, record, rater)
  // An export says itself which source each field comes from.
  const precedence = isDerived ? new FieldPrecedence(before, record, source, context.ranks) : undefined
  const show: Show = {
    ...identity,
    ...(precedence?.restore(details) ?? details),
    id,
    offers: merge(before?.offers, record.offers),
    ...optional('seasons', mergeSeasons(before?.seasons, record, merge, precedence?.decides('seasons') === false)),
    ...optional('formerIds', formerIds.length > 0 ? formerIds : undefined),
    ...optional('history', record.history ?? before?.history),
  }
  if (precedence === undefined) {
    const { fieldSources, fieldSharers } = record
    return { ...show, ...optional('fieldSources', fieldSources), ...optional('fieldSharers', fieldSharers) }
  }
  const sourced = { ...show, ...precedence.provenance(show) }
  return rollUpOffers(sourced, pageLinks(record, source))
}

function pageLinks({ link, seasons = [] }: ShowRecord, source: string): PageLinks {
  return { source, series: link, seasons: seasons.map((season) => season.link) }
}

/** The sources that the record speaks for: the feed's own, and those that its offers name. */
function collectSources(record: ShowRecord, source: string): Set<string> {
  const sources = new Set([source])
  for (const byCountry of recordOffers(record)) {
    for (const offers of Object.values(byCountry)) {
      for (const offer of offers) if (offer.source !== undefined) sources.add(offer.source)
    }
  }
  return sources
}

function optional<K extends string, T>(key: K, value: T | undefined): { [key in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]: T })
}

type OfferMerger = (old: OffersByCountry | undefined, parsed: ParsedOffers) => OffersByCountry

/**
 * Merges seasons by their number. A record without seasons leaves them as they are. One with fewer than are known removes
 * the last ones if they have no offer left, unless the record is partial. With `keepsTexts`, only offers and what is not
 * known yet are taken.
 */
function mergeSeasons(
  before: readonly Season[] | undefined,
  { seasons: parsed, showType, ...record }: ShowRecord,
  merge: OfferMerger,
  keepsTexts: boolean,
): Season[] | undefined {
  if (showType === 'movie') return undefined
  const isPartial = record.partial === true
  if (parsed === undefined) return before === undefined ? undefined : [...before]
  return mergeByPosition(before ?? [], parsed, isPartial, (old, season, number) => {
    const kept = isPartial || season === undefined ? old : undefined
    const episodes = season === undefined ? [] : season.episodes
    const [first, second] = keepsTexts && old !== undefined ? [old, season] : [season, kept]
    return {
      title: first?.title ?? second?.title ?? `Season ${number}`,
      firstAirYear: first?.firstAirYear ?? second?.firstAirYear ?? 0,
      lastAirYear: first?.lastAirYear ?? second?.lastAirYear ?? 0,
      offers: merge(old?.offers, season?.offers ?? {}),
      ...optional('episodes', mergeEpisodes(old?.episodes, episodes, isPartial, merge, keepsTexts)),
    }
  })
}

function mergeEpisodes(
  before: readonly Episode[] | undefined,
  parsed: readonly ParsedEpisode[] | undefined,
  isPartial: boolean,
  merge: OfferMerger,
  keepsTexts: boolean,
): Episode[] | undefined {
  if (parsed === undefined) return before === undefined ? undefined : [...before]
  return mergeByPosition(before ?? [], parsed, isPartial, (old, episode, number) => {
    const kept = isPartial || episode === undefined ? old : undefined
    const [first, second] = keepsTexts && old !== undefined ? [old, episode] : [episode, kept]
    return {
      title: first?.title ?? second?.title ?? `Episode ${number}`,
      ...optional('overview', first?.overview ?? second?.overview),
      airYear: first?.airYear ?? second?.airYear ?? 0,
      offers: merge(old?.offers, episode?.offers ?? {}),
    }
  })
}

/**
 * Merges two lists by position. Items at the end that only the old list has, and that have no offer left, are removed,
 * unless the record is partial.
 */
function mergeByPosition<Old extends { offers: OffersByCountry }, Parsed>(
  before: readonly Old[],
  parsed: readonly Parsed[],
  isPartial: boolean,
  merge: (old: Old | undefined, item: Parsed | undefined, number: number) => Old,
): Old[] {
  const length = Math.max(before.length, parsed.length)
  const merged = Array.from({ length }, (_, i) => merge(before[i], parsed[i], i + 1))
  while (!isPartial && merged.length > parsed.length && isEmpty(merged.at(-1) as Old)) merged.pop()
  return merged
}

/** Whether an item has no stated offer; what was rolled up from its episodes goes with theirs. */
function isEmpty({ offers, episodes = [] }: { offers: OffersByCountry; episodes?: readonly Episode[] }): boolean {
  return (
    Object.values(offers).every((list) => list.every(({ rolledUp }) => rolledUp !== undefined)) &&
    episodes.every(isEmpty)
  )
}

/** The fields of a show other than its own ids, offers and seasons. */
type Details = Omit<Show, 'id' | 'offers' | 'seasons' | 'formerIds'>

/** Replaces the details of a show. A field that the record lacks is deleted; if the record is partial, it is kept. */
function mergeDetails(before: Show | undefined, record: ShowRecord, source: string): Details {
  const {
    kind,
    line,
    id,
    recordId,
    isFlawed,
    digest,
    countries,
    offers,
    link,
    seasons,
    formerIds,
    history,
    partial,
    aliases: _,
    ...details
  } = record
  const kept = partial === true ? before : undefined
  const originalLanguage = details.originalLanguage ?? before?.originalLanguage
  const ratings = mergeRatings(before?.ratings ?? {}, record, source)
  const aliases = mergeAliases(before?.aliases ?? [], record)
  return {
    ...(kept !== undefined && optionalDetails(kept)),
    ...details,
    imdbId: details.imdbId !== '' ? details.imdbId : (before?.imdbId ?? ''),
    tmdbId: details.tmdbId !== '' ? details.tmdbId : (before?.tmdbId ?? ''),
    overview: details.overview ?? kept?.overview ?? '',
    imageSet: mergeImages(kept?.imageSet, details.imageSet),
    originalTitle: details.originalTitle ?? kept?.originalTitle ?? details.title,
    ...(originalLanguage !== undefined && { originalLanguage }),
    translations: mergeTranslations(before?.translations ?? {}, details.translations, kept !== undefined),
    ...(aliases.length > 0 && { aliases }),
    genres: details.genres ?? kept?.genres ?? [],
    cast: details.cast ?? kept?.cast ?? [],
    rating: averageRating(ratings),
    ratings,
    popularity: details.popularity ?? before?.popularity ?? {},
  }
}

/** The optional details that a show has. */
function optionalDetails(show: Show): Partial<Details> {
  const keys = ['year', 'lastAirYear', 'directors', 'creators', 'runtime', 'seasonCount', 'episodeCount'] as const
  return Object.fromEntries(keys.flatMap((key) => (show[key] === undefined ? [] : [[key, show[key]]])))
}

/** A record without alternative titles leaves them as they are; a partial one adds to them. */
function mergeAliases(before: readonly string[], { aliases, partial }: ShowRecord): readonly string[] {
  return aliases === undefined ? before : partial === true ? [...new Set([...before, ...aliases])] : aliases
}

/** Each source has one rating, which only its own records change. */
function mergeRatings(before: Ratings, { rating, ratings, partial }: ShowRecord, source: string): Ratings {
  if (ratings !== undefined) return ratings
  if (rating === undefined && partial === true) return before
  return withRating(before, source, rating ?? 0)
}

function mergeImages(kept: ShowImageSet | undefined, parsed: ShowImageSet | undefined): ShowImageSet {
  if (kept === undefined || parsed === undefined) return parsed ?? kept ?? EMPTY_IMAGE_SET
  const isEmpty = (urls: object | undefined) => Object.values(urls ?? {}).every((url) => url === '')
  const kinds = SHOW_IMAGE_KINDS.flatMap(({ kind }) => {
    const urls = isEmpty(parsed[kind]) ? (kept[kind] ?? parsed[kind]) : parsed[kind]
    return urls === undefined ? [] : [[kind, urls]]
  })
  return Object.fromEntries(kinds) as ShowImageSet
}

/** A partial record adds languages, and may have a title in one without an overview. */
function mergeTranslations(
  before: Show['translations'],
  parsed: Show['translations'] | undefined,
  isPartial: boolean,
): Show['translations'] {
  if (parsed === undefined || !isPartial) return parsed ?? before
  const merged: Record<string, Translation> = { ...before }
  for (const [language, text] of Object.entries(parsed)) {
    merged[language] = { ...before[language], ...text, overview: text.overview || (before[language]?.overview ?? '') }
  }
  return merged
}
