import Type from 'typebox'
import type { Account } from '../../accounts/account.ts'
import type { Session } from '../../accounts/session-store.ts'
import { setCookie } from '../cookies.ts'
import { PASS_COOKIE, PASS_SECONDS } from '../page-pass.ts'
import type { PlatformDeps } from './platform.ts'
import { platformRoute } from './platform-route.ts'

const email = Type.String({ minLength: 1, maxLength: 320 })
const password = Type.String({ maxLength: 1_000 })
const strict = { additionalProperties: false }

/** Signing up, in and out, and the pass of the pages. */
export function accessRoutes({ accounts, settings, meter, passes }: PlatformDeps) {
  const { access, sessions, plans } = accounts

  function sessionBody(session: Session | undefined, account: Account | undefined, now: number) {
    if (session === undefined || account === undefined) return { signUp: settings.signUp }
    const { id, email, role, createdAt } = account
    const plan = plans.named(account.plan)
    return {
      signUp: settings.signUp,
      csrfToken: session.csrfToken,
      account: { id, email, role, createdAt },
      plan,
      quota: meter.peek({ countedFor: id, plan }, now),
    }
  }

  return [
    platformRoute({
      method: 'GET',
      path: '/session',
      caller: 'anyone',
      answer: ({ session, account, now }) => ({ body: sessionBody(session, account, now) }),
    }),
    platformRoute({
      method: 'POST',
      path: '/sign-up',
      caller: 'anyone',
      body: Type.Object({ email, password, invitation: Type.Optional(Type.String({ maxLength: 200 })) }, strict),
      async answer({ body, from, now }) {
        const { token, session, account } = await access.signUp(
          { ...body, from, now },
          settings.signUp,
          body.invitation,
        )
        return { status: 201, signedIn: token, body: sessionBody(session, account, now) }
      },
    }),
    platformRoute({
      method: 'POST',
      path: '/sign-in',
      caller: 'anyone',
      body: Type.Object({ email, password }, strict),
      async answer({ body, from, now }) {
        const { token, session, account } = await access.signIn({ ...body, from, now })
        return { signedIn: token, body: sessionBody(session, account, now) }
      },
    }),
    platformRoute({
      method: 'POST',
      path: '/sign-out',
      caller: 'account',
      async answer({ session }) {
        await sessions.end(session.id)
        return { signedOut: true }
      },
    }),
    platformRoute({
      method: 'POST',
      path: '/password',
      caller: 'account',
      body: Type.Object({ current: password, next: password }, strict),
      async answer({ body, account, session, from, now }) {
        await access.changePassword(account, session, body, { from, now })
        return {}
      },
    }),
    platformRoute({
      method: 'POST',
      path: '/pass',
      caller: 'anyone',
      answer: ({ now }) => ({
        cookie: setCookie(PASS_COOKIE, passes.issue(now), { seconds: PASS_SECONDS, secure: settings.secureCookies }),
      }),
    }),
  ]
}
