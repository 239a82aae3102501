import { type ReadStream, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { WebOrigin } from '../framework/connector.ts'
import type { PagedFiles } from '../streams/source-files.ts'

/** Stops a chain of pages that never ends. */
const MAX_PAGES = 10_000

/**
 * A queue of the pages of a search feed: the given files, and the pages that they name as `nextPageUrl`. A next page is
 * downloaded if the feed was, else it is a file in the same folder.
 */
export class FeedPages {
  private readonly files: PagedFiles
  private readonly web: WebOrigin | undefined
  /** Downloaded pages: file by URL, and URL by file. */
  private readonly fileByUrl = new Map<string, string>()
  private readonly urlByFile = new Map<string, string>()
  private queue: string[] = []
  /** URLs, or file names without `.gz`, of the pages that were queued in this pass. */
  private readonly seen = new Set<string>()

  constructor(files: PagedFiles, web: WebOrigin | undefined) {
    this.files = files
    this.web = web
    if (web !== undefined) for (const path of files.paths) this.urlByFile.set(path, new URL(web.address).href)
  }

  /** Starts a new pass. */
  rewind(): void {
    this.files.rewind()
    this.queue = [...this.files.paths]
    this.seen.clear()
    for (const path of this.queue) this.seen.add(this.urlByFile.get(path) ?? stripGzipSuffix(basename(path)))
  }

  /** Removes the next page from the queue. */
  next(): string | undefined {
    return this.queue.shift()
  }

  open(page: string): ReadStream {
    return this.files.open(page)
  }

  /** Opens a page to look for its defaults ahead of its assets. */
  peek(page: string): ReadStream {
    return this.files.peek(page)
  }

  /** Queues the page that another page names as the next; returns false if it is missing. */
  async follow(url: string, page: string): Promise<boolean> {
    const { web } = this
    return web === undefined ? this.followFile(url, page) : this.followUrl(url, page, web)
  }

  private async followUrl(url: string, page: string, { fetchPage }: WebOrigin): Promise<boolean> {
    const base = this.urlByFile.get(page)
    if (!URL.canParse(url, base)) return false
    const { href } = new URL(url, base)
    if (this.seen.has(href)) return true
    if (this.seen.size >= MAX_PAGES) return false
    this.seen.add(href)
    // A feed is read twice, but downloaded once.
    const path = this.fileByUrl.get(href) ?? (await fetchPage(href))
    this.fileByUrl.set(href, path)
    this.urlByFile.set(path, href)
    this.queue.unshift(path)
    return true
  }

  private followFile(url: string, page: string): boolean {
    const name = toFileName(url)
    if (name === undefined) return false
    if (this.seen.has(stripGzipSuffix(name))) return true
    const path = join(dirname(page), name)
    if (this.seen.size >= MAX_PAGES || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false
    this.seen.add(stripGzipSuffix(name))
    this.queue.unshift(path)
    return true
  }
}

/** A page and its gzipped copy count as one. */
function stripGzipSuffix(name: string): string {
  return name.replace(/\.gz$/i, '')
}

/** The file name of a page: the last segment of its path and the query. Undefined if it would leave the folder. */
function toFileName(url: string): string | undefined {
  const base = 'http://page.invalid/'
  if (!URL.canParse(url, base)) return undefined
  const { pathname, search } = new URL(url, base)
  const name = basename(pathname) + search
  return name === '' || /[/\\]/.test(name) ? undefined : name
}
