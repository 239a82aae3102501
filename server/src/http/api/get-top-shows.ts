import Type from 'typebox'
import { defineEndpoint, omitUndefined } from './endpoint.ts'
import { refTo } from './schemas.ts'
import * as common from './shared-parameters.ts'
import { resolveCountry } from './shared-parameters.ts'

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
    country: common.country,
    service: Type.String({ description: 'Id of the service, from `/countries`.', examples: ['netflix'] }),
    show_type: Type.Optional(common.showType),
    output_language: Type.Optional(common.outputLanguage),
  }),
  response: Type.Array(refTo('Show')),
  responseDescription: 'The shows, in rank order.',
  toQuery: (given, _path, { names }) => ({
    kind: 'top',
    country: resolveCountry(given.country, names),
    service: given.service,
    ...omitUndefined({ showType: given.show_type }),
    language: given.output_language ?? 'en',
  }),
})
