import Type from 'typebox'
import { usageReport } from '../../accounts/usage-report.ts'
import { PAGES_KEY_ID } from '../page-pass.ts'
import type { PlatformDeps } from './platform.ts'
import { platformRoute } from './platform-route.ts'
import { usagePeriod } from './usage-routes.ts'

/** What the service can say of itself; the composition root knows where it comes from. */
export interface OperatorView {
  /** Sources with their last imports, counts, processes: plain data for the page. */
  status(): Promise<object>
}

const MOST_AUDITED = 200

/** What an admin sees and does. */
export function operatorRoutes({ accounts, operator }: PlatformDeps) {
  const { access, keys, usage, plans, audit } = accounts
  return [
    platformRoute({
      method: 'GET',
      path: '/operator/status',
      caller: 'admin',
      answer: async () => ({ body: await operator.status() }),
    }),
    platformRoute({
      method: 'GET',
      path: '/operator/accounts',
      caller: 'admin',
      answer() {
        const counts = new Map<string, number>()
        for (const { accountId, revokedAt } of keys.list()) {
          if (accountId === undefined || revokedAt !== undefined) continue
          counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
        }
        const people = access.list().map((account) => ({ ...account, keys: counts.get(account.id) ?? 0 }))
        return { body: { accounts: people, plans: plans.all() } }
      },
    }),
    platformRoute({
      method: 'PATCH',
      path: '/operator/accounts/:id',
      caller: 'admin',
      body: Type.Object({ plan: Type.String({ maxLength: 64 }) }, { additionalProperties: false }),
      answer: async ({ params, body, account, now }) => ({
        body: await access.setPlan(params.id as string, body.plan, { by: `account:${account.id}`, now }),
      }),
    }),
    platformRoute({
      method: 'GET',
      path: '/operator/usage',
      caller: 'admin',
      answer({ query, now }) {
        const keyIds = [...keys.list().map(({ id }) => id), PAGES_KEY_ID]
        return { body: usageReport(usage, { keyIds, ...usagePeriod(query, now) }) }
      },
    }),
    platformRoute({
      method: 'GET',
      path: '/operator/audit',
      caller: 'admin',
      answer() {
        const entries = []
        for (const entry of audit.newestFirst()) {
          entries.push(entry)
          if (entries.length === MOST_AUDITED) break
        }
        return { body: { entries } }
      },
    }),
  ]
}
