import Type from 'typebox'
import { MAX_PEOPLE } from '../../query/people-search.ts'
import { defaultDirection, SHOW_ORDERS } from '../../query/queries.ts'
import { MAX_TITLES } from '../../query/titles/title-search.ts'
import { optionalWithDefault } from '../request/parameter-parser.ts'
import { defineEndpoint, omitUndefined } from './endpoint.ts'
import { refTo } from './schemas.ts'
import * as shared from './shared-parameters.ts'
import { checkOrder, resolveCatalogs, resolveCountry, resolveGenres, resolveLanguage } from './shared-parameters.ts'

const rating = (which: string) =>
  Type.Integer({ minimum: 0, maximum: 100, description: `${which} rating, from 0 to 100.`, examples: [75] })
const year = (which: string) =>
  Type.Integer({ description: `${which} release year of a movie, or first air year of a series.`, examples: [1999] })

/** Shows of a country's catalogs that pass all filters. */
export const searchShowsByFilters = defineEndpoint({
  path: '/shows/search/filters',
  routes: ['/shows/search/filters'],
  operationId: 'searchShowsByFilters',
  tag: 'Shows',
  summary: 'Search shows by filters',
  description:
    "Shows of a country's catalogs that pass all filters, a page at a time. A page holds 20 shows when only movies are asked " +
    'for or the granularity is `show`, 10 when only series are asked for at granularity `episode`, and 15 otherwise.',
  pathParameters: Type.Object({}),
  parameters: Type.Object({
    country: shared.country,
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
    series_granularity: shared.seriesGranularity('show'),
    order_by: optionalWithDefault(
      Type.Enum(SHOW_ORDERS, {
        type: 'string',
        default: 'original_title',
        description: 'What the shows are ordered by; popularity is that in the country.',
      }),
    ),
    order_direction: Type.Optional(
      shared.orderDirection('By default ascending for titles and dates, descending for rating and popularity.'),
    ),
    cursor: Type.Optional(shared.cursor),
  }),
  response: refTo('SearchResult'),
  responseDescription: 'A page of shows.',
  toQuery(given, _path, context) {
    const { names } = context
    const country = resolveCountry(given.country, names)
    const catalogs = given.catalogs === undefined ? [] : resolveCatalogs(given.catalogs, country, context)
    const genres = given.genres === undefined ? [] : resolveGenres(given.genres, names)
    const originalLanguage =
      given.show_original_language === undefined ? undefined : resolveLanguage(given.show_original_language)
    checkOrder('year_min', given.year_min, 'year_max', given.year_max)
    checkOrder('rating_min', given.rating_min, 'rating_max', given.rating_max)
    const order = given.order_by
    return {
      kind: 'filter',
      country,
      catalogs,
      genres,
      people: given.people ?? [],
      genresRelation: given.genres_relation,
      granularity: given.series_granularity,
      order,
      direction: given.order_direction ?? defaultDirection(order),
      language: given.output_language,
      ...omitUndefined({
        showType: given.show_type,
        originalLanguage,
        yearMin: given.year_min,
        yearMax: given.year_max,
        ratingMin: given.rating_min,
        ratingMax: given.rating_max,
        keyword: given.keyword,
        cursor: given.cursor,
      }),
    }
  },
})

/** Shows by title. */
export const searchShowsByTitle = defineEndpoint({
  path: '/shows/search/title',
  routes: ['/shows/search/title'],
  operationId: 'searchShowsByTitle',
  tag: 'Shows',
  summary: 'Search shows by title',
  description:
    'At most 20 shows by title, the best matches first; if more than 20 titles equal the phrase, all of those. Shows that ' +
    'cannot be watched in the country are found too.',
  pathParameters: Type.Object({}),
  parameters: Type.Object({
    title: Type.String({ description: 'The title, or a part of it.', examples: ['the godfather'] }),
    country: shared.country,
    catalogs: Type.Optional(shared.catalogs),
    show_type: Type.Optional(shared.showType),
    genres: Type.Optional(shared.genres),
    year_min: Type.Optional(year('Least')),
    year_max: Type.Optional(year('Greatest')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_TITLES,
        description: `The most shows, from 1 to ${MAX_TITLES}. If left out, ${MAX_TITLES}, or all whose title equals the phrase.`,
        examples: [5],
      }),
    ),
    series_granularity: shared.seriesGranularity('show'),
    output_language: shared.outputLanguage,
  }),
  response: Type.Array(refTo('Show')),
  responseDescription: 'The shows found.',
  toQuery(given, _path, context) {
    const { names } = context
    const country = resolveCountry(given.country, names)
    checkOrder('year_min', given.year_min, 'year_max', given.year_max)
    return {
      kind: 'title',
      title: given.title,
      country,
      catalogs: given.catalogs === undefined ? [] : resolveCatalogs(given.catalogs, country, context),
      genres: given.genres === undefined ? [] : resolveGenres(given.genres, names),
      granularity: given.series_granularity,
      language: given.output_language,
      ...omitUndefined({
        showType: given.show_type,
        yearMin: given.year_min,
        yearMax: given.year_max,
        limit: given.limit,
      }),
    }
  },
})

/** People by name. */
export const searchPeople = defineEndpoint({
  path: '/people/search',
  routes: ['/people/search'],
  operationId: 'searchPeople',
  tag: 'People',
  summary: 'Search people by name',
  description:
    'Actors, directors and creators of shows by name, with the number of their shows: the best matches first, and among ' +
    'equally good ones people with more shows. The last word may be unfinished, and typing errors are forgiven.',
  pathParameters: Type.Object({}),
  parameters: Type.Object({
    name: Type.String({ description: 'The name, or a part of it.', examples: ['al pacino'] }),
    limit: optionalWithDefault(
      Type.Integer({
        minimum: 1,
        maximum: MAX_PEOPLE,
        default: 20,
        description: `The most people, from 1 to ${MAX_PEOPLE}.`,
      }),
    ),
  }),
  response: Type.Array(refTo('Person')),
  responseDescription: 'The people found.',
  toQuery: (given) => ({ kind: 'people', name: given.name, limit: given.limit }),
})
