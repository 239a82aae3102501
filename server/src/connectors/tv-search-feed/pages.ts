import { existsSync, type ReadStream } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ConnectorContext } from '../connector.ts'
import type { PagedFiles } from '../paged-files.ts'

/** A feed that goes on and on is not one. */
const MOST_PAGES = 10_000

/**
 * The pages of a search feed: the files that were given, and those that they name as the next. Such a page is fetched,
 * where the feed came from a URL, or lies beside the page that names it.
 */
export class Pages {
  private readonly files: PagedFiles
  private readonly fetchPage: ConnectorContext['fetchPage']
  private readonly fetched = new Map<string, string>()
  private waiting: string[] = []
  private readonly seen = new Set<string>()

  constructor(files: PagedFiles, fetchPage: ConnectorContext['fetchPage']) {
    this.files = files
    this.fetchPage = fetchPage
  }

  /** Begins a new reading. */
  rewind(): void {
    this.files.rewind()
    this.waiting = [...this.files.paths]
    this.seen.clear()
    for (const path of this.waiting) this.seen.add(basename(path).replace(/\.gz$/i, ''))
  }

  /** The next page to be read, if there is one. */
  next(): string | undefined {
    return this.waiting.shift()
  }

  open(page: string): ReadStream {
    return this.files.open(page)
  }

  /** Takes note of the page that a page names as the next; returns whether it can be had. */
  async follow(url: string, page: string): Promise<boolean> {
    const name = nameOf(url)
    const seenAs = name.replace(/\.gz$/i, '')
    if (this.seen.has(seenAs)) return true
    this.seen.add(seenAs)
    const path = this.seen.size > MOST_PAGES ? undefined : await this.find(url, join(dirname(page), name))
    if (path !== undefined) this.waiting.unshift(path)
    return path !== undefined
  }

  /** A feed is read twice, but fetched once. */
  private async find(url: string, beside: string): Promise<string | undefined> {
    if (this.fetchPage === undefined) return existsSync(beside) ? beside : undefined
    const path = this.fetched.get(url) ?? (await this.fetchPage(url))
    this.fetched.set(url, path)
    return path
  }
}

/** Pages are told apart by the last part of their address, and by what is asked for. */
function nameOf(url: string): string {
  const base = 'http://page.invalid/'
  if (!URL.canParse(url, base)) return basename(url)
  const { pathname, search } = new URL(url, base)
  return basename(pathname) + search
}
