import type { RouteHandlerMethod } from 'fastify'
import type { Meter } from '../../accounts/keys/meter.ts'
import type { SavedFeeds } from '../../accounts/store/push-store.ts'
import { encodeUnpooled } from '../../lib/bytes.ts'
import { type MeteredCache, VersionedCache } from '../../lib/cache.ts'
import type { Clock } from '../../lib/clock.ts'
import { startOfDay } from '../../model/time.ts'
import type { QueryEngine } from '../../render/query-engine.ts'
import { ApiError } from '../exchange/errors.ts'
import { type ApiRequest, checkRequest } from '../exchange/exchange.ts'
import type { RequestLog } from '../exchange/request-log.ts'
import { extractQueryString } from '../request/parameter-parser.ts'
import type { VisitorTokens } from '../request/visitor-token.ts'
import { toQuotaError } from '../response/error-response.ts'
import type { Responder } from '../response/responder.ts'
import { requestOrigin, sendPage } from '../site/page.ts'
import { FEED_NAMES, type FeedName, feedQueries, parseFeedFilter } from './feed-parameters.ts'
import { type Feed, feedTitle, toFeedEntries, writeAtom, writeCalendar, writeJsonFeed } from './write-feed.ts'

/** How long readers and proxies may keep a feed, and how old one made before may be. */
const TTL_SECONDS = 900

const MAX_CACHE_BYTES = 16 * 1024 * 1024

const CONTENT_TYPES: Readonly<Record<FeedName, string>> = {
  'changes.atom': 'application/atom+xml; charset=utf-8',
  'changes.json': 'application/feed+json; charset=utf-8',
  'new.ics': 'text/calendar; charset=utf-8',
  'leaving.ics': 'text/calendar; charset=utf-8',
}

/** The page that shows the same as a feed. */
const PAGES: Readonly<Record<FeedName, string>> = {
  'changes.atom': '/new',
  'changes.json': '/new',
  'new.ics': '/new',
  'leaving.ics': '/leaving',
}

/** What the feeds need of the HTTP side. */
interface FeedDeps {
  readonly engine: QueryEngine
  readonly meter: Pick<Meter, 'admit'>
  readonly clock: Clock
  readonly publicUrl: string | undefined
  /** Meters clients as the web pages do; without it feeds have no limit. */
  readonly visitorTokens: VisitorTokens | undefined
  /** Without it there are no saved feeds. */
  readonly savedFeeds: Pick<SavedFeeds, 'findByAddress'> | undefined
  readonly responder: Responder
  readonly log: RequestLog
}

/** The feeds for people: their paths with handlers. They need no key. */
export interface FeedRoutes {
  readonly paths: readonly (readonly [path: string, handler: RouteHandlerMethod])[]
  caches(): readonly MeteredCache[]
}

export function createFeedRoutes(deps: FeedDeps): FeedRoutes {
  const { engine, meter, clock, visitorTokens, savedFeeds, responder, log } = deps
  const bodies = new VersionedCache<string, Buffer>({
    name: 'feeds',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: (body, key) => body.length + 2 * key.length,
  })

  /** Handles `/feeds/<name>`, whose filter is the query string, or `/feeds/saved/:address/<name>`. */
  function createHandler(name: FeedName, isSaved: boolean): RouteHandlerMethod {
    return (request, reply) => {
      const req = request.raw
      log.logOnFinish(req, reply.raw, request.id)
      try {
        checkRequest(req)
        const now = clock()
        limitRate(req, now)
        if (engine.version() === 0) {
          throw new ApiError('unavailable', 'The service holds no catalog yet; try again later.', { retryAfter: 5 })
        }
        const origin = requestOrigin(req.headers, deps.publicUrl)
        const search = isSaved ? savedSearch(request.params as { address: string }) : extractQueryString(req.url ?? '')
        const body = makeFeed(name, search, `${origin}${req.url ?? ''}`, origin, now)
        const cacheControl = `${isSaved ? 'private' : 'public'}, max-age=${TTL_SECONDS}`
        sendPage(responder, req, reply.raw, request.id, { contentType: CONTENT_TYPES[name], body, cacheControl })
      } catch (error) {
        responder.sendError(req, reply.raw, request.id, error)
      }
    }
  }

  function limitRate(req: ApiRequest, now: number): void {
    if (visitorTokens === undefined) return
    const admission = meter.admit(visitorTokens.keyOfClient(req), now)
    if (admission.refusal !== undefined) throw toQuotaError(admission)
  }

  function savedSearch({ address }: { readonly address: string }): string {
    const saved = savedFeeds?.findByAddress(address)
    if (saved === undefined) throw new ApiError('not_found', 'There is no such feed; its owner may have revoked it.')
    return saved.search
  }

  function makeFeed(name: FeedName, search: string, self: string, origin: string, now: number): Buffer {
    const version = `${engine.version()}/${Math.floor(now / TTL_SECONDS)}`
    return bodies.getOrCompute(`${name} ${search} ${self}`, version, () => {
      const filter = parseFeedFilter(search, engine.names())
      const { country, language } = filter
      const changes = feedQueries(name, filter, now).flatMap((query) => {
        const found = engine.feedChanges(query, now)
        if (found === undefined) throw new ApiError('not_found', 'No show has this id.', { parameter: 'show' })
        return found
      })
      const viewer = `country=${country}&lang=${language}`
      const page = filter.showId === undefined ? PAGES[name] : `/show/${filter.showId}`
      const feed: Feed = {
        title: feedTitle(name, country, language),
        language,
        self,
        page: `${origin}${page}?${viewer}`,
        origin,
        updatedAt: startOfDay(now),
        entries: toFeedEntries(changes, country, language),
        showAddress: ({ id }) => `${origin}/show/${id}?${viewer}`,
      }
      return encodeUnpooled(writeFeed(name, feed, now))
    })
  }

  return {
    paths: FEED_NAMES.flatMap((name) => [
      [`/feeds/${name}`, createHandler(name, false)] as const,
      [`/feeds/saved/:address/${name}`, createHandler(name, true)] as const,
    ]),
    caches: () => [bodies],
  }
}

function writeFeed(name: FeedName, feed: Feed, now: number): string {
  switch (name) {
    case 'changes.atom':
      return writeAtom(feed)
    case 'changes.json':
      return writeJsonFeed(feed)
    default:
      // The time of the day would make every copy differ.
      return writeCalendar(feed, startOfDay(now))
  }
}
