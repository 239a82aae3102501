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

/** Somebody who is signed in. */
export interface Person {
  readonly csrfToken: string
  readonly account: Account
  readonly plan: Plan
  readonly quota: QuotaState
}

/** What the platform says of the reader. */
export type Session = { readonly signUp: 'open' | 'invited' | 'closed' } & Partial<Person>

/** Who the reader is to the platform. */
export const session = signal<QueryState<Session>>({ state: 'loading' })

/** Whether a session has ended by itself since the site was opened: the reader may wonder. */
export const hasSessionEnded = signal(false)

/** Somebody who is signed in, if anybody is. */
export function signedInPerson(answer: QueryState<Session>): Person | undefined {
  return answer.state === 'ready' && answer.value.account !== undefined ? (answer.value as Person) : undefined
}

/** Asks who is signed in, and takes note of it. */
export async function loadSession(): Promise<void> {
  try {
    const value = await sendPlatformRequest<Session>({ path: '/session' })
    if (value.account === undefined && signedInPerson(session.peek()) !== undefined) hasSessionEnded.value = true
    session.value = { state: 'ready', value }
  } catch (error) {
    // What is known already still holds when only the way is cut.
    if (session.peek().state !== 'ready') session.value = { state: 'failed', error }
  }
}

export async function signIn(entry: { email: string; password: string }): Promise<void> {
  await enter('/sign-in', entry)
}

export async function signUp(entry: { email: string; password: string; invitation?: string }): Promise<void> {
  await enter('/sign-up', entry)
}

/** Ends the session, and lets go of what this tab kept for it. */
export async function signOut(): Promise<void> {
  await platformFetch({ method: 'POST', path: '/sign-out' })
  clearStoredKey()
  await loadSession()
  hasSessionEnded.value = false
}

/**
 * Asks the platform as whoever is signed in. A token that another tab has outdated is fetched anew; a session that has
 * ended is noticed, so that the page asks to sign in.
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
  hasSessionEnded.value = false
}
