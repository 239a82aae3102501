import Type from 'typebox'
import { isImdbId, isShowId, isTmdbId } from '../../model/show.ts'
import { ApiError, quoteValue } from '../exchange/errors.ts'
import { defineEndpoint, omitUndefined } from './endpoint.ts'
import { refTo } from './schemas.ts'
import * as shared from './shared-parameters.ts'
import { resolveCountry } from './shared-parameters.ts'

/** One show by its own id, its IMDb id or its TMDB id. The slash of a TMDB id may be encoded or not. */
export const getShow = defineEndpoint({
  path: '/shows/{id}',
  routes: ['/shows/:id', '/shows/:id/:number'],
  operationId: 'getShow',
  tag: 'Shows',
  summary: 'Get a show',
  description: 'One movie or series with its streaming options in all countries, or in one.',
  pathParameters: Type.Object({
    id: Type.String({
      description: 'Id of the show, its IMDb id (`tt…`) or its TMDB id (`movie/…`, `tv/…`; the slash may be `%2F`).',
      examples: ['tt0068646'],
    }),
  }),
  parameters: Type.Object({
    country: Type.Optional({
      ...shared.country,
      description: 'Only the options of this country (ISO 3166-1 alpha-2).',
    }),
    series_granularity: shared.seriesGranularity('episode'),
    output_language: shared.outputLanguage,
  }),
  response: refTo('Show'),
  responseDescription: 'The show.',
  notFound: 'There is no show with this id.',
  toQuery(given, path, { names }) {
    const id = path.number === undefined ? path.id! : `${path.id}/${path.number}`
    if (!isShowId(id) && !isImdbId(id) && !isTmdbId(id)) {
      const message = `There is no show ${quoteValue(id)}; an id is a number, tt<number>, movie/<number> or tv/<number>.`
      throw new ApiError('not_found', message, { parameter: 'id' })
    }
    return {
      kind: 'show',
      id,
      ...omitUndefined({ country: given.country === undefined ? undefined : resolveCountry(given.country, names) }),
      granularity: given.series_granularity,
      language: given.output_language,
    }
  },
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
  }),
  response: Type.Array(refTo('Show')),
  responseDescription: 'The shows, in rank order.',
  toQuery: (given, _path, { names }) => ({
    kind: 'top',
    country: resolveCountry(given.country, names),
    service: given.service,
    ...omitUndefined({ showType: given.show_type }),
    language: given.output_language,
  }),
})
