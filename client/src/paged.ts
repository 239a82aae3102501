import type { WalkOptions } from './options.ts'

/** A page of items. */
export interface Page<Item> {
  readonly items: Item[]
  /** Leads to the next page, as the parameter `cursor`; absent on the last. */
  readonly nextCursor?: string
}

/**
 * What a search with pages found. Nothing is asked for until it is used: walk over all items with `for await`, over the
 * pages with `pages()`, take everything with `all()`, or one page with `page()`. A page is fetched only when something of
 * it is needed. Each use starts anew.
 */
export class Paged<Item> implements AsyncIterable<Item> {
  readonly #fetchPage: (cursor: string | undefined) => Promise<Page<Item>>
  readonly #start: string | undefined
  readonly #maxPages: number
  readonly #maxItems: number

  constructor(
    fetchPage: (cursor: string | undefined) => Promise<Page<Item>>,
    start: string | undefined,
    { maxPages = Infinity, maxItems = Infinity }: WalkOptions,
  ) {
    if (!(maxPages >= 0 && maxItems >= 0)) throw new TypeError('maxPages and maxItems must be numbers from 0 on')
    this.#fetchPage = fetchPage
    this.#start = start
    this.#maxPages = maxPages
    this.#maxItems = maxItems
  }

  /** One page: the first, or the one that the parameter `cursor` names. */
  page(): Promise<Page<Item>> {
    return this.#fetchPage(this.#start)
  }

  /** The pages, whole, until the limits are reached. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor = this.#start
    let items = 0
    for (let pages = 0; pages < this.#maxPages && items < this.#maxItems; pages++) {
      const page = await this.#fetchPage(cursor)
      items += page.items.length
      yield page
      cursor = page.nextCursor
      if (cursor === undefined) return
    }
  }

  /** The items of all pages, until the limits are reached. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let left = this.#maxItems
    for await (const { items } of this.pages()) {
      for (const item of items) {
        if (left-- <= 0) return
        yield item
      }
    }
  }

  /** All items in a list, until the limits are reached. */
  async all(): Promise<Item[]> {
    const all: Item[] = []
    for await (const item of this) all.push(item)
    return all
  }
}
