import Type from '../../lib/json-schema.ts'
import { FACETS, type Facet } from '../../query/queries.ts'
import { rejectValue } from '../request/parameter-parser.ts'
import { defineEndpoint } from './endpoint.ts'
import { filterParameters, toFilters } from './filter-parameters.ts'
import { refTo } from './schemas.ts'

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
  }),
  response: refTo('ShowCount'),
  responseDescription: 'The counts.',
  toQuery(given, _path, context) {
    const facets = given.facets?.map(resolveFacet) ?? FACETS
    return { kind: 'count', ...toFilters(given, context), facets: FACETS.filter((facet) => facets.includes(facet)) }
  },
})

function resolveFacet(text: string): Facet {
  const known = FACETS.find((facet) => facet.toLowerCase() === text.toLowerCase())
  return known ?? rejectValue('facets', text, `a list of ${FACETS.join(', ')}`)
}
