import { signal } from '@preact/signals'
import { type AppContext, useApp } from '../app/context.ts'
import type { QueryState } from '../data/query-cache.ts'
import type { Plan, QuotaState } from './plan.ts'
import { type PlatformRequest, problemCode, sendPlatformRequest } from './platform-request.ts'
import { StoredKeySlot } from './stored-key.ts'

export interface Account {
  readonly id: string
  readonly email: string
  readonly role: 'developer' | 'admin'
  readonly createdAt: number
  /** Since when the account is disabled; absent for active accounts. */
  readonly disabledAt?: number
}

/** A signed-in user. */
export interface Person {
  readonly csrfToken: string
  readonly account: Account
  readonly plan: Plan
  readonly quota: QuotaState
}

/** The session of the browser. */
export type Session = {
  readonly signUp: 'open' | 'invited' | 'closed'
  /** How to reach the operator: an e-mail address or a web address. */
  readonly contact?: string
  /** Whether the service can send mail. */
  readonly mail?: boolean
} & Partial<Person>

/** The session of this tab with the platform, and requests in its name. */
export class PlatformSession {
  readonly state = signal<QueryState<Session>>({ state: 'loading' })
  /** Whether the session has expired since the site was opened. */
  readonly hasExpired = signal(false)
  /** Whether the account of the last session was deleted in this tab. */
  readonly isAccountDeleted = signal(false)
  readonly storedKey = new StoredKeySlot()

  /** The signed-in user, if there is one. */
  get person(): Person | undefined {
    return signedInPerson(this.state.value)
  }

  /** Fetches the session. */
  readonly load = async (): Promise<void> => {
    try {
      const value = await sendPlatformRequest<Session>({ path: '/session' })
      const wasSignedIn = signedInPerson(this.state.peek()) !== undefined
      if (value.account === undefined && wasSignedIn) this.hasExpired.value = true
      this.state.value = { state: 'ready', value }
    } catch (error) {
      // After a connection error the known session stays.
      if (this.state.peek().state !== 'ready') this.state.value = { state: 'failed', error }
    }
  }

  async signIn(entry: { email: string; password: string }): Promise<void> {
    await this.#start('/sign-in', entry)
  }

  async signUp(entry: { email: string; password: string; invitation?: string }): Promise<void> {
    await this.#start('/sign-up', entry)
  }

  async resetPassword(entry: { code: string; password: string }): Promise<void> {
    await this.#start('/password-reset', entry)
  }

  /** Ends the session by a request that ends it on the server, and clears the stored key. */
  async signOut(request: Omit<PlatformRequest, 'csrfToken'> = { method: 'POST', path: '/sign-out' }): Promise<void> {
    await this.fetch(request)
    this.storedKey.clear()
    await this.load()
    this.hasExpired.value = false
  }

  /**
   * Sends a request with the CSRF token of the session. A token that another tab has replaced is renewed, and an expired
   * session is reloaded, so that the page shows the sign-in form.
   */
  async fetch<T>(request: Omit<PlatformRequest, 'csrfToken'>): Promise<T> {
    try {
      return await this.#send<T>(request)
    } catch (error) {
      const problem = problemCode(error)
      if (problem === 'not_signed_in') await this.load()
      if (problem !== 'cross_site_request') throw error
      await this.load()
      return this.#send<T>(request)
    }
  }

  #send<T>(request: Omit<PlatformRequest, 'csrfToken'>): Promise<T> {
    const csrfToken = signedInPerson(this.state.peek())?.csrfToken
    return sendPlatformRequest<T>(request.method === undefined ? request : { ...request, csrfToken })
  }

  async #start(path: string, body: object): Promise<void> {
    this.state.value = { state: 'ready', value: await sendPlatformRequest<Session>({ method: 'POST', path, body }) }
    this.hasExpired.value = false
    this.isAccountDeleted.value = false
  }
}

function signedInPerson(state: QueryState<Session>): Person | undefined {
  return state.state === 'ready' && state.value.account !== undefined ? (state.value as Person) : undefined
}

const sessions = new WeakMap<AppContext, PlatformSession>()

/** The session of the context. It is created here, since the first script does without the code of the platform. */
export function useSession(): PlatformSession {
  const app = useApp()
  const session = sessions.get(app) ?? new PlatformSession()
  sessions.set(app, session)
  return session
}
