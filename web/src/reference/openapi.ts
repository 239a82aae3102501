import { ConnectionError } from 'marquee-client'
import { type QueryResult, useQuery } from '../data/use-query.ts'

/* The parts of an OpenAPI document that the reference needs; see `/openapi.json`. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly description?: string
  readonly format?: string
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}

interface ResponseDescription {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly Parameter[]
  readonly responses: Readonly<Record<string, ResponseDescription>>
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly description: string; readonly version: string }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, ResponseDescription>>
  }
}

/** Fetches the document. */
async function loadOpenApi(signal: AbortSignal | undefined): Promise<OpenApi> {
  try {
    const response = await fetch('/openapi.json', { signal: signal ?? null })
    return (await response.json()) as OpenApi
  } catch (cause) {
    throw new ConnectionError('The description of the API could not be loaded', '/openapi.json', false, cause)
  }
}

/** All operations with their paths, in the order of the document. */
export function listOperations({ paths }: OpenApi): { readonly path: string; readonly operation: Operation }[] {
  return Object.entries(paths).map(([path, { get }]) => ({ path, operation: get }))
}

/** Resolves a `$ref` to its schema and name. */
export function resolveSchema(
  schema: Schema,
  { components }: OpenApi,
): { readonly name?: string; readonly schema: Schema } {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? { schema } : { name, schema: components.schemas[name] ?? {} }
}

/** Resolves a `$ref` to its response. */
export function resolveResponse(response: ResponseDescription, { components }: OpenApi): ResponseDescription {
  const name = response.$ref?.split('/').at(-1)
  return name === undefined ? response : (components.responses[name] ?? {})
}

/** The OpenAPI document of the service. */
export function useOpenApi(): QueryResult<OpenApi> {
  return useQuery({ key: 'openapi', fetch: loadOpenApi })
}
