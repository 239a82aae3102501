import type { WalkOptions } from './options.ts'

/** A page of items. */
export interface Page<Item> {
  readonly items: Item[]
  /** Cursor of the next page, for the parameter `cursor`; absent on the last page. */
  readonly nextCursor?: string
}

/**
 * A lazy list of items in pages: iterate over items with `for await` and over pages with `pages()`, or get all items with
 * `all()` and one page with `page()`. A page is fetched when it is needed, not before. Each use starts from the beginning.
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

  /** The pages, up to the limits. */
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

  /** The items of all pages, up to the limits. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let left = this.#maxItems
    for await (const { items } of this.pages()) {
      for (const item of items) {
        if (left-- <= 0) return
        yield item
      }
    }
  }

  /** All items in an array, up to the limits. */
  async all(): Promise<Item[]> {
    const all: Item[] = []
    for await (const item of this) all.push(item)
    return all
  }
}
