import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { ENDPOINTS } from '../../src/http/api/endpoints.ts'
import { openApiDocument } from '../../src/http/api/openapi.ts'

type Json = Record<string, unknown>

/** Validates responses against the OpenAPI document, as strictly as a generated client would. */
export class ResponseChecker {
  private readonly ajv: Ajv2020.default
  private readonly document: Json
  private readonly validators = new Map<string, ValidateFunction>()

  constructor(settings: Parameters<typeof openApiDocument>[0]) {
    this.document = openApiDocument(settings)
    this.ajv = new Ajv2020.default({ strict: false, allErrors: true })
    addFormats.default(this.ajv)
    this.ajv.addSchema(this.document, 'openapi')
    this.ajv.addSchema(withoutRequired(this.document) as Json, 'partial')
  }

  /** Throws if the response to a path (without the base) does not match the document. */
  check(path: string, status: number, contentType: string, text: string): void {
    if (contentType.startsWith('application/x-ndjson')) {
      for (const line of text.trimEnd().split('\n')) this.checkBody(path, status, contentType, line)
    } else this.checkBody(path, status, contentType, text)
  }

  private checkBody(path: string, status: number, contentType: string, text: string): void {
    const body = JSON.parse(text) as unknown
    assertNoNull(body, '')
    const errorSchema = contentType.startsWith('application/problem+json') ? 'Problem' : 'Error'
    const schema = status === 200 ? this.successSchema(path) : `openapi#/components/schemas/${errorSchema}`
    // A request that chooses the members gets no others, required ones included.
    const isPartial = status === 200 && /[?&]fields=[^&]/.test(path)
    this.validate(path, status, isPartial ? schema.replace('openapi#', 'partial#') : schema, body)
  }

  private validate(path: string, status: number, schema: string, body: unknown): void {
    const validate = this.validators.get(schema) ?? this.ajv.compile({ $ref: schema })
    this.validators.set(schema, validate)
    if (!validate(body)) {
      const problems = validate.errors
        ?.slice(0, 5)
        .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
      throw new Error(`The body of ${path} (${status}) does not match the OpenAPI document:\n${problems?.join('\n')}`)
    }
  }

  private successSchema(path: string): string {
    const pathname = path.split('?')[0] as string
    // Of several paths that match, the longest is the most specific.
    const [endpoint] = ENDPOINTS.filter(
      ({ path: pattern }) =>
        new RegExp(`^${pattern.replace(/\{[^}]+\}/, '.+')}$`).test(pathname) && !isShadowed(pattern, pathname),
    ).sort((a, b) => b.path.length - a.path.length)
    if (endpoint === undefined) throw new Error(`The OpenAPI document has no path for ${path}`)
    const pointer = endpoint.path
      .replaceAll('~', '~0')
      .replaceAll('/', '~1')
      .replaceAll('{', '%7B')
      .replaceAll('}', '%7D')
    const type = (endpoint.responseType ?? 'application/json').replaceAll('/', '~1')
    return `openapi#/paths/${pointer}/get/responses/200/content/${type}/schema`
  }
}

/** The schemas for answers that may lack any member. Without the discriminating ones, an object can be of several kinds. */
function withoutRequired(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRequired)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key, inside]) => key !== 'required' || !Array.isArray(inside))
  return Object.fromEntries(entries.map(([key, inside]) => [key === 'oneOf' ? 'anyOf' : key, withoutRequired(inside)]))
}

/** Whether a path without parameters takes precedence. */
function isShadowed(pattern: string, pathname: string): boolean {
  return pattern.includes('{') && ENDPOINTS.some(({ path }) => path === pathname)
}

function assertNoNull(value: unknown, at: string): void {
  if (value === null) throw new Error(`There is a null at ${at}`)
  if (typeof value !== 'object') return
  for (const [key, inside] of Object.entries(value)) assertNoNull(inside, `${at}/${key}`)
}
