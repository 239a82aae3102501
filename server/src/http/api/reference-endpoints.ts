import Type from '../../lib/json-schema.ts'
import { normalizeCountryCode } from '../../model/country.ts'
import { ApiError, quoteValue } from '../exchange/errors.ts'
import { rejectValue } from '../request/parameter-parser.ts'
import { defineEndpoint } from './endpoint.ts'
import { refTo } from './schemas.ts'
import * as shared from './shared-parameters.ts'
import { isoCodeHint } from './shared-parameters.ts'

const parameters = Type.Object({ output_language: shared.outputLanguage })

const PROVIDER_IDS = 'tmdbProviderIds'

const countryParameters = Type.Object({
  ...parameters.properties,
  include: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 1,
      description: 'Members to add: `tmdbProviderIds`, the ids of services in the provider lists of TMDB.',
      examples: [['tmdbProviderIds']],
    }),
  ),
})

/** The member of a query that adds the ids at TMDB. */
function resolveProviderIds(include: readonly string[] | undefined): { readonly withProviderIds?: true } {
  const other = include?.find((name) => name.toLowerCase() !== PROVIDER_IDS.toLowerCase())
  if (other !== undefined) rejectValue('include', other, PROVIDER_IDS)
  return include === undefined ? {} : { withProviderIds: true }
}

/** All countries with their services. */
export const getCountries = defineEndpoint({
  path: '/countries',
  routes: ['/countries'],
  operationId: 'getCountries',
  tag: 'Countries',
  summary: 'Get all countries',
  description: 'The countries of the catalog with their services, the most popular first, and the addons of those.',
  pathParameters: Type.Object({}),
  parameters: countryParameters,
  response: refTo('Countries'),
  responseDescription: 'The countries.',
  toQuery: (given, _path, { countries }) => ({
    kind: 'countries',
    as: countries,
    language: given.output_language,
    ...resolveProviderIds(given.include),
  }),
})

/** One country with its services. */
export const getCountry = defineEndpoint({
  path: '/countries/{country-code}',
  routes: ['/countries/:code'],
  operationId: 'getCountry',
  tag: 'Countries',
  summary: 'Get a country',
  description: 'One country with its services, the most popular first, and the addons of those.',
  pathParameters: Type.Object({
    'country-code': Type.String({ description: 'ISO 3166-1 alpha-2 code, in any case.', examples: ['us'] }),
  }),
  parameters: countryParameters,
  response: refTo('Country'),
  responseDescription: 'The country.',
  notFound: 'The catalog holds no such country.',
  toQuery(given, path, { names }) {
    const country = normalizeCountryCode(path.code!)
    const hint = names.hasCountry(country) ? undefined : isoCodeHint(country)
    if (hint !== undefined) {
      const message = `The catalog holds no country ${quoteValue(path.code!)}; ${hint}.`
      throw new ApiError('not_found', message, { parameter: 'country-code' })
    }
    return { kind: 'country', country, language: given.output_language, ...resolveProviderIds(given.include) }
  },
})

/** All genres. */
export const getGenres = defineEndpoint({
  path: '/genres',
  routes: ['/genres'],
  operationId: 'getGenres',
  tag: 'Genres',
  summary: 'Get all genres',
  description: 'The genres by which shows can be filtered.',
  pathParameters: Type.Object({}),
  parameters,
  response: Type.Array(refTo('Genre')),
  responseDescription: 'The genres.',
  toQuery: (given) => ({ kind: 'genres', language: given.output_language }),
})
