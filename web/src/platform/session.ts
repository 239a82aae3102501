import { signal } from '@preact/signals'
import type { QueryState } from '../data/query-cache.ts'
import type { Plan, QuotaState } from './plan.ts'
import { type PlatformRequest, problemCode, sendPlatformRequest } from './platform-request.ts'
import { clearStoredKey } from './stored-key.ts'

export interface Account {
  readonly id: string
  readonly email: string
  readonly role: 'developer' | 'admin'
  readonly createdAt: number
}

/** A signed-in user. */
export interface Person {
  readonly csrfToken: string
  readonly account: Account
  readonly plan: Plan
  readonly quota: QuotaState
}

/** The session of the browser. */
export type Session = { readonly signUp: 'open' | 'invited' | 'closed' } & Partial<Person>

/** The current session. The server renders no page that uses it. */
export const session = signal<QueryState<Session>>({ state: 'loading' })

/** Whether the session has expired since the site was opened. */
export const hasSessionExpired = signal(false)

/** The signed-in user, if there is one. */
export function signedInPerson(state: QueryState<Session>): Person | undefined {
  return state.state === 'ready' && state.value.account !== undefined ? (state.value as Person) : undefined
}

/** Fetches the session. */
export async function loadSession(): Promise<void> {
  try {
    const value = await sendPlatformRequest<Session>({ path: '/session' })
    if (value.account === undefined && signedInPerson(session.peek()) !== undefined) hasSessionExpired.value = true
    session.value = { state: 'ready', value }
  } catch (error) {
    // After a connection error the known session stays.
    if (session.peek().state !== 'ready') session.value = { state: 'failed', error }
  }
}

export async function signIn(entry: { email: string; password: string }): Promise<void> {
  await enter('/sign-in', entry)
}

export async function signUp(entry: { email: string; password: string; invitation?: string }): Promise<void> {
  await enter('/sign-up', entry)
}

/** Ends the session, and clears the stored key. */
export async function signOut(): Promise<void> {
  await platformFetch({ method: 'POST', path: '/sign-out' })
  clearStoredKey()
  await loadSession()
  hasSessionExpired.value = false
}

/**
 * Sends a request with the CSRF token of the session. A token that another tab has replaced is renewed, and an expired
 * session is reloaded, so that the page shows the sign-in form.
 */
export async function platformFetch<T>(request: Omit<PlatformRequest, 'csrfToken'>): Promise<T> {
  try {
    return await send<T>(request)
  } catch (error) {
    const problem = problemCode(error)
    if (problem === 'not_signed_in') await loadSession()
    if (problem !== 'cross_site_request') throw error
    await loadSession()
    return send<T>(request)
  }
}

function send<T>(request: Omit<PlatformRequest, 'csrfToken'>): Promise<T> {
  const csrfToken = signedInPerson(session.peek())?.csrfToken
  return sendPlatformRequest<T>(request.method === undefined ? request : { ...request, csrfToken })
}

async function enter(path: string, body: object): Promise<void> {
  session.value = { state: 'ready', value: await sendPlatformRequest<Session>({ method: 'POST', path, body }) }
  hasSessionExpired.value = false
}
