import type { KeyRecord } from '../../accounts/keys/key-store.ts'
import Type from '../../lib/json-schema.ts'
import { ApiError } from '../exchange/errors.ts'
import { definePlatformRoute, type PlatformDeps } from './platform-route.ts'

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
