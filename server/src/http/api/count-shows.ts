import Type from '../../lib/json-schema.ts'
import { type CountStep, FACETS, type Facet } from '../../query/queries.ts'
import { ApiError } from '../exchange/errors.ts'
import { createParameterParser, optionalWithDefault, rejectValue } from '../request/parameter-parser.ts'
import { defineEndpoint, type EndpointContext } from './endpoint.ts'
import { type FilterValues, filterParameters, toFilters } from './filter-parameters.ts'
import { refTo } from './schemas.ts'

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
