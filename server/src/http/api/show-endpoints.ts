import Type from '../../lib/json-schema.ts'
import { MAX_SIMILAR } from '../../query/similar-shows.ts'
import { ApiError, quoteValue } from '../exchange/errors.ts'
import { optionalWithDefault, rejectValue } from '../request/parameter-parser.ts'
import { defineEndpoint, omitUndefined } from './endpoint.ts'
import { refTo } from './schemas.ts'
import { resolveShape, shapeParameters } from './shape-parameters.ts'
import * as shared from './shared-parameters.ts'
import {
  ID_FORMS,
  isAnyShowId,
  resolveCatalogs,
  resolveCountries,
  resolveCountry,
  resolveOptionCountries,
} from './shared-parameters.ts'

/** One show by its own id, its IMDb id or its TMDB id. The slash of a TMDB id may be encoded or not. */
export const getShow = defineEndpoint({
  path: '/shows/{id}',
  routes: ['/shows/:id', '/shows/:id/:number'],
  operationId: 'getShow',
  tag: 'Shows',
  summary: 'Get a show',
  description: 'One movie or series with its streaming options in all countries, or in some.',
  pathParameters: Type.Object({
    id: Type.String({
      description: 'Id of the show, its IMDb id (`tt…`) or its TMDB id (`movie/…`, `tv/…`; the slash may be `%2F`).',
      examples: ['tt0068646'],
    }),
  }),
  parameters: Type.Object({
    country: shared.optionCountries,
    series_granularity: shared.seriesGranularity('episode'),
    output_language: shared.outputLanguage,
    ...shapeParameters,
  }),
  response: refTo('Show'),
  responseDescription: 'The show.',
  notFound: 'There is no show with this id.',
  toQuery(given, path, context) {
    const { names } = context
    return {
      kind: 'show',
      id: resolvePathId(path),
      ...omitUndefined({
        countries: resolveOptionCountries(given.country, names),
        shape: resolveShape(given, context),
      }),
      granularity: given.series_granularity,
      language: given.output_language,
    }
  },
})

/** The id in a path; that of TMDB takes two segments. */
function resolvePathId(path: Readonly<Record<string, string>>): string {
  const id = path.number === undefined ? path.id! : `${path.id}/${path.number}`
  if (isAnyShowId(id)) return id
  const message = `There is no show ${quoteValue(id)}; ${ID_FORMS}.`
  throw new ApiError('not_found', message, { parameter: 'id' })
}

/** How many ids count as one request of a quota. */
const IDS_PER_REQUEST = 10

/** Several shows by their ids. */
export const getShows = defineEndpoint({
  path: '/shows',
  routes: ['/shows'],
  operationId: 'getShows',
  tag: 'Shows',
  summary: 'Get several shows',
  description:
    'One show for each id, in the order of the ids. Ids that no show has are named in the header `X-Unknown-Ids` and left ' +
    'out. Every ten ids begun count as one request of the quota.',
  pathParameters: Type.Object({}),
  parameters: Type.Object({
    ids: shared.ids(),
    country: shared.optionCountries,
    series_granularity: shared.seriesGranularity('episode'),
    output_language: shared.outputLanguage,
    ...shapeParameters,
  }),
  response: Type.Array(refTo('Show')),
  responseDescription: 'The shows, in the order of their ids.',
  responseHeaders: ['X-Unknown-Ids'],
  cost: (query) => (query.kind === 'shows' ? Math.ceil(query.ids.length / IDS_PER_REQUEST) : 1),
  toQuery(given, _path, context) {
    const { names, strict } = context
    const malformed = strict ? given.ids.find((id) => !isAnyShowId(id)) : undefined
    if (malformed !== undefined) rejectValue('ids', malformed, `a list of ids; ${ID_FORMS}`)
    return {
      kind: 'shows',
      ids: given.ids,
      ...omitUndefined({
        countries: resolveOptionCountries(given.country, names),
        shape: resolveShape(given, context),
      }),
      granularity: given.series_granularity,
      language: given.output_language,
    }
  },
})

/** Shows that resemble one. */
export const getSimilarShows = defineEndpoint({
  path: '/shows/{id}/similar',
  routes: ['/shows/:id/similar', '/shows/:id/:number/similar'],
  operationId: 'getSimilarShows',
  tag: 'Shows',
  summary: 'Get similar shows',
  description:
    'Shows that can be watched in a country, or in one of several, and resemble a show, the most similar first: by people, ' +
    'words of titles and texts, genres, original language, years and services.',
  pathParameters: getShow.pathParameters,
  parameters: Type.Object({
    country: shared.countries(),
    catalogs: Type.Optional(shared.catalogs),
    show_type: Type.Optional(shared.showType),
    limit: optionalWithDefault(
      Type.Integer({
        minimum: 1,
        maximum: MAX_SIMILAR,
        default: MAX_SIMILAR,
        description: `The most shows, from 1 to ${MAX_SIMILAR}.`,
      }),
    ),
    series_granularity: shared.seriesGranularity('show'),
    output_language: shared.outputLanguage,
    ...shapeParameters,
  }),
  response: Type.Array(refTo('Show')),
  responseDescription: 'The shows, the most similar first.',
  notFound: 'There is no show with this id.',
  toQuery(given, path, context) {
    const countries = resolveCountries(given.country, context.names)
    return {
      kind: 'similar',
      id: resolvePathId(path),
      countries,
      catalogs: given.catalogs === undefined ? [] : resolveCatalogs(given.catalogs, countries, context),
      genres: [],
      genresRelation: 'and',
      people: [],
      limit: given.limit,
      granularity: given.series_granularity,
      language: given.output_language,
      ...omitUndefined({ showType: given.show_type, shape: resolveShape(given, context) }),
    }
  },
})

