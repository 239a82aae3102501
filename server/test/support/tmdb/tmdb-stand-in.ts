import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type Fault, fail, sendError } from '../faults.ts'
import { buildDetails, buildPart } from './title-documents.ts'
import { isAdult, type Kind, PROVIDERS, type TitleFacts, titleFacts } from './title-facts.ts'

export interface StandInOptions {
  readonly movies: number
  readonly series: number
  /** Requests a second before status 429; unlimited by default. */
  readonly rate?: number
  /** The current time in Unix seconds. */
  readonly now?: () => number
}

/** The token that the stand-in accepts. */
export const STAND_IN_TOKEN = 'stand-in-token'

const MOST_APPENDED = 20
const CHANGES_A_PAGE = 100
const DAY = 86_400

/** A server with TMDB's API and deterministic generated titles. */
export class TmdbStandIn {
  /** Path and query of each request so far. */
  readonly requests: string[] = []
  /** Called for each valid API request; a returned fault is sent instead of the answer. */
  fault: (path: string) => Fault | undefined = () => undefined
  /** The same for daily files. */
  exportFault: () => Fault | undefined = () => undefined
  /** Changes a document before it is sent. */
  answer: (document: object) => object = (document) => document
  /** Called before each answer with the number of requests so far. */
  onRequest: (count: number) => void = () => {}
  refused = 0
  address = ''
  private readonly options: StandInOptions
  private readonly now: () => number
  private readonly revisions = new Map<string, number>()
  private readonly changedOn = new Map<string, number>()
  private readonly removed = new Set<string>()
  private readonly server = createServer((request, response) => this.handle(request, response))
  private tokens: number
  private refilled = performance.now()

  constructor(options: StandInOptions) {
    this.options = options
    this.now = options.now ?? (() => Math.floor(Date.now() / 1000))
    this.tokens = options.rate ?? 0
  }

