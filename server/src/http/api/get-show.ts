import Type from 'typebox'
import { isImdbId, isShowId, isTmdbId } from '../../model/show.ts'
import { ApiError, quoteValue } from '../response/errors.ts'
import { defineEndpoint, omitUndefined } from './endpoint.ts'
import { refTo } from './schemas.ts'
import * as common from './shared-parameters.ts'
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
      ...common.country,
      description: 'Only the options of this country (ISO 3166-1 alpha-2).',
    }),
    series_granularity: Type.Optional(common.seriesGranularity('episode')),
    output_language: Type.Optional(common.outputLanguage),
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
      granularity: given.series_granularity ?? 'episode',
      language: given.output_language ?? 'en',
    }
  },
})
