import { randomInt } from 'node:crypto'
import type { AccountMail } from '../../accounts/people/account-mail.ts'
import type { Session } from '../../accounts/people/session-store.ts'
import type { Account } from '../../accounts/store/account-tables.ts'
import Type from '../../lib/json-schema.ts'
import { ApiError } from '../exchange/errors.ts'
import { definePlatformRoute, type PlatformDeps } from './platform-route.ts'

const email = Type.String({ minLength: 1, maxLength: 320 })
const password = Type.String({ maxLength: 1_000 })
/** Mails are sent up to so much later than they were asked for. */
const MAX_MAIL_DELAY_MS = 250

const strict = { additionalProperties: false }

/** Routes for signing up, in and out, and for visitor tokens. */
export function createAccessRoutes({ accounts, settings, meter, visitorTokens, mail, logMail }: PlatformDeps) {
  const { users, admin, sessions, plans } = accounts

  function sessionBody(session: Session | undefined, account: Account | undefined, now: number) {
    const site = {
      signUp: settings.signUp,
      ...(settings.contact !== undefined && { contact: settings.contact }),
      ...(mail !== undefined && { mail: true }),
    }
    if (session === undefined || account === undefined) return site
    const { id, email, role, createdAt } = account
    const plan = plans.require(account.plan)
    return {
      ...site,
      csrfToken: session.csrfToken,
      account: { id, email, role, createdAt },
      plan,
      quota: meter.peek({ quotaOwner: id, plan }, now),
    }
  }

  async function mailResets(by: AccountMail, address: string, now: number): Promise<void> {
    try {
      const codes = await admin.createResets(address, now)
      if (codes.length === 0) return
      await by.sendResets(address, codes)
      logMail()
    } catch (error) {
      logMail(error as Error)
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
      async handle({ body, from, now, deviceToken }) {
        const { token, session, account, ...device } = await users.signUp(
          { ...body, clientAddress: from, deviceToken, now },
          settings.signUp,
          body.invitation,
        )
        return { status: 201, signedIn: token, ...device, body: sessionBody(session, account, now) }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/sign-in',
      caller: 'anyone',
      body: Type.Object({ email, password }, strict),
      async handle({ body, from, now, deviceToken }) {
        const attempt = { ...body, clientAddress: from, deviceToken, now }
        const { token, session, account, ...device } = await users.signIn(attempt)
        return { signedIn: token, ...device, body: sessionBody(session, account, now) }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/password-reset',
      caller: 'anyone',
      body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 200 }), password }, strict),
      async handle({ body, from, now, deviceToken }) {
        const client = { clientAddress: from, deviceToken, now }
        const { token, session, account, ...device } = await users.resetPassword(body.code, body.password, client)
        return { signedIn: token, ...device, body: sessionBody(session, account, now) }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/password-reset-mail',
      caller: 'anyone',
      body: Type.Object({ email }, strict),
      async handle({ body, from, now, deviceToken }) {
        if (mail === undefined) {
          throw new ApiError('not_found', 'This service sends no mail; its operator can give you a link.')
        }
        const address = await users.admitReset(body.email, { clientAddress: from, deviceToken, now })
        // Neither the response nor what comes soon after it shows whether there is an account.
        setTimeout(() => void mailResets(mail, address, now), randomInt(MAX_MAIL_DELAY_MS))
        return { status: 202, body: {} }
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
      async handle({ body, account, session, now }) {
        await users.changePassword(account, session, body, now)
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
      async handle({ body, account, now }) {
        await users.checkOwner(account, body.password, now)
        await admin.delete(account.id, { by: `account:${account.id}`, now })
        return { signedOut: true }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/pass',
      caller: 'anyone',
      handle: ({ from, now }) => ({ cookie: visitorTokens.cookie.serialize(visitorTokens.issue(from, now)) }),
    }),
  ]
}
