import Type from '../../lib/json-schema.ts'
import { toAlpha3Language } from '../../model/language.ts'
import { isCurrency, MAX_TIMESTAMP, OFFER_TYPES, type OfferType, type Price, QUALITIES } from '../../model/offer.ts'
import type { FilterQuery, OptionFilter, SubtitleChoice } from '../../query/queries.ts'
import { ApiError } from '../exchange/errors.ts'
import { optionalWithDefault, type ParameterValues, rejectValue } from '../request/parameter-parser.ts'
import { type EndpointContext, omitUndefined } from './endpoint.ts'
import * as shared from './shared-parameters.ts'
import {
  checkOrder,
  resolveCatalogs,
  resolveCountries,
  resolveGenres,
  resolveIds,
  resolveLanguage,
} from './shared-parameters.ts'

const rating = (which: string) =>
  Type.Integer({ minimum: 0, maximum: 100, description: `${which} rating, from 0 to 100.`, examples: [75] })

export const year = (which: string) =>
  Type.Integer({ description: `${which} release year of a movie, or first air year of a series.`, examples: [1999] })

const runtime = (which: string) =>
  Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: `${which} runtime in minutes, from 0 to 10000. Only movies whose runtime is known have one.`,
    examples: [90],
  })

const instant = (description: string) =>
  Type.Integer({ format: 'int64', minimum: 0, maximum: MAX_TIMESTAMP, description, examples: [1_767_225_600] })

const MAX_LANGUAGES = 16
const MAX_GENRES = 32

/** Said of every filter on options. */
const SAME_OPTION = 'All filters on options, `catalogs` included, must hold for one and the same option.'

/** Filters on the options of a show. They look at the options of the show itself, not at those of its seasons. */
const optionFilters = {
  option_types: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: OFFER_TYPES.length,
      description: `Types of options on any service, at least one of which a show must have: ${OFFER_TYPES.join(', ')}. ${SAME_OPTION}`,
      examples: [['subscription', 'free']],
    }),
  ),
  audios: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: MAX_LANGUAGES,
      description: `Up to ${MAX_LANGUAGES} languages (ISO 639-1 or 639-2), one of which the option must have as audio. ${SAME_OPTION}`,
      examples: [['fr', 'deu']],
    }),
  ),
  subtitles: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: MAX_LANGUAGES,
      description:
        `Up to ${MAX_LANGUAGES} languages (ISO 639-1 or 639-2), one of which the option must have as subtitles; with \`-cc\` behind ` +
        `it, as closed captions. ${SAME_OPTION}`,
      examples: [['en-cc', 'spa']],
    }),
  ),
  quality_min: Type.Optional(
    Type.Enum(QUALITIES, {
      type: 'string',
      description: `The least video quality; an option whose quality is not known has none. ${SAME_OPTION}`,
      examples: ['hd'],
    }),
  ),
  price_max: Type.Optional(
    Type.String({
      pattern: '^\\d{1,12}(\\.\\d{1,4})?$',
      description: `The highest price to rent or buy; needs \`currency\`. Options without a price do not match. ${SAME_OPTION}`,
      examples: ['3.99'],
    }),
  ),
  currency: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{3}$',
      description: 'ISO 4217 code of the currency of `price_max`. Prices in other currencies do not match.',
      examples: ['USD'],
    }),
  ),
  available_since_min: Type.Optional(
    instant(`The option was first seen at this time (Unix seconds) or later: what is new. ${SAME_OPTION}`),
  ),
  leaving_before: Type.Optional(
    instant(`The option ends before this time (Unix seconds), which must be known: what is leaving. ${SAME_OPTION}`),
  ),
}

/** The filters of a filter search. */
export const filterParameters = {
  country: shared.countries(),
  catalogs: Type.Optional(shared.catalogs),
  output_language: shared.outputLanguage,
  show_type: Type.Optional(shared.showType),
  genres: Type.Optional(shared.genres),
  genres_relation: optionalWithDefault(
    Type.Enum(['or', 'and'], {
      type: 'string',
      default: 'and',
      description: 'Whether a show must have one of the genres or all of them.',
    }),
  ),
  show_original_language: Type.Optional(
    Type.String({ description: 'ISO 639-1 code of the original language, in any case.', examples: ['en'] }),
  ),
  year_min: Type.Optional(year('Least')),
  year_max: Type.Optional(year('Greatest')),
  rating_min: Type.Optional(rating('Least')),
  rating_max: Type.Optional(rating('Greatest')),
  keyword: Type.Optional(
    Type.String({ description: 'Words that all occur in the title or the overview.', examples: ['zombie'] }),
  ),
  people: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 8,
      description:
        'Names of people, all of whom must be in the cast, or direct, or have created the show. Case, accents and the ' +
        'order of the words make no difference; a name that nobody has is taken for the nearest one.',
      examples: [['Al Pacino']],
    }),
  ),
  runtime_min: Type.Optional(runtime('Least')),
  runtime_max: Type.Optional(runtime('Greatest')),
  seasons_max: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'The most seasons, from 1 to 10000. Only series whose count of seasons is known have one.',
      examples: [3],
    }),
  ),
  exclude_genres: Type.Optional({
    ...shared.genres,
    maxItems: MAX_GENRES,
    description: `Ids of up to ${MAX_GENRES} genres, from \`/genres\`, none of which a show may have.`,
    examples: [['horror']],
  }),
  ids: Type.Optional(shared.ids('Only these shows. ')),
  exclude_ids: Type.Optional(shared.ids('None of these shows. ')),
  ...optionFilters,
}

