import Type from '../../lib/json-schema.ts'
import { pageSize } from '../../query/filters/filter-search.ts'
import { MAX_PEOPLE } from '../../query/people/people-search.ts'
import {
  type CountStep,
  defaultDirection,
  FACETS,
  type Facet,
  SHOW_ORDERS,
  type ShowOrder,
} from '../../query/queries.ts'
import { MAX_TITLES } from '../../query/titles/tier-results.ts'
import { ApiError } from '../exchange/errors.ts'
import { createParameterParser, optionalWithDefault, rejectValue } from '../request/parameter-parser.ts'
import { defineEndpoint, type EndpointContext } from './endpoint.ts'
import { type FilterValues, filterParameters, toFilters, year } from './filter-parameters.ts'
import { refTo } from './schemas.ts'
import { resolveShape, shapeParameters } from './shape-parameters.ts'
import * as shared from './shared-parameters.ts'
import { checkOrder, resolveCatalogs, resolveCountries, resolveGenres } from './shared-parameters.ts'

const MAX_SEED = 4_294_967_295
const MAX_LIMIT = 1_000_000

/** Shows of a country's catalogs that pass all filters. */
export const searchShowsByFilters = defineEndpoint({
  path: '/shows/search/filters',
  routes: ['/shows/search/filters'],
  operationId: 'searchShowsByFilters',
  tag: 'Shows',
  summary: 'Search shows by filters',
  description:
    'Shows of the catalogs of a country, or of several, that pass all filters, a page at a time. A page holds 20 shows when ' +
    'only movies are asked for or the granularity is `show`, 10 when only series are asked for at granularity `episode`, and ' +
    '15 otherwise.',
  pathParameters: Type.Object({}),
  parameters: Type.Object({
    ...filterParameters,
    series_granularity: shared.seriesGranularity('show'),
    order_by: optionalWithDefault(
      Type.Enum(SHOW_ORDERS, {
        type: 'string',
        default: 'original_title',
        description:
          'What the shows are ordered by. Popularity is that in the country, or the highest in the countries. ' +
          '`available_since` is when the newest option was first seen, `leaving` when the first option ends (last those ' +
          'without a known end), each of the options that pass the filters. `random` needs `seed`. Ties are ordered by id.',
      }),
    ),
    seed: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_SEED,
        description: `Chooses one of the random orders, from 0 to ${MAX_SEED}: the same seed is the same order, on all pages.`,
        examples: [42],
      }),
    ),
    order_direction: Type.Optional(
      shared.orderDirection('By default descending for rating and popularity, ascending for all else.'),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LIMIT,
        description: 'The most shows on a page. A number above the page size, which is 20, 15 or 10, changes nothing.',
        examples: [5],
      }),
    ),
    cursor: Type.Optional(shared.cursor),
    ...shapeParameters,
  }),
  response: refTo('SearchResult'),
  responseDescription: 'A page of shows.',
  toQuery(given, _path, context) {
    const filters = toFilters(given, context)
    const order = given.order_by
    const granularity = given.series_granularity
    // A spread with members behind it takes V8 several times as long.
    return Object.assign(filters, {
      kind: 'filter' as const,
      granularity,
      order,
      direction: given.order_direction ?? defaultDirection(order),
      seed: resolveSeed(order, given.seed, context),
      cursor: given.cursor,
      shape: resolveShape(given, context),
      // Programs ask for more than a page of services that do not know the parameter; they get the page.
      limit: given.limit && Math.min(given.limit, pageSize({ showType: filters.showType, granularity })),
    })
  },
})

