import { RETENTION_SECONDS, SPAN_SECONDS, USAGE_SPANS, type UsageSpan } from '../../accounts/store/usage-store.ts'
import { buildUsageReport } from '../../accounts/usage/usage-report.ts'
import { ApiError, quoteValue } from '../exchange/errors.ts'
import { isOwn } from './key-routes.ts'
import { definePlatformRoute, type PlatformDeps } from './platform-route.ts'

/** The default length of a report: two days by the hour, a month by the day. */
const DEFAULT_SPANS = { hour: 48, day: 31 } as const satisfies Record<UsageSpan, number>

/** Routes for the usage of the signed-in account's keys. */
export function createUsageRoutes({ accounts, recentRequests }: PlatformDeps) {
  const { keys, usage } = accounts
  return [
    definePlatformRoute({
      method: 'GET',
      path: '/requests',
      caller: 'account',
      async handle({ account }) {
        const names = new Map(keys.list(account.id).map(({ id, name }) => [id, name]))
        const requests = await recentRequests(account.id)
        return {
          body: { requests: requests.map((request) => ({ ...request, keyName: names.get(request.keyId) ?? '' })) },
        }
      },
    }),
    definePlatformRoute({
      method: 'GET',
      path: '/usage',
      caller: 'account',
      handle({ query, account, now }) {
        const { span, from, to } = parseUsagePeriod(query, now)
        const own = keys
          .list(account.id)
          .filter(isOwn)
          .map(({ id }) => id)
        const requested = query.get('key')
        if (requested !== null && !own.includes(requested)) {
          throw new ApiError('invalid_parameter', `No key of yours has the id ${quoteValue(requested)}.`, {
            parameter: 'key',
          })
        }
        return { body: buildUsageReport(usage, { keyIds: requested === null ? own : [requested], span, from, to }) }
      },
    }),
  ]
}

/** Parses the period of a usage report: `by`, `from` and `to`, in Unix seconds. */
export function parseUsagePeriod(query: URLSearchParams, now: number): { span: UsageSpan; from: number; to: number } {
  const by = query.get('by') ?? 'day'
  const span = USAGE_SPANS.find((one) => one === by)
  if (span === undefined) {
    const message = `The parameter "by" is ${quoteValue(by)}; it must be one of ${USAGE_SPANS.join(', ')}.`
    throw new ApiError('invalid_parameter', message, { parameter: 'by' })
  }
  const to = parseInstant(query, 'to') ?? now + 1
  const from = parseInstant(query, 'from') ?? to - DEFAULT_SPANS[span] * SPAN_SECONDS[span]
  if (from >= to || to - from > RETENTION_SECONDS[span]) {
    const days = RETENTION_SECONDS[span] / 86_400
    const message = `The parameters "from" and "to" must name a period of at most ${days} days, in order.`
    throw new ApiError('invalid_parameter', message, { parameter: 'from' })
  }
  return { span, from, to }
}

function parseInstant(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (/^\d{1,11}$/.test(text)) return Number(text)
  throw new ApiError('invalid_parameter', `The parameter "${name}" is ${quoteValue(text)}; Unix seconds are needed.`, {
    parameter: name,
  })
}
