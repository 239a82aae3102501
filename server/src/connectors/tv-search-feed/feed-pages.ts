import { type ReadStream, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { WebOrigin } from '../framework/connector.ts'
import type { PagedFiles } from '../streams/source-files.ts'

/** A feed that goes on and on is not one. */
const MAX_PAGES = 10_000

/**
 * The pages of a search feed: the files that were given, and those that they name as the next. Such a page is fetched,
 * where the feed came from a URL, or lies beside the page that names it.
 */
export class FeedPages {
  private readonly files: PagedFiles
  private readonly web: WebOrigin | undefined
  /** Pages that were fetched: the file of each address, and the address of each file. */
  private readonly fetched = new Map<string, string>()
  private readonly addresses = new Map<string, string>()
  private waiting: string[] = []
  private readonly seen = new Set<string>()

  constructor(files: PagedFiles, web: WebOrigin | undefined) {
    this.files = files
    this.web = web
    if (web !== undefined) for (const path of files.paths) this.addresses.set(path, new URL(web.address).href)
  }

  /** Begins a new reading. */
  rewind(): void {
    this.files.rewind()
    this.waiting = [...this.files.paths]
    this.seen.clear()
    for (const path of this.waiting) this.seen.add(this.addresses.get(path) ?? stripGzipSuffix(basename(path)))
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
    const { web } = this
    return web === undefined ? this.followFile(url, page) : this.followUrl(url, page, web)
  }

  private async followUrl(url: string, page: string, { fetchPage }: WebOrigin): Promise<boolean> {
    const base = this.addresses.get(page)
    if (!URL.canParse(url, base)) return false
    const { href } = new URL(url, base)
    if (this.seen.has(href)) return true
    if (this.seen.size >= MAX_PAGES) return false
    this.seen.add(href)
    // A feed is read twice, but fetched once.
    const path = this.fetched.get(href) ?? (await fetchPage(href))
    this.fetched.set(href, path)
    this.addresses.set(path, href)
    this.waiting.unshift(path)
    return true
  }

  private followFile(url: string, page: string): boolean {
    const name = toFileName(url)
    if (name === undefined) return false
    if (this.seen.has(stripGzipSuffix(name))) return true
    const path = join(dirname(page), name)
    if (this.seen.size >= MAX_PAGES || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false
    this.seen.add(stripGzipSuffix(name))
    this.waiting.unshift(path)
    return true
  }
}

/** A page that was read plain is not read once more out of gzip. */
function stripGzipSuffix(name: string): string {
  return name.replace(/\.gz$/i, '')
}

/**
 * The name of the file in which a page lies: the last part of its address, and what is asked for. An address that would
 * lead out of the folder names none.
 */
function toFileName(url: string): string | undefined {
  const base = 'http://page.invalid/'
  if (!URL.canParse(url, base)) return undefined
  const { pathname, search } = new URL(url, base)
  const name = basename(pathname) + search
  return name === '' || /[/\\]/.test(name) ? undefined : name
}
