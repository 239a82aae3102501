import { DEFAULT_OVERLAP_SECONDS, type KeyRecord, MAX_OVERLAP_SECONDS } from '../../accounts/keys/key-store.ts'
import { AccountError } from '../../accounts/store/account-store.ts'
import Type from '../../lib/json-schema.ts'
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
export function isOwn({ testUntil }: KeyRecord): boolean {
  return testUntil === undefined
}
