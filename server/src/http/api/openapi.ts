import type { TObject, TSchema } from '../../lib/json-schema.ts'
import { API_ERRORS, ERRORS, type ErrorCode } from '../exchange/errors.ts'
import { keyHeaders, MARKETPLACE_QUOTA_HEADERS } from '../exchange/headers.ts'
import { errorAddress } from '../response/error-response.ts'
import type { Endpoint } from './endpoint.ts'
import { ENDPOINTS } from './endpoints.ts'
import { COUNTRIES_AS_MAP, SCHEMAS } from './schemas.ts'

/** The version of the API, not of the software. */
export const API_VERSION = '4.0.0'

/** The settings that the document depends on. */
interface OpenApiSettings {
  readonly marketplace: string
  readonly countries: 'array' | 'map'
  readonly compatibility?: 'none' | 'original'
}

type Json = Record<string, unknown>

const TAGS = [
  { name: 'Shows', description: 'Movies and series, and where they can be watched.' },
  { name: 'People', description: 'Actors, directors and creators.' },
  { name: 'Changes', description: 'What happened in the catalogs, and what is about to.' },
  { name: 'Catalog', description: 'All of a country at once, for copies of it.' },
  { name: 'Countries', description: 'Countries with their services and addons.' },
  { name: 'Genres', description: 'Genres to filter by.' },
]

/** Error statuses of every operation; 404 only occurs where a path has an id. */
const SHARED_ERRORS = [400, 401, 403, 405, 414, 429, 431, 500, 503]

/** The OpenAPI 3.1 document, generated from the endpoints that serve the API. */
export function openApiDocument(settings: OpenApiSettings): Json {
  const names = keyHeaders(settings.marketplace)
  const marketplaceQuota = settings.compatibility === 'original' ? describeMarketplaceQuota() : {}
  return {
    openapi: '3.1.0',
    info: {
      title: 'Marquee API',
      version: API_VERSION,
      summary: 'Which movies and series can be watched where.',
      description:
        'A read-only API that answers which movies and series can be watched on which streaming services in which countries, ' +
        'what changed, and what is about to. Direct keys are used on `/v4`, marketplace keys on `/`; apart from that both ' +
        'behave the same.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: '/v4', description: `For direct keys, in the header ${names.direct}.` },
      { url: '/', description: `For marketplace keys, in the header ${names.marketplace[0]}.` },
    ],
    security: [{ DirectKey: [] }, { MarketplaceKey: [] }],
    tags: TAGS,
    paths: Object.fromEntries(
      ENDPOINTS.map((endpoint) => [
        endpoint.path,
        { get: openApiOperation(endpoint, [...QUOTA_HEADERS, ...Object.keys(marketplaceQuota)]) },
      ]),
    ),
    components: {
      schemas: settings.countries === 'map' ? { ...SCHEMAS, Countries: COUNTRIES_AS_MAP } : SCHEMAS,
      responses: Object.fromEntries(
        [...SHARED_ERRORS, 404, 410].sort().map((status) => [`Error${status}`, errorResponse(status)]),
      ),
      headers: { ...HEADERS, ...marketplaceQuota },
      securitySchemes: {
        DirectKey: {
          type: 'apiKey',
          in: 'header',
          name: names.direct,
          description: 'A key of the service itself, on the base address `/v4`.',
        },
        MarketplaceKey: {
          type: 'apiKey',
          in: 'header',
          name: names.marketplace[0],
          description: `A key of the marketplace, on the base address \`/\`. The spelling \`${names.marketplace[1]}\` works too.`,
        },
      },
    },
  }
}

function openApiOperation(endpoint: Endpoint, quotaNames: readonly string[]): Json {
  const { notFound, hasTokens, responseType } = endpoint
  const statuses = [...SHARED_ERRORS, ...(notFound === undefined ? [] : [404]), ...(hasTokens ? [410] : [])].sort()
  // A stream is not cached.
  const cacheHeaders = responseType === undefined ? CACHE_HEADERS : ['Cache-Control']
  const ownHeaders = ['X-Ignored-Parameters', ...(endpoint.responseHeaders ?? [])]
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: endpoint.description,
    parameters: [
      ...openApiParameters(endpoint.pathParameters, 'path'),
      ...openApiParameters(endpoint.parameters, 'query'),
    ],
    responses: {
      200: {
        description: endpoint.responseDescription,
        headers: headerRefs([...COMMON_HEADERS, ...cacheHeaders, ...ownHeaders, ...quotaNames]),
        content: { [responseType ?? 'application/json']: { schema: endpoint.response } },
      },
      ...(responseType === undefined && {
        304: {
          description: 'The answer is still the one that the tag in `If-None-Match` names. Costs nothing of the quota.',
          headers: headerRefs([...COMMON_HEADERS, ...CACHE_HEADERS, ...ownHeaders, ...quotaNames]),
        },
      }),
      ...Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }])),
    },
  }
}

