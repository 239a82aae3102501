import Type from 'typebox'
import { defineEndpoint, omitUndefined } from './endpoint.ts'
import { refTo } from './schemas.ts'
import * as common from './shared-parameters.ts'
import { resolveCountry } from './shared-parameters.ts'

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
    country: common.country,
    show_type: Type.Optional(common.showType),
    series_granularity: Type.Optional(common.seriesGranularity('show')),
    output_language: Type.Optional(common.outputLanguage),
  }),
  response: Type.Array(refTo('Show')),
  responseDescription: 'The shows found.',
  toQuery: (given, _path, { names }) => ({
    kind: 'title',
    title: given.title,
    country: resolveCountry(given.country, names),
    ...omitUndefined({ showType: given.show_type }),
    granularity: given.series_granularity ?? 'show',
    language: given.output_language ?? 'en',
  }),
})
