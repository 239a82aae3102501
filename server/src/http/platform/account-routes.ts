import { randomInt } from 'node:crypto'
import { MAX_LIMIT } from '../../accounts/keys/plan-store.ts'
import type { AccountMail } from '../../accounts/people/account-mail.ts'
import type { Session } from '../../accounts/people/session-store.ts'
import type { AuditContext } from '../../accounts/store/account-store.ts'
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

const accountChange = Type.Object(
  {
    plan: Type.Optional(Type.String({ maxLength: 64 })),
    role: Type.Optional(Type.Union([Type.Literal('developer'), Type.Literal('admin')])),
    disabled: Type.Optional(Type.Boolean()),
  },
  strict,
)

const planLimits = Type.Object(
  {
    quota: Type.Optional(
      Type.Object(
        {
          requests: Type.Integer({ minimum: 0, maximum: MAX_LIMIT }),
          per: Type.Union([Type.Literal('month'), Type.Literal('day')]),
        },
        strict,
      ),
    ),
    rate: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT })),
    exports: Type.Optional(Type.Boolean()),
    hidden: Type.Optional(Type.Boolean()),
  },
  strict,
)

/** The routes of admins about accounts, their keys, invitations and plans: what the commands can do as well. */
export function createAccountRoutes({ accounts, mail }: PlatformDeps) {
  const { users, admin, keys, plans } = accounts

  function requireMail(): AccountMail {
    if (mail !== undefined) return mail
    throw new ApiError('not_found', 'This service sends no mail: MARQUEE_SMTP_URL is not set.')
  }

  return [
    definePlatformRoute({
      method: 'GET',
      path: '/operator/accounts',
      caller: 'admin',
      handle() {
        const counts = new Map<string, number>()
        for (const { accountId, revokedAt, testUntil } of keys.list()) {
          if (accountId === undefined || revokedAt !== undefined || testUntil !== undefined) continue
          counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
        }
        const people = users.list().map((account) => ({ ...account, keys: counts.get(account.id) ?? 0 }))
        return { body: { accounts: people, plans: plans.list() } }
      },
    }),
    definePlatformRoute({
      method: 'GET',
      path: '/operator/accounts/:id',
      caller: 'admin',
      handle: ({ params }) => ({ body: admin.export(params.id as string) }),
    }),
    definePlatformRoute({
      method: 'PATCH',
      path: '/operator/accounts/:id',
      caller: 'admin',
      body: accountChange,
      async handle({ params, body, account, now }) {
        const { id } = admin.require(params.id as string)
        const context = actAs(account, now)
        if (body.role !== undefined || body.disabled !== undefined) checkOther(account, id)
        if (body.plan !== undefined) await admin.setPlan(id, body.plan, context)
        if (body.role !== undefined) await admin.setRole(id, body.role, context)
        if (body.disabled === true) await admin.disable(id, context)
        if (body.disabled === false) await admin.enable(id, context)
        return { body: admin.require(id) }
      },
    }),
    definePlatformRoute({
      method: 'DELETE',
      path: '/operator/accounts/:id',
      caller: 'admin',
      async handle({ params, account, now }) {
        const { id } = admin.require(params.id as string)
        checkOther(account, id)
        return { body: await admin.delete(id, actAs(account, now)) }
      },
    }),
    definePlatformRoute({
      method: 'DELETE',
      path: '/operator/accounts/:id/sessions',
      caller: 'admin',
      async handle({ params, account, now }) {
        const { ended } = await admin.endSessions(params.id as string, actAs(account, now))
        return { body: { ended } }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/operator/accounts/:id/reset',
      caller: 'admin',
      async handle({ params, account, now }) {
        const { code, endsAt } = await admin.createReset(params.id as string, actAs(account, now))
        return { status: 201, body: { code, endsAt } }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/operator/accounts/:id/reset-mail',
      caller: 'admin',
      async handle({ params, account, now }) {
        const sender = requireMail()
        const { account: owner, ...code } = await admin.createReset(params.id as string, actAs(account, now))
        const problem = await describeMailFailure(
          sender.sendResets(owner.email, [{ ...code, createdAt: owner.createdAt }]),
        )
        if (problem !== undefined) throw new ApiError('unavailable', `${problem}.`)
        return { body: { email: owner.email, endsAt: code.endsAt } }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/operator/invitations',
      caller: 'admin',
      body: Type.Object({ email, mail: Type.Optional(Type.Boolean()) }, strict),
      async handle({ body, account, now }) {
        const sender = body.mail === true ? requireMail() : undefined
        const code = await admin.invite(body.email, actAs(account, now))
        if (sender === undefined) return { status: 201, body: code }
        // The code is valid without the mail, and can be given to its owner in another way.
        const problem = await describeMailFailure(sender.sendInvitation(body.email, code))
        return { status: 201, body: { ...code, ...(problem === undefined ? { mailed: true } : { problem }) } }
      },
    }),
    definePlatformRoute({
      method: 'DELETE',
      path: '/operator/keys/:id',
      caller: 'admin',
      handle: async ({ params, account, now }) => ({
        body: await keys.revoke(params.id as string, actAs(account, now)),
      }),
    }),
    definePlatformRoute({
      method: 'PUT',
      path: '/operator/plans/:name',
      caller: 'admin',
      body: planLimits,
      async handle({ params, body, account, now }) {
        const name = params.name as string
        await plans.set({ name, ...body }, actAs(account, now))
        return { body: plans.require(name) }
      },
    }),
    definePlatformRoute({
      method: 'DELETE',
      path: '/operator/plans/:name',
      caller: 'admin',
      async handle({ params, account, now }) {
        await plans.delete(params.name as string, actAs(account, now))
        return {}
      },
    }),
  ]
}

/** The context of a change by an admin. */
export function actAs({ id }: Account, now: number): AuditContext {
  return { by: `account:${id}`, now }
}

/** Why a mail was not taken; undefined if it was. */
function describeMailFailure(sending: Promise<void>): Promise<string | undefined> {
  return sending.then(
    () => undefined,
    (error: Error) => error.message,
  )
}

/** Admins cannot lock themselves out. */
function checkOther({ id }: Account, targetId: string): void {
  if (id === targetId) throw new ApiError('conflict', 'Another admin must do this to your own account.')
}
