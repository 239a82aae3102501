import type { StoredWebhook, WebhookFilter } from '../../accounts/store/account-tables.ts'
import type { SavedFeedRecord } from '../../accounts/store/push-store.ts'
import { FetchError } from '../../connectors/fetch/ssrf-guard.ts'
import Type, { type Static } from '../../lib/json-schema.ts'
import { PAST_CHANGE_TYPES } from '../../model/change.ts'
import { OUTPUT_LANGUAGES } from '../../model/language.ts'
import { ITEM_TYPES, isShowId, SHOW_TYPES } from '../../model/show.ts'
import { CHANGE_WINDOW_DAYS } from '../../model/time.ts'
import { SINCE_NOW } from '../../query/changes/changes-search.ts'
import type { QueryEngine, ReferenceNames } from '../../render/query-engine.ts'
import { checkWebhookUrl, createSender, sendTestMessage } from '../../webhooks/send-message.ts'
import { resolveCatalogs, resolveCountry, resolveGenres } from '../api/shared-parameters.ts'
import { ApiError } from '../exchange/errors.ts'
import { FEED_NAMES, parseFeedFilter } from '../feeds/feed-parameters.ts'
import { definePlatformRoute, type PlatformDeps } from './platform-route.ts'

/** The change types of webhooks. What is announced without a lead time is in the feeds. */
export const WEBHOOK_CHANGE_TYPES = [...PAST_CHANGE_TYPES, 'expiring'] as const

const MAX_SHOWS = 1_000

const filterSchema = Type.Object(
  {
    country: Type.String(),
    changeTypes: Type.Optional(Type.Array(Type.Enum(WEBHOOK_CHANGE_TYPES), { minItems: 1, maxItems: 4 })),
    itemTypes: Type.Optional(Type.Array(Type.Enum(ITEM_TYPES), { minItems: 1, maxItems: 3 })),
    catalogs: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 32 })),
    showType: Type.Optional(Type.Enum(SHOW_TYPES)),
    shows: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: MAX_SHOWS })),
    genres: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 32 })),
    language: Type.Optional(Type.Enum(OUTPUT_LANGUAGES)),
    leadDays: Type.Optional(Type.Integer({ minimum: 1, maximum: CHANGE_WINDOW_DAYS })),
  },
  { additionalProperties: false },
)

const name = Type.String({ minLength: 1, maxLength: 100 })
const url = Type.String({ minLength: 1, maxLength: 2_000 })