  async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    this.address = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
    return this
  }

  async close(): Promise<void> {
    this.server.close()
    this.server.closeAllConnections()
  }

  /** The number of requests to a path, with any query. */
  count(path: string | RegExp): number {
    const fits = (request: string) => {
      const [pathname = ''] = request.split('?')
      return typeof path === 'string' ? pathname === path : path.test(pathname)
    }
    return this.requests.filter(fits).length
  }

  /** Changes the overview and the offers of a title. */
  change(kind: Kind, id: number): void {
    const key = `${kind}/${id}`
    this.revisions.set(key, (this.revisions.get(key) ?? 0) + 1)
    this.changedOn.set(key, this.now())
  }

  remove(kind: Kind, id: number): void {
    this.removed.add(`${kind}/${id}`)
    this.changedOn.set(`${kind}/${id}`, this.now())
  }

  /** The current facts of a title. */
  title(kind: Kind, id: number): TitleFacts {
    return titleFacts(kind, id, this.revisions.get(`${kind}/${id}`) ?? 0)
  }

  /** The ids of a kind without adult titles, in descending popularity. */
  popular(kind: Kind): number[] {
    return this.ids(kind)
      .filter((id) => !isAdult(kind, id))
      .sort((a, b) => this.title(kind, b).popularity - this.title(kind, a).popularity || a - b)
  }

  private ids(kind: Kind): number[] {
    return Array.from({ length: this.most(kind) }, (_, i) => i + 1).filter((id) => this.has(kind, id))
  }

  private most(kind: Kind): number {
    return kind === 'movie' ? this.options.movies : this.options.series
  }

  private has(kind: Kind, id: number): boolean {
    return id >= 1 && id <= this.most(kind) && !this.removed.has(`${kind}/${id}`)
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    this.requests.push(url.pathname + url.search)
    this.onRequest(this.requests.length)
    const exported = /^\/p\/exports\/(movie|tv_series)_ids_(\d\d)_(\d\d)_(\d{4})\.json\.gz$/.exec(url.pathname)
    if (exported === null) this.answerKeyed(request, response, url)
    else {
      const date = `${exported[4]}-${exported[2]}-${exported[3]}`
      this.sendExport(response, exported[1] === 'movie' ? 'movie' : 'tv', date)
    }
  }

  private answerKeyed(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const key = request.headers.authorization ?? `Bearer ${url.searchParams.get('api_key')}`
    const document = this.document(url)
    const body = JSON.stringify(typeof document === 'object' ? this.answer(document) : {})
    if (key !== `Bearer ${STAND_IN_TOKEN}`) sendError(response, 401)
    else if (!this.admit()) {
      this.refused++
      sendError(response, 429, { 'retry-after': '1' })
    } else {
      const fault = this.fault(url.pathname)
      if (fault !== undefined) fail(response, fault, body)
      else if (document === undefined) sendError(response, 404)
      else if (typeof document === 'number') sendError(response, document)
      else response.writeHead(200, { 'content-type': 'application/json;charset=utf-8' }).end(body)
    }
  }

  /** A token bucket that holds the requests of one second, which is how the real limit seems to work. */
  private admit(): boolean {
    const { rate } = this.options
    if (rate === undefined) return true
    const now = performance.now()
    this.tokens = Math.min(rate, this.tokens + ((now - this.refilled) / 1000) * rate)
    this.refilled = now
    if (this.tokens < 1) return false
    this.tokens--
    return true
  }

  /** The document at a path, or an error status; undefined if there is none. */
  private document(url: URL): object | number | undefined {
    const path = url.pathname.replace(/^\/3\//, '')
    const changes = /^(movie|tv)\/changes$/.exec(path)
    if (changes !== null) return this.changes(changes[1] as Kind, url.searchParams)
    const providers = /^watch\/providers\/(movie|tv)$/.exec(path)
    if (providers !== null) return providerList(url.searchParams.get('watch_region'))
    const title = /^(movie|tv)\/(\d+)(?:\/(.+))?$/.exec(path)
    if (title === null) return undefined
    const [, kind, id, part] = title as unknown as [string, Kind, string, string | undefined]
    if (!this.has(kind, Number(id))) return undefined
    const facts = this.title(kind, Number(id))
    const languages = url.searchParams.get('include_image_language')?.split(',')
    if (part !== undefined) return buildPart(facts, part, languages)
    const appended = url.searchParams.get('append_to_response')?.split(',') ?? []
    if (appended.length > MOST_APPENDED) return 400
    const parts = appended.flatMap((name) => {
      const value = buildPart(facts, name, languages)
      return value === undefined ? [] : [[name, value]]
    })
    return { ...buildDetails(facts), ...Object.fromEntries(parts) }
  }

  private changes(kind: Kind, query: URLSearchParams): object | number {
    const from = Date.parse(query.get('start_date') ?? '') / 1000
    const to = Date.parse(query.get('end_date') ?? '') / 1000 + DAY
    if (!(to > from) || to - from > 15 * DAY) return 400
    const ids = [...this.changedOn]
      .filter(([key, at]) => key.startsWith(`${kind}/`) && at >= from && at < to)
      .map(([key]) => ({ id: Number(key.split('/')[1]), adult: false }))
    // A real day has thousands of changes, mostly of titles that the sync does not hold.
    for (let i = 0; i < 250; i++) ids.push({ id: 5_000_000 + i, adult: false })
    const page = Number(query.get('page') ?? 1)
    const results = ids.slice((page - 1) * CHANGES_A_PAGE, page * CHANGES_A_PAGE)
    return { results, page, total_pages: Math.ceil(ids.length / CHANGES_A_PAGE), total_results: ids.length }
  }

  private sendExport(response: ServerResponse, kind: Kind, date: string): void {
    const today = new Date(this.now() * 1000).toISOString().slice(0, 10)
    // Today's file does not exist yet in the early morning, and old ones are deleted.
    if (date >= today || Date.parse(date) < Date.parse(today) - 90 * DAY * 1000) {
      sendError(response, 404)
      return
    }
    const lines = this.ids(kind).map((id) => {
      const { title, popularity } = this.title(kind, id)
      const named = kind === 'movie' ? { original_title: title, video: false } : { original_name: title }
      return JSON.stringify({ ...(kind === 'movie' && { adult: isAdult(kind, id) }), id, ...named, popularity })
    })
    const packed = gzipSync(`${lines.join('\n')}\n`)
    const fault = this.exportFault()
    if (fault === undefined) response.writeHead(200, { 'content-type': 'application/gzip' }).end(packed)
    else fail(response, fault, packed)
  }
}

function providerList(region: string | null): object {
  const results = PROVIDERS.filter(({ priorities }) => region === null || region in priorities)
  return {
    results: results.map(({ id, name, priorities }) => ({
      display_priorities: priorities,
      display_priority: 0,
      logo_path: `/logo${id}.jpg`,
      provider_name: name,
      provider_id: id,
    })),
  }
}
