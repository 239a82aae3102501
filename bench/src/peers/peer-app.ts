import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { FoundChange, FoundShow, PeerStore } from './peer-store.ts'
import type { Reference } from './rendering/reference.ts'
import { changeSearch, filterSearch, movieOf, type Query } from './searches.ts'
import { plain } from './text.ts'

/** The data never changes while it is measured. So one tag is good for all, and a 304 costs no query. */
const ETAG = 'W/"1"'

/**
 * The questions over Fastify, in front of a database. Tuned: nothing is logged or validated, answers are joined from
 * ready texts and sent as text, reference data is kept in memory, and a matching entity tag is answered at once.
 * Compression has the levels that are common for answers made on the fly: gzip 6, brotli 4.
 */
export async function peerApp(store: PeerStore, reference: Reference): Promise<FastifyInstance> {
  const app = fastify({ logger: false, exposeHeadRoutes: false })
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 1024,
    zlibOptions: { level: 6 },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: 1 } },
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('etag', ETAG)
    if (request.headers['if-none-match'] === ETAG) return reply.code(304).send()
  })

  app.get('/shows/search/filters', async (request, reply) => {
    const search = filterSearch(request.query as Query)
    return json(reply, filterPage(await store.filters!(search), search.limit - 1))
  })
  app.get('/shows/search/title', async (request, reply) => {
    const query = request.query as Query
    const shows = await store.title!(plain(query.title!), query.country!, movieOf(query))
    return json(reply, `[${shows.join(',')}]`)
  })
  app.get('/shows/*', async (request, reply) => {
    const { '*': id } = request.params as { '*': string }
    const show = await store.show!(id, (request.query as Query).country)
    return show === undefined ? reply.code(404).send() : json(reply, show)
  })
  app.get('/changes', async (request, reply) => {
    const search = changeSearch(request.query as Query, Math.floor(Date.now() / 1000))
    return json(reply, changePage(await store.changes!(search), search.limit - 1))
  })
  const countries = Buffer.from(`[${Object.values(reference.countries).join(',')}]`)
  const country = new Map(Object.entries(reference.countries).map(([code, text]) => [code, Buffer.from(text)]))
  app.get('/countries', (_, reply) => json(reply, countries))
  app.get('/countries/:code', (request, reply) => json(reply, country.get((request.params as { code: string }).code)!))
  return app
}

function json(reply: FastifyReply, text: string | Buffer): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text)
}

function filterPage(found: readonly FoundShow[], size: number): string {
  const shows = `{"shows":[${found
    .slice(0, size)
    .map(({ text }) => text)
    .join(',')}]`
  const next = found[size]
  if (next === undefined) return `${shows},"hasMore":false}`
  return `${shows},"hasMore":true,"nextCursor":${JSON.stringify(`${next.id}:${next.value}`)}}`
}

function changePage(found: readonly FoundChange[], size: number): string {
  const page = found.slice(0, size)
  const shows = new Map(page.map(({ showId, text }) => [showId, text]))
  const changes = page.map(({ body }) => body).join(',')
  const map = [...shows].map(([id, text]) => `"${id}":${text}`).join(',')
  const next = found[size]
  const more = next === undefined ? '"hasMore":false' : `"hasMore":true,"nextCursor":"${next.time}:${next.rank}"`
  return `{"changes":[${changes}],"shows":{${map}},${more}}`
}