/** Routes for the webhooks of the signed-in account. */
export function createWebhookRoutes({ accounts, settings }: PlatformDeps, engine: QueryEngine) {
  const { webhooks } = accounts
  const allowPrivate = settings.privateWebhooks === 'allow'
  const send = createSender({ allowPrivate })

  function checkUrl(address: string): void {
    try {
      checkWebhookUrl(address, allowPrivate)
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      throw new ApiError('invalid_body', `The body's "url" cannot be used: ${error.message}.`)
    }
  }

  return [
    definePlatformRoute({
      method: 'GET',
      path: '/webhooks',
      caller: 'account',
      handle: ({ account }) => ({
        body: { webhooks: webhooks.all(account.id).map((webhook) => webhooks.describe(webhook)) },
      }),
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/webhooks',
      caller: 'account',
      isChange: true,
      body: Type.Object(
        { name, url, filter: Type.Optional(filterSchema), feed: Type.Optional(Type.String()) },
        { additionalProperties: false },
      ),
      async handle({ body, account, now }) {
        if (engine.version() === 0)
          throw new ApiError('unavailable', 'The service holds no catalog yet.', { retryAfter: 5 })
        checkUrl(body.url)
        if ((body.filter === undefined) === (body.feed === undefined)) {
          throw new ApiError('invalid_body', 'The body needs a "filter", or the id of a saved feed as "feed".')
        }
        const filter = resolveWebhookFilter(body.filter ?? savedFilter(body.feed ?? '', account.id), engine)
        const since = engine.resolveStreamToken(SINCE_NOW)
        const given = { accountId: account.id, name: body.name, url: body.url, filter, since }
        const created = await webhooks.create(given, { by: `account:${account.id}`, now })
        return { status: 201, body: { webhook: webhooks.describe(created), secret: created.secret } }
      },
    }),
    definePlatformRoute({
      method: 'PATCH',
      path: '/webhooks/:id',
      caller: 'account',
      isChange: true,
      body: Type.Object(
        {
          name: Type.Optional(name),
          url: Type.Optional(url),
          filter: Type.Optional(filterSchema),
          paused: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: false },
      ),
      async handle({ body, params, account, now }) {
        if (body.url !== undefined) checkUrl(body.url)
        const filter = body.filter === undefined ? undefined : resolveWebhookFilter(body.filter, engine)
        const context = { by: `account:${account.id}` as const, now }
        const changed = await webhooks.change(params.id ?? '', account.id, { ...body, filter }, context)
        return { body: { webhook: webhooks.describe(changed) } }
      },
    }),
    definePlatformRoute({
      method: 'DELETE',
      path: '/webhooks/:id',
      caller: 'account',
      isChange: true,
      async handle({ params, account, now }) {
        await webhooks.delete(params.id ?? '', account.id, { by: `account:${account.id}`, now })
        return {}
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/webhooks/:id/rotate',
      caller: 'account',
      isChange: true,
      async handle({ params, account, now }) {
        const rotated = await webhooks.rotate(params.id ?? '', account.id, { by: `account:${account.id}`, now })
        return { body: { webhook: webhooks.describe(rotated), secret: rotated.secret } }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/webhooks/:id/test',
      caller: 'account',
      isChange: true,
      handle: async ({ params, account, now }) => ({
        body: await sendTestMessage(send, ownWebhook(params.id, account.id), now),
      }),
    }),
    definePlatformRoute({
      method: 'GET',
      path: '/webhooks/:id/deliveries',
      caller: 'account',
      handle({ params, account }) {
        const { id } = ownWebhook(params.id, account.id)
        return { body: { deliveries: webhooks.log(id), deadLetters: webhooks.deadLetters(id).map(printDeadLetter) } }
      },
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/webhooks/:id/replay',
      caller: 'account',
      isChange: true,
      body: Type.Object({ message: Type.Optional(Type.String()) }, { additionalProperties: false }),
      handle: async ({ params, account, body }) => ({
        body: { replayed: await webhooks.replay(params.id ?? '', account.id, body.message) },
      }),
    }),
  ]

  /** The filter of a saved feed, for a webhook that gets the same changes. */
  function savedFilter(id: string, accountId: string): GivenFilter {
    const saved = accounts.feeds.list(accountId).find((feed) => feed.id === id)
    if (saved === undefined) throw new ApiError('invalid_body', `The body's "feed" is none of your saved feeds.`)
    const { country, genres, showType, showId, changeTypes, language } = parseFeedFilter(saved.search, engine.names())
    const catalogs = new URLSearchParams(saved.search).get('catalogs')
    return {
      country,
      changeTypes: [...changeTypes],
      itemTypes: ['show', 'season'],
      language,
      genres: [...genres],
      ...(catalogs !== null && { catalogs: catalogs.split(',') }),
      ...(showType !== undefined && { showType }),
      ...(showId !== undefined && { shows: [showId] }),
    }
  }

  function ownWebhook(id: string | undefined, accountId: string): StoredWebhook {
    return webhooks.get(id ?? '', accountId)
  }
}

type GivenFilter = Static<typeof filterSchema>

/** A filter as webhooks store it; throws for a country, catalog, genre or show that does not exist. */
export function resolveWebhookFilter(
  given: GivenFilter,
  engine: Pick<QueryEngine, 'names' | 'findShowId'>,
): WebhookFilter {
  const names = engine.names()
  const country = resolveCountry(given.country, names)
  const catalogs = given.catalogs ?? []
  resolveCatalogs(catalogs, country, { names, strict: true, ignore: () => {} })
  const genres = resolveGenres(given.genres ?? [], names)
  // A show of the service's own numbers may come later.
  const shows = (given.shows ?? []).map((id) => {
    const found = isShowId(id) ? id : engine.findShowId(id)
    if (found !== undefined) return found
    throw new ApiError('invalid_body', `The body's "shows" has ${JSON.stringify(id)}, which is the id of no show.`)
  })
  return {
    country,
    changeTypes: WEBHOOK_CHANGE_TYPES.filter((type) => (given.changeTypes ?? ['new', 'removed']).includes(type)),
    itemTypes: ITEM_TYPES.filter((type) => (given.itemTypes ?? ['show']).includes(type)),
    catalogs,
    ...(given.showType !== undefined && { showType: given.showType }),
    shows,
    ...(genres.length > 0 && { genres }),
    language: given.language ?? 'en',
    leadDays: given.leadDays ?? 7,
  }
}

function printDeadLetter({ id, at, changes, error, replay = false }: ReturnType<WebhookDeadLetters>[number]) {
  return { id, at, changes, error, replay }
}

type WebhookDeadLetters = PlatformDeps['accounts']['webhooks']['deadLetters']

const words = Type.Array(Type.String({ maxLength: 100 }), { maxItems: 32 })

const newFeed = Type.Object(
  {
    name: Type.String(),
    country: Type.String(),
    catalogs: Type.Optional(words),
    genres: Type.Optional(words),
    showType: Type.Optional(Type.Enum(SHOW_TYPES)),
    show: Type.Optional(Type.String({ maxLength: 40 })),
    changeTypes: Type.Optional(Type.Array(Type.Enum(PAST_CHANGE_TYPES), { maxItems: PAST_CHANGE_TYPES.length })),
    language: Type.Optional(Type.Enum(OUTPUT_LANGUAGES)),
  },
  { additionalProperties: false },
)

/** Routes for the saved feeds of the signed-in account. `names` checks their filters. */
export function createFeedRoutes({ accounts }: PlatformDeps, names: () => ReferenceNames) {
  const { feeds } = accounts
  return [
    definePlatformRoute({
      method: 'GET',
      path: '/feeds',
      caller: 'account',
      handle: ({ account }) => ({ body: { feeds: feeds.list(account.id).map(printFeed) } }),
    }),
    definePlatformRoute({
      method: 'POST',
      path: '/feeds',
      caller: 'account',
      isChange: true,
      body: newFeed,
      async handle({ body, account, now }) {
        const { name, country, catalogs = [], genres = [], showType, show, changeTypes = [], language } = body
        const search = new URLSearchParams({ country })
        if (catalogs.length > 0) search.set('catalogs', catalogs.join())
        if (genres.length > 0) search.set('genres', genres.join())
        if (showType !== undefined) search.set('show_type', showType)
        if (show !== undefined) search.set('show', show)
        if (changeTypes.length > 0) search.set('change_type', changeTypes.join())
        if (language !== undefined) search.set('output_language', language)
        parseFeedFilter(search.toString(), names())
        const context = { by: `account:${account.id}` as const, now }
        return { status: 201, body: printFeed(await feeds.create(account.id, name, search.toString(), context)) }
      },
    }),
    definePlatformRoute({
      method: 'DELETE',
      path: '/feeds/:id',
      caller: 'account',
      isChange: true,
      async handle({ params, account, now }) {
        await feeds.delete(account.id, params.id ?? '', { by: `account:${account.id}`, now })
        return {}
      },
    }),
  ]
}

/** A feed with its addresses, below that of the service. */
function printFeed({ id, name, search, createdAt, address }: SavedFeedRecord) {
  const paths = Object.fromEntries(FEED_NAMES.map((feed) => [feed, `/feeds/saved/${address}/${feed}`]))
  return { id, name, filter: Object.fromEntries(new URLSearchParams(search)), createdAt, paths }
}
