import Type from '../../lib/json-schema.ts'
import { PAST_CHANGE_TYPES, type PastChangeType } from '../../model/change.ts'
import { CHANGE_WINDOW_DAYS, endOfDay, SECONDS_PER_DAY, startOfDay } from '../../model/time.ts'
import type { FeedQuery } from '../../query/queries.ts'
import type { ReferenceNames } from '../../render/query-engine.ts'
import { omitUndefined } from '../api/endpoint.ts'
import * as shared from '../api/shared-parameters.ts'
import { ID_FORMS, isAnyShowId, resolveCatalogs, resolveCountry, resolveGenres } from '../api/shared-parameters.ts'
import { createParameterParser, rejectValue } from '../request/parameter-parser.ts'

/** The feeds, by the last part of their addresses. */
export const FEED_NAMES = ['changes.atom', 'changes.json', 'new.ics', 'leaving.ics'] as const
export type FeedName = (typeof FEED_NAMES)[number]

const MAX_GENRES = 20

/** Entries of a feed, and events of a calendar. */
const MAX_FEED_CHANGES = 200
const MAX_CALENDAR_CHANGES = 1_000

const parser = createParameterParser(
  Type.Object({
    country: shared.country,
    catalogs: Type.Optional(shared.catalogs),
    genres: Type.Optional({ ...shared.genres, maxItems: MAX_GENRES }),
    show_type: Type.Optional(shared.showType),
    show: Type.Optional(Type.String()),
    change_type: Type.Optional(Type.Array(Type.Enum(PAST_CHANGE_TYPES, { type: 'string' }), { minItems: 1 })),
    output_language: shared.outputLanguage,
  }),
)

/** What a feed is about. */
export interface FeedFilter extends Pick<FeedQuery, 'country' | 'catalogs' | 'genres' | 'showType' | 'language'> {
  readonly showId?: string
  /** For feeds of past changes; `new` and `removed` by default. */
  readonly changeTypes: readonly PastChangeType[]
}

/** Parses the query string of a feed. Names that it does not know are an error: a filter that is ignored misleads. */
export function parseFeedFilter(search: string, names: ReferenceNames): FeedFilter {
  const given = parser.parse(parser.scan(search, true))
  if (given.show !== undefined && !isAnyShowId(given.show)) rejectValue('show', given.show, ID_FORMS)
  const country = resolveCountry(given.country, names)
  const context = { names, strict: true, ignore: () => {} }
  return {
    country,
    catalogs: given.catalogs === undefined ? [] : resolveCatalogs(given.catalogs, country, context),
    genres: given.genres === undefined ? [] : resolveGenres(given.genres, names),
    ...omitUndefined({ showType: given.show_type, showId: given.show }),
    changeTypes: PAST_CHANGE_TYPES.filter((type) => (given.change_type ?? ['new', 'removed']).includes(type)),
    language: given.output_language,
  }
}

/** The queries of a feed at an instant. Seasons are included, episodes would be too many. */
export function feedQueries(name: FeedName, { changeTypes, ...filter }: FeedFilter, now: number): FeedQuery[] {
  const reach = CHANGE_WINDOW_DAYS * SECONDS_PER_DAY
  const shared = { ...filter, itemTypes: ['show', 'season'] as const }
  const past = { ...shared, from: startOfDay(now) - reach, to: now, direction: 'desc' as const }
  const ahead = { ...shared, from: now, to: endOfDay(now) + reach, direction: 'asc' as const }
  switch (name) {
    case 'new.ics':
      return [
        { ...past, changeTypes: ['new'], limit: MAX_CALENDAR_CHANGES },
        { ...ahead, changeTypes: ['upcoming'], limit: MAX_CALENDAR_CHANGES },
      ]
    case 'leaving.ics':
      return [{ ...ahead, changeTypes: ['expiring'], limit: MAX_CALENDAR_CHANGES }]
    default:
      return [{ ...past, changeTypes, limit: MAX_FEED_CHANGES }]
  }
}
