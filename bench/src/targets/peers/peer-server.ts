/**
 * The process of a peer: `peer-server.js KIND REFERENCE DATABASE`. A Fastify app in front of a database.
 * Tuned: no logging, no validation, responses joined from prerendered text, reference data in memory, and a matching
 * ETag answered without a query. Compression uses common levels for dynamic responses: gzip 6, brotli 4.
 */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { normalize } from './analyzer.ts'
import { MiniSearchStore } from './minisearch/minisearch-store.ts'
import {
  type FoundChange,
  type FoundShow,
  type PeerStore,
  parseChangesQuery,
  parseFilterQuery,
  parseShowType,
  type QueryParameters,
} from './peer-store.ts'
import { PostgresStore } from './postgres/postgres-store.ts'
import type { Reference } from './prerender/reference.ts'
import { SqliteStore } from './sqlite/sqlite-store.ts'

/** The data does not change during a run, so one ETag is valid for all responses. */
const ETAG = 'W/"1"'

const [kind, referenceFile, database] = process.argv.slice(2) as [string, string, string]
const reference = JSON.parse(readFileSync(referenceFile, 'utf8')) as Reference
const app = await createPeerApp(openStore(), reference)
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`listening ${(app.server.address() as AddressInfo).port}`)
process.once('SIGTERM', () => process.exit(0))

function openStore(): PeerStore {
  switch (kind) {
    case 'sqlite':
      return new SqliteStore(database, reference)
    case 'minisearch':
      return MiniSearchStore.open(database, reference)
    case 'postgres':
      return new PostgresStore(database)
    default:
      throw new Error(`Unknown peer "${kind}"`)
  }
}

async function createPeerApp(store: PeerStore, reference: Reference): Promise<FastifyInstance> {
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
    const search = parseFilterQuery(request.query as QueryParameters)
    return sendJson(reply, formatFilterPage(await store.filters!(search), search.limit - 1))
  })
  app.get('/shows/search/title', async (request, reply) => {
    const query = request.query as QueryParameters
    const shows = await store.title!(normalize(query.title!), query.country!, parseShowType(query))
    return sendJson(reply, `[${shows.join(',')}]`)
  })
  app.get('/shows/*', async (request, reply) => {
    const { '*': id } = request.params as { '*': string }
    const show = await store.show!(id, (request.query as QueryParameters).country)
    return show === undefined ? reply.code(404).send() : sendJson(reply, show)
  })
  app.get('/changes', async (request, reply) => {
    const search = parseChangesQuery(request.query as QueryParameters, Math.floor(Date.now() / 1000))
    return sendJson(reply, formatChangesPage(await store.changes!(search), search.limit - 1))
  })
  const countries = Buffer.from(`[${Object.values(reference.countries).join(',')}]`)
  const country = new Map(Object.entries(reference.countries).map(([code, text]) => [code, Buffer.from(text)]))
  app.get('/countries', (_, reply) => sendJson(reply, countries))
  app.get('/countries/:code', (request, reply) =>
    sendJson(reply, country.get((request.params as { code: string }).code)!),
  )
  return app
}

function sendJson(reply: FastifyReply, text: string | Buffer): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text)
}

function formatFilterPage(found: readonly FoundShow[], size: number): string {
  const shows = `{"shows":[${found
    .slice(0, size)
    .map(({ text }) => text)
    .join(',')}]`
  const next = found[size]
  if (next === undefined) return `${shows},"hasMore":false}`
  return `${shows},"hasMore":true,"nextCursor":${JSON.stringify(`${next.id}:${next.value}`)}}`
}

function formatChangesPage(found: readonly FoundChange[], size: number): string {
  const page = found.slice(0, size)
  const shows = new Map(page.map(({ showId, text }) => [showId, text]))
  const changes = page.map(({ body }) => body).join(',')
  const map = [...shows].map(([id, text]) => `"${id}":${text}`).join(',')
  const next = found[size]
  const more = next === undefined ? '"hasMore":false' : `"hasMore":true,"nextCursor":"${next.time}:${next.rank}"`
  return `{"changes":[${changes}],"shows":{${map}},${more}}`
}
