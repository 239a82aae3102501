import Type from 'typebox'
import { buildUsageReport } from '../../accounts/usage/usage-report.ts'
import { VISITOR_KEY_ID } from '../request/visitor-token.ts'
import { parseUsagePeriod } from './key-routes.ts'
import { definePlatformRoute, type PlatformDeps } from './platform-route.ts'

const MAX_AUDIT_ENTRIES = 200

/** The routes of admins: status, accounts, usage and audit log. */
export function createOperatorRoutes({ accounts, operator }: PlatformDeps) {
  const { users, keys, usage, plans, audit } = accounts
  return [
    definePlatformRoute({
      method: 'GET',
      path: '/operator/status',
      caller: 'admin',
      handle: async () => ({ body: await operator.status() }),
    }),
    definePlatformRoute({
      method: 'GET',
      path: '/operator/checks',
      caller: 'admin',
      handle: async () => ({ body: await operator.checks() }),
    }),
    definePlatformRoute({
      method: 'GET',
      path: '/operator/accounts',
      caller: 'admin',
      handle() {
        const counts = new Map<string, number>()
        for (const { accountId, revokedAt } of keys.list()) {
          if (accountId === undefined || revokedAt !== undefined) continue
          counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
        }
        const people = users.list().map((account) => ({ ...account, keys: counts.get(account.id) ?? 0 }))
        return { body: { accounts: people, plans: plans.list() } }
      },
    }),
    definePlatformRoute({
      method: 'PATCH',
      path: '/operator/accounts/:id',
      caller: 'admin',
      body: Type.Object({ plan: Type.String({ maxLength: 64 }) }, { additionalProperties: false }),
      handle: async ({ params, body, account, now }) => ({
        body: await users.setPlan(params.id as string, body.plan, { by: `account:${account.id}`, now }),
      }),
    }),
    definePlatformRoute({
      method: 'GET',
      path: '/operator/usage',
      caller: 'admin',
      handle({ query, now }) {
        const keyIds = [...keys.list().map(({ id }) => id), VISITOR_KEY_ID]
        return { body: buildUsageReport(usage, { keyIds, ...parseUsagePeriod(query, now) }) }
      },
    }),
    definePlatformRoute({
      method: 'GET',
      path: '/operator/audit',
      caller: 'admin',
      handle() {
        const entries = []
        for (const entry of audit.newestFirst()) {
          entries.push(entry)
          if (entries.length === MAX_AUDIT_ENTRIES) break
        }
        return { body: { entries } }
      },
    }),
  ]
}
