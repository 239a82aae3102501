/** A request of an account, as its dashboard lists it. */
export interface RequestEntry {
  readonly at: number
  /** Path and query string, cut if they are long. */
  readonly url: string
  readonly status: number
  readonly ms: number
  readonly requestId: string
  readonly keyId: string
}

/** Requests of one account since the last flush, oldest first. */
export interface RequestBatch {
  readonly accountId: string
  readonly entries: readonly RequestEntry[]
}

/** The requests that are kept of an account. */
export const MAX_LOGGED_REQUESTS = 100

/** Of this many accounts, those that sent requests last: about 15 MB. */
const MAX_ACCOUNTS = 500

const MAX_URL_LENGTH = 300

/** The latest requests of accounts, in memory only: the least recently active account is evicted. */
export class RequestHistory {
  private readonly accounts = new Map<string, readonly RequestEntry[]>()

  /** Adds requests that a process has counted. */
  add(batches: readonly RequestBatch[]): void {
    for (const { accountId, entries } of batches) {
      const known = this.accounts.get(accountId) ?? []
      // Processes flush at different times.
      const merged = [...known, ...entries].sort((a, b) => a.at - b.at).slice(-MAX_LOGGED_REQUESTS)
      this.accounts.delete(accountId)
      this.accounts.set(accountId, merged)
    }
    for (const accountId of this.accounts.keys()) {
      if (this.accounts.size <= MAX_ACCOUNTS) break
      this.accounts.delete(accountId)
    }
  }

  /** The latest requests of an account, newest first. */
  list(accountId: string): RequestEntry[] {
    return [...(this.accounts.get(accountId) ?? [])].reverse()
  }
}

/** Collects the requests of a process and flushes them once per interval. Nothing is lost but what no list would show. */
export class RequestBuffer {
  private readonly send: (batches: readonly RequestBatch[]) => Promise<void>
  private buffered = new Map<string, RequestEntry[]>()
  private timer: NodeJS.Timeout | undefined

  constructor(send: (batches: readonly RequestBatch[]) => Promise<void>) {
    this.send = send
  }

  record(accountId: string, entry: RequestEntry): void {
    let entries = this.buffered.get(accountId)
    if (entries === undefined) {
      if (this.buffered.size >= MAX_ACCOUNTS) return
      entries = []
      this.buffered.set(accountId, entries)
    }
    if (entries.length >= MAX_LOGGED_REQUESTS) entries.shift()
    entries.push(
      entry.url.length > MAX_URL_LENGTH ? { ...entry, url: `${entry.url.slice(0, MAX_URL_LENGTH)}…` } : entry,
    )
  }

  async flush(): Promise<void> {
    if (this.buffered.size === 0) return
    const batches = Array.from(this.buffered, ([accountId, entries]) => ({ accountId, entries }))
    this.buffered = new Map()
    await this.send(batches)
  }

  /** Starts to flush once per interval. What cannot be sent is dropped: it is a help, not a record. */
  start(intervalMs = 1000): void {
    this.timer ??= setInterval(() => this.flush().catch(() => {}), intervalMs).unref()
  }

  stop(): void {
    clearInterval(this.timer)
  }
}