function openApiParameters(schemas: TObject, place: 'path' | 'query'): Json[] {
  const required = new Set(schemas.required as string[] | undefined)
  return Object.entries(schemas.properties as Record<string, TSchema & Json>).map(([name, schema]) => {
    const { description, examples, ...rest } = schema
    return {
      name,
      in: place,
      required: required.has(name),
      description,
      ...(rest.type === 'array' ? { style: 'form', explode: false } : {}),
      schema: rest,
      ...(Array.isArray(examples) ? { example: examples[0] } : {}),
    }
  })
}

function errorResponse(status: number): Json {
  const codes = (Object.keys(API_ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].status === status)
  const hasRetryAfter = status === 429 || status === 503
  const examples = (value: (code: ErrorCode) => Json) =>
    Object.fromEntries(codes.map((code) => [code, { value: value(code) }]))
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join(' '),
    headers: headerRefs([
      ...COMMON_HEADERS,
      ...ERROR_HEADERS,
      ...(hasRetryAfter ? ['Retry-After'] : []),
      ...(status === 405 ? ['Allow'] : []),
    ]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: examples((code) => ({ message: ERRORS[code].title })),
      },
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: examples((code) => exampleProblem(code, hasRetryAfter)),
      },
    },
  }
}

function exampleProblem(code: ErrorCode, hasRetryAfter: boolean): Json {
  const { title, status } = ERRORS[code]
  return {
    type: errorAddress(code),
    title,
    status,
    detail: title,
    code,
    ...(hasRetryAfter && { retryAfter: 1 }),
    requestId: EXAMPLE_REQUEST_ID,
  }
}

const EXAMPLE_REQUEST_ID = '8f14e45fceea-1z'
const COMMON_HEADERS = ['X-Request-Id']
const ERROR_HEADERS = ['X-Error-Code', 'X-Error-Parameter']
const CACHE_HEADERS = ['ETag', 'Cache-Control']
const QUOTA_HEADERS = ['X-Quota-Granted', 'X-Quota-Used', 'X-Quota-Reset', 'RateLimit-Policy', 'RateLimit']

const header = (description: string, type: 'string' | 'integer', example: string | number) => ({
  description,
  schema: { type },
  example,
})

const HEADERS: Json = {
  'X-Request-Id': header('Names the request; the one that was sent along, or a new one.', 'string', EXAMPLE_REQUEST_ID),
  ETag: header('Names the answer, for `If-None-Match`.', 'string', 'W/"1k-1xq8f3-t9a0b1"'),
  'Cache-Control': header('How long the answer may be kept.', 'string', 'private, max-age=60'),
  'X-Ignored-Parameters': header(
    'What was ignored: parameters and entries of `catalogs` that are not known, each with what was probably meant.',
    'string',
    'genre (genres?), catalogs=netflx (netflix?)',
  ),
  'X-Unknown-Ids': header(
    'The requested ids that no show has, in the order of the request.',
    'string',
    'tt9999999, movie/0',
  ),
  'X-Error-Code': header('What went wrong, for programs.', 'string', 'invalid_parameter'),
  'X-Error-Parameter': header('The parameter at fault, percent-encoded, where there is one.', 'string', 'rating_min'),
  'X-Quota-Granted': header('Requests that the plan grants in this period.', 'integer', 1000),
  'X-Quota-Used': header('Requests used in this period.', 'integer', 17),
  'X-Quota-Reset': header('When the next period begins (Unix seconds).', 'integer', 1_775_001_600),
  'RateLimit-Policy': header('The limits of the plan.', 'string', '"quota";q=1000;w=2678400, "rate";q=10;w=1'),
  RateLimit: header('What is left of them.', 'string', '"quota";r=983;t=86400, "rate";r=9;t=1'),
  'Retry-After': header('Seconds after which it is worth trying again.', 'integer', 1),
  Allow: header('The methods that the path takes.', 'string', 'GET, HEAD, OPTIONS'),
}

function headerRefs(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The headers of the quota for marketplace keys, as clients of the public service read it. */
function describeMarketplaceQuota(): Json {
  const descriptions = [
    header('As `X-Quota-Granted`, for marketplace keys only.', 'integer', 1000),
    header('Requests that are left in this period, for marketplace keys only.', 'integer', 983),
    header('Seconds until the next period begins, for marketplace keys only.', 'integer', 86_400),
  ]
  return Object.fromEntries(MARKETPLACE_QUOTA_HEADERS.map((name, i) => [name, descriptions[i]]))
}
