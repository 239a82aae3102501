import type { Ask } from './ask.ts'
import type { Contestant, Page } from './contestant.ts'
import { expectAnswer, type HttpAnswer, type HttpRequest } from './support/http.ts'

/** How a list of asks is put. */
export interface Manner {
  /** `gzip` or `br`; without it, answers come as they are. */
  readonly encoding?: string
  /** Asks again for what it has, by entity tag: every answer is a 304. */
  readonly revalidate?: boolean
}

/** Requests that were tried, with what came back. */
export interface Prepared {
  readonly requests: readonly HttpRequest[]
  /** Bytes of each body that came back. */
  readonly sizes: readonly number[]
  readonly pages: readonly Page[]
}

const AT_A_TIME = 8

/**
 * Turns asks into a contestant's requests. Each is put once, and must succeed: a contestant that cannot answer is found
 * out here and not in the figures. Later pages are reached through the contestant's own cursors.
 */
export async function prepare(contestant: Contestant, asks: readonly Ask[], manner: Manner = {}): Promise<Prepared> {
  const cursors = new Cursors(contestant)
  const results = await inParallel(asks, async (ask) => {
    const plain = contestant.request(ask, await cursors.to(ask))
    const first = await expectAnswer(contestant.port, plain)
    const page = contestant.page(first.body)
    const headers = headersOf(manner, first)
    if (headers === undefined) return { request: plain, page, size: first.body.length }
    const request = { ...plain, headers: { ...plain.headers, ...headers } }
    const answer = await expectAnswer(contestant.port, request, manner.revalidate ? 304 : 200)
    return { request, page, size: answer.body.length }
  })
  return {
    requests: results.map(({ request }) => request),
    sizes: results.map(({ size }) => size),
    pages: results.map(({ page }) => page),
  }
}

function headersOf({ encoding, revalidate }: Manner, answer: HttpAnswer): Record<string, string> | undefined {
  if (revalidate) return { 'If-None-Match': String(answer.headers.etag) }
  return encoding === undefined ? undefined : { 'Accept-Encoding': encoding }
}

/** Cursors to later pages, found by turning the pages once for each search. */
class Cursors {
  readonly #walks = new Map<string, Promise<string | undefined>>()
  readonly #contestant: Contestant

  constructor(contestant: Contestant) {
    this.#contestant = contestant
  }

  /** The cursor of the page that is asked for; of the last page before it, if there are not so many. */
  to(ask: Ask): Promise<string | undefined> {
    if (ask.page === 1) return Promise.resolve(undefined)
    const name = JSON.stringify([ask.path, ask.query, ask.page])
    let walk = this.#walks.get(name)
    if (walk === undefined) {
      walk = this.#step({ ...ask, page: ask.page - 1 })
      this.#walks.set(name, walk)
    }
    return walk
  }

  async #step(before: Ask): Promise<string | undefined> {
    const cursor = await this.to(before)
    const { body } = await expectAnswer(this.#contestant.port, this.#contestant.request(before, cursor))
    return this.#contestant.page(body).nextCursor ?? cursor
  }
}

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i]!)
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, worker))
  return results
}
