import type { Static, TSchema } from 'typebox'
import type { Session } from '../../accounts/people/session-store.ts'
import type { Account } from '../../accounts/store/account-tables.ts'

/** Whom a path of the platform takes: anyone, somebody who is signed in, an admin, or the marketplace. */
export type Caller = 'anyone' | 'account' | 'admin' | 'marketplace'

/** What a route knows of its request. */
export interface PlatformRequest<Body = unknown> {
  readonly now: number
  /** The address that it comes from, or the network, where one client has a whole network of them. */
  readonly from: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Body
  readonly session?: Session
  readonly account?: Account
}

/** What is known of the request of somebody who is signed in. */
export interface SignedInRequest<Body = unknown> extends PlatformRequest<Body> {
  readonly session: Session
  readonly account: Account
}

export interface PlatformResponse {
  /** 200, or 204 without a body, unless said otherwise. */
  readonly status?: number
  readonly body?: unknown
  /** The token of a session that starts. */
  readonly signedIn?: string
  readonly signedOut?: true
  readonly cookie?: string
}

/** One path and method of the platform. */
export interface PlatformRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/platform`. */
  readonly path: string
  readonly caller: Caller
  /** Whether it counts as a change, of which an account may make so many. */
  readonly isChange?: true
  readonly body?: TSchema
  handle(asked: PlatformRequest): PlatformResponse | Promise<PlatformResponse>
}

interface RouteDescription<C extends Caller, B extends TSchema> {
  readonly method: PlatformRoute['method']
  readonly path: string
  readonly caller: C
  readonly isChange?: true
  readonly body?: B
  handle(
    asked: C extends 'account' | 'admin' ? SignedInRequest<Static<B>> : PlatformRequest<Static<B>>,
  ): PlatformResponse | Promise<PlatformResponse>
}

/** Keeps the types of a route's body and caller for its own `answer`, and forgets them for everyone else. */
export function definePlatformRoute<C extends Caller, B extends TSchema>(route: RouteDescription<C, B>): PlatformRoute {
  return Object.freeze(route) as unknown as PlatformRoute
}
