import type { TObject, TSchema } from '../../lib/json-schema.ts'
import type { Query, StreamedQuery } from '../../query/queries.ts'
import type { ReferenceNames } from '../../render/query-engine.ts'
import type { IgnoredPart, ParameterValues } from '../request/parameter-parser.ts'

/** What an endpoint needs beside the parameters to build a query. */
export interface EndpointContext {
  readonly names: ReferenceNames
  readonly now: number
  /** The JSON shape of `/countries`. */
  readonly countries: 'array' | 'map'
  /** Whether to reject what would otherwise be ignored. */
  readonly strict: boolean
  /** Reports an entry of a parameter that is ignored. */
  ignore(part: IgnoredPart): void
}

/**
 * One operation of the API as data. Its schemas are the source of the parameter parser, the types of `toQuery` and the
 * OpenAPI document.
 */
export interface Endpoint<Q extends TObject = TObject> {
  /** The path in the notation of OpenAPI. */
  readonly path: string
  /** The paths in the notation of the router. */
  readonly routes: readonly string[]
  readonly operationId: string
  readonly tag: 'Shows' | 'People' | 'Changes' | 'Catalog' | 'Countries' | 'Genres'
  readonly summary: string
  readonly description: string
  readonly pathParameters: TObject
  readonly parameters: Q
  readonly response: TSchema
  readonly responseDescription: string
  /** The media type of the response; JSON if absent. */
  readonly responseType?: string
  /** Headers of the response that only this endpoint has. */
  readonly responseHeaders?: readonly string[]
  /** Whether responses depend on the day and so expire at midnight UTC. */
  readonly daily?: true
  /** Whether it takes journal tokens: one that has expired is a 410. */
  readonly hasTokens?: true
  /** The message of a 404; only with path parameters. */
  readonly notFound?: string
  /** The requests that a query counts for against the quota; 1 if absent. */
  cost?(query: Query | StreamedQuery): number
  /** Builds the query or throws an ApiError. `path` holds the path parameters by the names in `routes`. */
  toQuery(
    parameters: ParameterValues<Q>,
    path: Readonly<Record<string, string>>,
    context: EndpointContext,
  ): Query | StreamedQuery
}

/** Type-checks an endpoint against its own parameters and erases their types for everyone else. */
export function defineEndpoint<Q extends TObject>(endpoint: Endpoint<Q>): Endpoint {
  return Object.freeze(endpoint) as unknown as Endpoint
}

/** A copy without undefined members: with exactOptionalPropertyTypes an absent member is not an undefined one. */
export function omitUndefined<T extends object>(members: T): WithoutUndefined<T> {
  const defined: Record<string, unknown> = {}
  for (const name in members) if (members[name] !== undefined) defined[name] = members[name]
  return defined as WithoutUndefined<T>
}

type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}
