import Type from 'typebox'
import type { Session } from '../../accounts/people/session-store.ts'
import type { Account } from '../../accounts/store/account-tables.ts'
import { serializeCookie } from '../request/client.ts'
import { VISITOR_COOKIE, VISITOR_TOKEN_SECONDS } from '../request/visitor-token.ts'
import { definePlatformRoute, type PlatformDeps } from './platform-route.ts'

const email = Type.String({ minLength: 1, maxLength: 320 })
const password = Type.String({ maxLength: 1_000 })
const strict = { additionalProperties: false }

/** Routes for signing up, in and out, and for visitor tokens. */
export function createAccessRoutes({ accounts, settings, meter, visitorTokens }: PlatformDeps) {
  const { users, admin, sessions, plans } = accounts

  function sessionBody(session: Session | undefined, account: Account | undefined, now: number) {
    if (session === undefined || account === undefined) return { signUp: settings.signUp }
    const { id, email, role, createdAt } = account
    const plan = plans.require(account.plan)
    return {
      signUp: settings.signUp,
      csrfToken: session.csrfToken,
      account: { id, email, role, createdAt },
      plan,
      quota: meter.peek({ quotaOwner: id, plan }, now),
    }
  }

  return [
    definePlatformRoute({
      method: 'GET',
      path: '/session',
      caller: 'anyone',
      handle: ({ session, account, now }) => ({ body: sessionBody(session, account, now) }),
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/sign-up',
      caller: 'anyone',
      body: Type.Object({ email, password, invitation: Type.Optional(Type.String({ maxLength: 200 })) }, strict),
      async handle({ body, from, now }) {
        const { token, session, account } = await users.signUp(
          { ...body, clientAddress: from, now },
          settings.signUp,
          body.invitation,
        )
        return { status: 201, signedIn: token, body: sessionBody(session, account, now) }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/sign-in',
      caller: 'anyone',
      body: Type.Object({ email, password }, strict),
      async handle({ body, from, now }) {
        const { token, session, account } = await users.signIn({ ...body, clientAddress: from, now })
        return { signedIn: token, body: sessionBody(session, account, now) }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/password-reset',
      caller: 'anyone',
      body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 200 }), password }, strict),
      async handle({ body, from, now }) {
        const { token, session, account } = await users.resetPassword(body.code, body.password, {
          clientAddress: from,
          now,
        })
        return { signedIn: token, body: sessionBody(session, account, now) }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/sign-out',
      caller: 'account',
      async handle({ session }) {
        await sessions.delete(session.id)
        return { signedOut: true }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/password',
      caller: 'account',
      body: Type.Object({ current: password, next: password }, strict),
      async handle({ body, account, session, from, now }) {
        await users.changePassword(account, session, body, { clientAddress: from, now })
        return {}
      },
    }),
    definePlatformRoute({
      method: 'DELETE',
      path: '/sessions',
      caller: 'account',
      async handle({ account, now }) {
        await admin.endSessions(account.id, { by: `account:${account.id}`, now })
        return { signedOut: true }
      },
    }),
    definePlatformRoute({
      method: 'GET',
      path: '/account',
      caller: 'account',
      handle: ({ account }) => ({ body: admin.export(account.id) }),
    }),
    definePlatformRoute({
      method: 'DELETE',
      path: '/account',
      caller: 'account',
      body: Type.Object({ password }, strict),
      async handle({ body, account, from, now }) {
        await users.checkOwner(account, body.password, { clientAddress: from, now })
        await admin.delete(account.id, { by: `account:${account.id}`, now })
        return { signedOut: true }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/pass',
      caller: 'anyone',
      handle: ({ now }) => ({
        cookie: serializeCookie(VISITOR_COOKIE, visitorTokens.issue(now), {
          seconds: VISITOR_TOKEN_SECONDS,
          secure: settings.secureCookies,
        }),
      }),
    }),
  ]
}
