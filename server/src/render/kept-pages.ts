import type { Body } from './body-pool.ts'
import { CacheUse } from './cache-use.ts'

/** Memory that each serving process spends on finished pages. */
const CACHE_BYTES = 64 * 1024 * 1024

/** A page that is kept, as long as there is room for it. */
export class KeptPage {
  readonly validUntil: number
  private readonly body: Body
  private users = 0
  private isKept = true

  constructor(body: Body, validUntil: number) {
    this.body = body
    this.validUntil = validUntil
  }

  get size(): number {
    return this.body.bytes.length
  }

  isGood(now: number): boolean {
    return this.isKept && now < this.validUntil
  }

  /** The page for one more answer. Only one at a time may write in front of it. */
  use(): Body {
    const { bytes, headroom } = this.body
    this.users++
    return { bytes, headroom: this.users === 1 ? headroom : 0, release: this.release }
  }

  /** Keeps it no longer than those need it who have it. */
  letGo(): void {
    this.isKept = false
    if (this.users === 0) this.body.release()
  }

  private readonly release = (): void => {
    this.users--
    if (!this.isKept && this.users === 0) this.body.release()
  }
}

/** Finished pages of one version of the catalog. When there are too many, those that were made first go. */
export class KeptPages {
  readonly use = new CacheUse()
  private readonly pages: KeptPage[] = []
  private bytes = 0
  private version = -1

  keep(body: Body, validUntil: number, version: number): KeptPage {
    if (this.version !== version) {
      while (this.pages.length > 0) this.letFirstGo()
      this.version = version
    }
    const page = new KeptPage(body, validUntil)
    this.pages.push(page)
    this.bytes += page.size
    while (this.bytes > CACHE_BYTES) this.letFirstGo()
    return page
  }

  private letFirstGo(): void {
    const page = this.pages.shift() as KeptPage
    this.bytes -= page.size
    page.letGo()
  }
}
