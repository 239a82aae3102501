import Type from 'typebox'
import { defineEndpoint } from './endpoint.ts'
import { refTo } from './schemas.ts'
import * as common from './shared-parameters.ts'

/** All genres. */
export const getGenres = defineEndpoint({
  path: '/genres',
  routes: ['/genres'],
  operationId: 'getGenres',
  tag: 'Genres',
  summary: 'Get all genres',
  description: 'The genres by which shows can be filtered.',
  pathParameters: Type.Object({}),
  parameters: Type.Object({ output_language: Type.Optional(common.outputLanguage) }),
  response: Type.Array(refTo('Genre')),
  responseDescription: 'The genres.',
  toQuery: (given) => ({ kind: 'genres', language: given.output_language ?? 'en' }),
})
