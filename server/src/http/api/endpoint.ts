import type { Static, TObject, TSchema } from 'typebox'
import type { Query } from '../../query/queries.ts'
import type { ReferenceNames } from '../../render/query-engine.ts'

/** What an endpoint may know beside the parameters to make a query of them. */
export interface EndpointContext {
  readonly names: ReferenceNames
  readonly now: number
  /** The shape in which all countries are answered. */
  readonly countries: 'array' | 'map'
}

/**
 * One operation of the API as a value. The parameter reader, the types of `toQuery` and the OpenAPI document are all
 * made from its schemas.
 */
export interface Endpoint<Q extends TObject = TObject> {
  /** The path as the OpenAPI document writes it. */
  readonly path: string
  /** The patterns by which the router finds it. */
  readonly routes: readonly string[]
  readonly operationId: string
  readonly tag: 'Shows' | 'Changes' | 'Countries' | 'Genres'
  readonly summary: string
  readonly description: string
  readonly pathParameters: TObject
  readonly parameters: Q
  readonly response: TSchema
  readonly responseDescription: string
  /** Whether answers depend on the day, and so do not outlast midnight UTC. */
  readonly daily?: true
  /** What is said when the thing asked for does not exist; only with path parameters. */
  readonly notFound?: string
  /** The query, or an ApiError. `path` holds the parameters of the path by the names that the routes give them. */
  toQuery(parameters: Static<Q>, path: Readonly<Record<string, string>>, context: EndpointContext): Query
}

/** Keeps the types of an endpoint's parameters for its own `toQuery`, and forgets them for everyone else. */
export function defineEndpoint<Q extends TObject>(endpoint: Endpoint<Q>): Endpoint {
  return Object.freeze(endpoint) as unknown as Endpoint
}

/** The members of an object that are not undefined, for queries whose optional members are either there or not. */
export function omitUndefined<T extends object>(members: T): WithoutUndefined<T> {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(members)) if (value !== undefined) kept[name] = value
  return kept as WithoutUndefined<T>
}

type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}
