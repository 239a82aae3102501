import { buildUsageReport } from '../../accounts/usage/usage-report.ts'
import Type from '../../lib/json-schema.ts'
import { ApiError } from '../exchange/errors.ts'
import { VISITOR_KEY_ID } from '../request/visitor-token.ts'
import { parseUsagePeriod } from './key-routes.ts'
import { definePlatformRoute, type PlatformDeps } from './platform-route.ts'

const MAX_AUDIT_ENTRIES = 200

/** The routes of admins about the service as a whole: status, checks, usage and audit log. */
export function createOperatorRoutes({ accounts, operator }: PlatformDeps) {
  const { keys, usage, audit } = accounts
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
      method: 'POST',
      path: '/operator/sources/:name',
      caller: 'admin',
      body: Type.Object(
        { action: Type.Union([Type.Literal('run'), Type.Literal('pause'), Type.Literal('resume')]) },
        { additionalProperties: false },
      ),
      async handle({ params, body }) {
        const name = params.name as string
        if (await operator.controlSource(name, body.action)) return {}
        throw new ApiError('not_found', `There is no scheduled source ${JSON.stringify(name)}.`)
      },
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