/** The seed of a random order, which needs one; other orders ignore it. */
function resolveSeed(order: ShowOrder, seed: number | undefined, context: EndpointContext): number | undefined {
  if (order === 'random') {
    if (seed !== undefined) return seed
    const message =
      'The order "random" needs "seed"; add seed=… to the query, any whole number, the same for every page.'
    throw new ApiError('missing_parameter', message, { parameter: 'seed' })
  }
  if (seed !== undefined) context.ignore({ parameter: 'seed', text: String(seed), suggest: () => undefined })
  return undefined
}

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
    country: shared.countries(' Equally good matches are ordered by their popularity in the first of them.'),
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
    ...shapeParameters,
  }),
  response: Type.Array(refTo('Show')),
  responseDescription: 'The shows found.',
  toQuery(given, _path, context) {
    const { names } = context
    const countries = resolveCountries(given.country, names)
    checkOrder('year_min', given.year_min, 'year_max', given.year_max)
    return {
      kind: 'title',
      title: given.title,
      country: countries[0] as string,
      countries: countries.length > 1 ? countries : undefined,
      catalogs: given.catalogs === undefined ? [] : resolveCatalogs(given.catalogs, countries, context),
      genres: given.genres === undefined ? [] : resolveGenres(given.genres, names),
      granularity: given.series_granularity,
      language: given.output_language,
      showType: given.show_type,
      yearMin: given.year_min,
      yearMax: given.year_max,
      limit: given.limit,
      shape: resolveShape(given, context),
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

/** The filters with one value each, of which other values can be counted. */
const STEP_FILTERS = [
  ...(['show_type', 'year_min', 'year_max', 'rating_min', 'rating_max', 'runtime_min', 'runtime_max'] as const),
  ...(['seasons_max', 'quality_min', 'price_max', 'available_since_min', 'leaving_before'] as const),
] satisfies (keyof typeof filterParameters)[]

/** Each takes a pass over the catalog. */
const MAX_STEPS = 12

/** How many shows pass filters. */
export const countShows = defineEndpoint({
  path: '/shows/count',
  routes: ['/shows/count'],
  operationId: 'countShows',
  tag: 'Shows',
  summary: 'Count shows by filters',
  description:
    'How many shows a filter search with the same filters finds, and how many of them have each value of some facets: ' +
    'services, types of shows, genres, years and original languages. A service counts shows with an option on it that ' +
    'passes all filters on options, `catalogs` included.',
  pathParameters: Type.Object({}),
  parameters: Type.Object({
    ...filterParameters,
    facets: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: FACETS.length,
        description: `What to count by: ${FACETS.join(', ')}. All of them if left out.`,
        examples: [['services', 'genres']],
      }),
    ),
    facet_filters: optionalWithDefault(
      Type.Enum(['all', 'others'], {
        type: 'string',
        default: 'all',
        description:
          'Which filters facets are counted with. `others` leaves out the one on what a facet counts by: services without ' +
          '`catalogs`, showTypes without `show_type`, genres without `genres` if `genres_relation` is `or`, years without ' +
          '`year_min` and `year_max`, languages without `show_original_language`.',
      }),
    ),
    steps: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: MAX_STEPS,
        description:
          `Up to ${MAX_STEPS} other values of filters, each \`<filter>:<value>\`, with which shows are counted in place of the ` +
          `value that the filter has. The filters are ${STEP_FILTERS.map((name) => `\`${name}\``).join(', ')}.`,
        examples: [['runtime_max:90', 'quality_min:uhd']],
      }),
    ),
  }),
  response: refTo('ShowCount'),
  responseDescription: 'The counts.',
  toQuery(given, _path, context) {
    const facets = given.facets?.map(resolveFacet) ?? FACETS
    const steps = given.steps ?? []
    const { currency: _ofSteps, ...withoutCurrency } = given
    const isOfSteps = given.price_max === undefined && steps.some((step) => /^price_max\s*:/i.test(step))
    const filters = toFilters(isOfSteps ? withoutCurrency : given, context)
    return {
      kind: 'count',
      ...filters,
      facets: FACETS.filter((facet) => facets.includes(facet)),
      withoutOwnFilter: given.facet_filters === 'others',
      steps: steps.map((step) => resolveStep(step, given, context)),
    }
  },
})

function resolveFacet(text: string): Facet {
  const known = FACETS.find((facet) => facet.toLowerCase() === text.toLowerCase())
  return known ?? rejectValue('facets', text, `a list of ${FACETS.join(', ')}`)
}

const stepParser = createParameterParser(
  Type.Object(Object.fromEntries(STEP_FILTERS.map((name) => [name, filterParameters[name]]))),
)

function resolveStep(text: string, given: FilterValues, context: EndpointContext): CountStep {
  const [, name = '', value = ''] = /^(\w+)\s*:\s*(.+)$/.exec(text) ?? []
  const filter = STEP_FILTERS.find((one) => one === name.toLowerCase())
  if (filter === undefined) {
    const expected = `a list of <filter>:<value>, such as runtime_max:90, with one of ${STEP_FILTERS.join(', ')}`
    return rejectValue('steps', text, expected)
  }
  // What is ignored is reported once, of the request itself.
  const silent = { ...context, ignore: () => {} }
  const filters = toFilters({ ...given, [filter]: parseStepValue(filter, value) }, silent, allowReversed)
  return { filter, value, filters }
}

function parseStepValue(filter: string, value: string): unknown {
  try {
    return (stepParser.parse({ known: new Map([[filter, value]]), ignored: [] }) as Record<string, unknown>)[filter]
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.code, `Of the parameter "steps": ${error.message}`, { parameter: 'steps' })
  }
}

/** A step may end a range before its start: then it has no shows. */
function allowReversed(): void {}