const schema = Type.Object(filterParameters)

/** The values of the filters. */
export type FilterValues = ParameterValues<typeof schema>

/** The part of a query that the filters make. */
type Filters = Omit<FilterQuery, 'kind' | 'granularity' | 'order' | 'direction' | 'seed' | 'limit' | 'cursor'>

/** Builds the filters of a query from their values, or throws an ApiError, also for a range that is reversed. */
export function toFilters(given: FilterValues, context: EndpointContext, rejectReversed = checkOrder): Filters {
  const { names } = context
  const countries = resolveCountries(given.country, names)
  const catalogs = given.catalogs === undefined ? [] : resolveCatalogs(given.catalogs, countries, context)
  const genres = given.genres === undefined ? [] : resolveGenres(given.genres, names)
  const originalLanguage =
    given.show_original_language === undefined ? undefined : resolveLanguage(given.show_original_language)
  rejectReversed('year_min', given.year_min, 'year_max', given.year_max)
  rejectReversed('rating_min', given.rating_min, 'rating_max', given.rating_max)
  rejectReversed('runtime_min', given.runtime_min, 'runtime_max', given.runtime_max)
  return {
    countries,
    catalogs,
    genres,
    people: given.people ?? [],
    genresRelation: given.genres_relation,
    language: given.output_language,
    showType: given.show_type,
    originalLanguage,
    yearMin: given.year_min,
    yearMax: given.year_max,
    ratingMin: given.rating_min,
    ratingMax: given.rating_max,
    keyword: given.keyword,
    runtimeMin: given.runtime_min,
    runtimeMax: given.runtime_max,
    seasonsMax: given.seasons_max,
    excludeGenres: given.exclude_genres && resolveGenres(given.exclude_genres, names, 'exclude_genres'),
    ids: given.ids && resolveIds('ids', given.ids, context),
    excludeIds: given.exclude_ids && resolveIds('exclude_ids', given.exclude_ids, context),
    options: toOptionFilter(given, context),
  }
}

const OPTION_FILTER_NAMES = Object.keys(optionFilters) as (keyof typeof optionFilters)[]

/** The filters on options; undefined if there are none. */
function toOptionFilter(given: FilterValues, context: EndpointContext): OptionFilter | undefined {
  if (OPTION_FILTER_NAMES.every((name) => given[name] === undefined)) return undefined
  const filter: OptionFilter = omitUndefined({
    types: given.option_types?.map(resolveOptionType),
    audios: given.audios?.map((text) => resolveTrackLanguage('audios', text, text)),
    subtitles: given.subtitles?.map(resolveSubtitle),
    qualityMin: given.quality_min,
    priceMax: resolvePrice(given, context),
    availableSinceMin: given.available_since_min,
    leavingBefore: given.leaving_before,
  })
  return Object.keys(filter).length === 0 ? undefined : filter
}

function resolveOptionType(text: string): OfferType {
  const type = OFFER_TYPES.find((one) => one === text.toLowerCase())
  return type ?? rejectValue('option_types', text, `a list of ${OFFER_TYPES.join(', ')}`)
}

/** The ISO 639-3 code of the language in an entry. */
function resolveTrackLanguage(parameter: 'audios' | 'subtitles', code: string, entry: string): string {
  const captions = parameter === 'subtitles' ? ', with -cc behind it for closed captions' : ''
  const expected = `a list of languages, each an ISO 639-1 or 639-2 code, such as en or eng${captions}`
  return toAlpha3Language(code) ?? rejectValue(parameter, entry, expected)
}

function resolveSubtitle(entry: string): SubtitleChoice {
  const captions = entry.toLowerCase().endsWith('-cc')
  return { language: resolveTrackLanguage('subtitles', captions ? entry.slice(0, -3) : entry, entry), captions }
}

function resolvePrice(given: FilterValues, context: EndpointContext): Price | undefined {
  const { price_max: amount, currency } = given
  const code = currency?.toUpperCase()
  if (currency !== undefined && !isCurrency(code as string)) {
    rejectValue('currency', currency, 'an ISO 4217 code, such as USD')
  }
  if (amount === undefined) {
    if (currency !== undefined) context.ignore({ parameter: 'currency', text: currency, suggest: () => undefined })
    return undefined
  }
  if (code === undefined) {
    const message = 'The parameter "price_max" needs "currency"; add currency=… to the query, such as currency=USD.'
    throw new ApiError('missing_parameter', message, { parameter: 'currency' })
  }
  return { amount, currency: code }
}
