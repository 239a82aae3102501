import type { SavedFeedRecord } from '../../accounts/push/saved-feeds.ts'
import Type from '../../lib/json-schema.ts'
import { PAST_CHANGE_TYPES } from '../../model/change.ts'
import { OUTPUT_LANGUAGES } from '../../model/language.ts'
import { SHOW_TYPES } from '../../model/show.ts'
import type { ReferenceNames } from '../../render/query-engine.ts'
import { FEED_NAMES, parseFeedFilter } from '../feeds/feed-parameters.ts'
import { definePlatformRoute, type PlatformDeps } from './platform-route.ts'

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