/** When a show was live. */
export const getShowHistory = defineEndpoint({
  path: '/shows/{id}/history',
  routes: ['/shows/:id/history', '/shows/:id/:number/history'],
  operationId: 'getShowHistory',
  tag: 'Shows',
  summary: 'Get the history of a show',
  description:
    'The spans in which a show, its seasons and its episodes were live in a country, by service, option type and addon, ' +
    'with their prices, as far back as the operator keeps them.',
  pathParameters: getShow.pathParameters,
  parameters: Type.Object({
    country: shared.country,
    series_granularity: shared.seriesGranularity('episode'),
    output_language: shared.outputLanguage,
  }),
  response: refTo('ShowHistory'),
  responseDescription: 'The places of the show, each with its spans.',
  notFound: 'There is no show with this id.',
  toQuery: (given, path, { names }) => ({
    kind: 'history',
    id: resolvePathId(path),
    country: resolveCountry(given.country, names),
    granularity: given.series_granularity,
    language: given.output_language,
  }),
})

/** A service's official top list. */
export const getTopShows = defineEndpoint({
  path: '/shows/top',
  routes: ['/shows/top'],
  operationId: 'getTopShows',
  tag: 'Shows',
  summary: 'Get the top shows of a service',
  description: "The service's own official list, in its order; empty for a service that publishes none.",
  pathParameters: Type.Object({}),
  parameters: Type.Object({
    country: shared.country,
    service: Type.String({ description: 'Id of the service, from `/countries`.', examples: ['netflix'] }),
    show_type: Type.Optional(shared.showType),
    output_language: shared.outputLanguage,
    ...shapeParameters,
  }),
  response: Type.Array(refTo('Show')),
  responseDescription: 'The shows, in rank order.',
  toQuery: (given, _path, context) => ({
    kind: 'top',
    country: resolveCountry(given.country, context.names),
    service: given.service,
    ...omitUndefined({ showType: given.show_type, shape: resolveShape(given, context) }),
    language: given.output_language,
  }),
})

/** What an export counts for against the quota: a whole one, the rest of one, and what was altered after a token. */
const WHOLE_COST = 100
const REST_COST = 10
const ALTERED_COST = 1

/** All shows of a country as a stream of lines. */
export const exportCatalog = defineEndpoint({
  path: '/catalog/export',
  routes: ['/catalog/export'],
  operationId: 'exportCatalog',
  tag: 'Catalog',
  summary: 'Export a country',
  description:
    'All shows that can be watched in a country, as they are at one moment, one a line (NDJSON); or, with `since`, those ' +
    'that were altered after an earlier export, and those that left. The first line has the token `since` for the next ' +
    'time; the last one says whether the export is complete. A line with `kind` `checkpoint` has a cursor from which an ' +
    `export that was cut off goes on. Counts as ${WHOLE_COST} requests of the quota, with a cursor as ${REST_COST}, with ` +
    '`since` as one. For plans that include exports.',
  pathParameters: Type.Object({}),
  parameters: Type.Object({
    country: shared.country,
    since: Type.Optional(
      Type.String({ description: 'The `since` of an earlier export: only what was altered after it.' }),
    ),
    series_granularity: shared.seriesGranularity('episode'),
    output_language: shared.outputLanguage,
    cursor: Type.Optional(
      Type.String({
        description: 'The cursor of the last line of an export that was cut off; the other parameters stay the same.',
      }),
    ),
  }),
  response: refTo('ExportLine'),
  responseType: 'application/x-ndjson',
  responseDescription: 'Lines of JSON, each by this schema.',
  hasTokens: true,
  cost(query) {
    if (query.kind !== 'export') return 1
    if (query.since !== undefined) return ALTERED_COST
    return query.cursor === undefined ? WHOLE_COST : REST_COST
  },
  toQuery: (given, _path, { names }) => ({
    kind: 'export',
    country: resolveCountry(given.country, names),
    ...omitUndefined({ since: given.since, cursor: given.cursor }),
    granularity: given.series_granularity,
    language: given.output_language,
  }),
})
