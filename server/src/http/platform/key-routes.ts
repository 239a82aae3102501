import { DEFAULT_OVERLAP_SECONDS, type KeyRecord, MAX_OVERLAP_SECONDS } from '../../accounts/keys/key-store.ts'
import { AccountError } from '../../accounts/store/account-store.ts'
import { RETENTION_SECONDS, SPAN_SECONDS, USAGE_SPANS, type UsageSpan } from '../../accounts/store/usage-store.ts'
import { buildUsageReport } from '../../accounts/usage/usage-report.ts'
import Type from '../../lib/json-schema.ts'
import { ApiError, quoteValue } from '../exchange/errors.ts'
import { definePlatformRoute, type PlatformDeps } from './platform-route.ts'

const name = Type.String({ maxLength: 200 })
const origins = Type.Array(Type.String({ maxLength: 300 }), { maxItems: 100 })
const strict = { additionalProperties: false }

/** Routes for the keys of the signed-in account. */
export function createKeyRoutes({ accounts }: PlatformDeps) {
  const { keys, usage, plans } = accounts

  /** A key of the account; a key of another account counts as unknown. */
  function requireOwnKey(accountId: string, id: string): KeyRecord {
    const record = keys.get(id)
    if (record?.accountId === accountId) return record
    throw new AccountError('unknown_key', `No key has the id ${id}`)
  }

  function describeKey(record: KeyRecord) {
    const lastUse = usage.lastUse(record.id)
    return {
      ...record,
      ...(lastUse !== undefined && { lastUsedAt: lastUse.at }),
      ...(lastUse?.origin !== undefined && { lastOrigin: lastUse.origin }),
    }
  }

  return [
    definePlatformRoute({
      method: 'GET',
      path: '/plans',
      caller: 'anyone',
      handle: () => ({ body: { plans: plans.list() } }),
    }),
    definePlatformRoute({
      method: 'GET',
      path: '/keys',
      caller: 'account',
      handle: ({ account }) => ({ body: { keys: keys.list(account.id).filter(isOwn).map(describeKey) } }),
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/test-key',
      caller: 'account',
      isChange: true,
      async handle({ account, now }) {
        const { key, record } = await keys.createTest(account.id, { by: `account:${account.id}`, now })
        return { status: 201, body: { key, record: describeKey(record) } }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/keys',
      caller: 'account',
      isChange: true,
      body: Type.Object({ name, origins: Type.Optional(origins) }, strict),
      async handle({ body, account, now }) {
        const act = { by: `account:${account.id}`, now } as const
        const { key, record } = await keys.create({ source: 'direct', accountId: account.id, ...body }, act)
        return { status: 201, body: { key, record: describeKey(record) } }
      },
    }),
    definePlatformRoute({
      method: 'PATCH',
      path: '/keys/:id',
      caller: 'account',
      isChange: true,
      body: Type.Object({ name: Type.Optional(name), origins: Type.Optional(origins) }, strict),
      async handle({ body, params, account, now }) {
        const { id } = requireOwnKey(account.id, params.id as string)
        return { body: { record: describeKey(await keys.change(id, body, { by: `account:${account.id}`, now })) } }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/keys/:id/rotate',
      caller: 'account',
      isChange: true,
      body: Type.Object(
        { overlapSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_OVERLAP_SECONDS })) },
        strict,
      ),
      async handle({ body, params, account, now }) {
        const { id } = requireOwnKey(account.id, params.id as string)
        const overlap = body.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS
        const { key, record } = await keys.rotate(id, overlap, { by: `account:${account.id}`, now })
        return { status: 201, body: { key, record: describeKey(record) } }
      },
    }),
    definePlatformRoute({
      method: 'DELETE',
      path: '/keys/:id',
      caller: 'account',
      isChange: true,
      async handle({ params, account, now }) {
        const { id } = requireOwnKey(account.id, params.id as string)
        return { body: { record: describeKey(await keys.revoke(id, { by: `account:${account.id}`, now })) } }
      },
    }),
  ]
}

/** Whether a key is one of the account's own; its test key ends by itself, and does not count towards its quota. */
function isOwn({ testUntil }: KeyRecord): boolean {
  return testUntil === undefined
}

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

const SUBSCRIPTION_PATH = '/marketplace/subscriptions/:id'

/** Routes by which the marketplace manages subscriptions. All of them are idempotent. */
export function createMarketplaceRoutes({ accounts }: PlatformDeps) {
  const { subscriptions } = accounts

  function describeSubscription(id: string, { plan, createdAt, revokedAt, hint, name }: KeyRecord) {
    return {
      subscription: id,
      state: revokedAt === undefined ? 'active' : 'ended',
      plan,
      name,
      hint,
      createdAt,
      ...(revokedAt !== undefined && { endedAt: revokedAt }),
    }
  }

  function requireSubscription(id: string, record: KeyRecord | undefined) {
    if (record === undefined) throw new ApiError('not_found', `There is no subscription ${id}; PUT starts one.`)
    return describeSubscription(id, record)
  }

  return [
    definePlatformRoute({
      method: 'GET',
      path: SUBSCRIPTION_PATH,
      caller: 'marketplace',
      handle({ params }) {
        const id = parseSubscriptionId(params)
        return { body: requireSubscription(id, subscriptions.get(id)) }
      },
    }),
    definePlatformRoute({
      method: 'PUT',
      path: SUBSCRIPTION_PATH,
      caller: 'marketplace',
      body: Type.Object(
        {
          plan: Type.String({ maxLength: 64 }),
          name: Type.Optional(Type.String({ maxLength: 100 })),
          key: Type.Optional(Type.String({ maxLength: 200 })),
        },
        { additionalProperties: false },
      ),
      async handle({ params, body, now }) {
        const id = parseSubscriptionId(params)
        const { plan, key, name = id } = body
        const { created, record, ...made } = await subscriptions.put({ id, plan, name, key }, now)
        return { status: created ? 201 : 200, body: { ...made, ...describeSubscription(id, record) } }
      },
    }),
    definePlatformRoute({
      method: 'DELETE',
      path: SUBSCRIPTION_PATH,
      caller: 'marketplace',
      async handle({ params, now }) {
        const id = parseSubscriptionId(params)
        return { body: requireSubscription(id, await subscriptions.end(id, now)) }
      },
    }),
  ]
}

function parseSubscriptionId(params: Readonly<Record<string, string>>): string {
  const id = params.id as string
  if (/^[\x21-\x7e]{1,100}$/.test(id)) return id
  throw new ApiError('invalid_parameter', 'A subscription is named by 1 to 100 printable ASCII characters.', {
    parameter: 'id',
  })
}
