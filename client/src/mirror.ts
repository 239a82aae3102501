import type { ExportCatalogParameters, Show } from './api-types.ts'
import type { Exported } from './catalog.ts'
import { ServiceError } from './errors.ts'
import type { CallOptions } from './options.ts'
import { sleep } from './retry.ts'

/** Which country is mirrored, and how its shows are written. */
export type MirrorParameters = Omit<ExportCatalogParameters, 'since' | 'cursor'>

/** A copy as it can be stored, as JSON for instance. */
export interface MirrorCopy {
  /** The token up to which the copy is complete. */
  readonly since: string
  readonly shows: readonly Show[]
}

/** Options of a mirror. */
export interface MirrorOptions {
  /** The copy that was stored before. */
  stored?: MirrorCopy | undefined
  /** The clock, in Unix seconds. For tests; by default that of the machine. */
  now?: (() => number) | undefined
}

/** What a synchronization did. */
export interface MirrorSync {
  /** Shows that came or were altered. */
  readonly updated: number
  /** Shows that left. */
  readonly removed: number
  /** Whether the whole country was fetched: the first time, and when the last one was longer ago than changes are kept. */
  readonly isWhole: boolean
}

/** Options of `follow()`. */
export interface FollowOptions extends CallOptions {
  /** Seconds between two synchronizations. By default 60. */
  every?: number | undefined
}

type OpenExport = (
  parameters: Pick<ExportCatalogParameters, 'since'>,
  options: CallOptions | undefined,
) => AsyncIterable<Exported>

/** Seconds before its end from which an option expires soon. */
const SOON_SECONDS = 31 * 86_400

/**
 * A copy of a country. A synchronization that fails leaves it as it was before, so it always is what the service had at
 * one moment.
 */
export class Mirror {
  readonly #open: OpenExport
  #shows: Map<string, Show>
  #since: string | undefined
  readonly #now: () => number
  #running: Promise<MirrorSync> | undefined

  constructor(open: OpenExport, { stored, now = () => Math.floor(Date.now() / 1000) }: MirrorOptions = {}) {
    this.#open = open
    this.#now = now
    this.#shows = new Map(stored?.shows.map((show) => [show.id, show]))
    this.#since = stored?.since
  }

  /** The number of shows. */
  get size(): number {
    return this.#shows.size
  }

  /** The token up to which the copy is complete; undefined before the first synchronization. */
  get since(): string | undefined {
    return this.#since
  }

  /** A show by its own id. */
  get(id: string): Show | undefined {
    const show = this.#shows.get(id)
    return show && refreshExpiry(show, this.#now())
  }

  /** All shows. */
  *shows(): Generator<Show, void, undefined> {
    for (const show of this.#shows.values()) yield refreshExpiry(show, this.#now())
  }

  /** The copy, to be stored and given to `mirror()` at the next start; undefined before the first synchronization. */
  copy(): MirrorCopy | undefined {
    return this.#since === undefined ? undefined : { since: this.#since, shows: [...this.shows()] }
  }

  /**
   * Fetches what was altered since the last time; the whole country the first time, and when the service no longer has
   * what happened since. One synchronization runs at a time: a second call waits for the first, and returns the same.
   */
  sync(options?: CallOptions): Promise<MirrorSync> {
    this.#running ??= this.#sync(options).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Synchronizes again and again, and yields what each time did. Ends when the signal is aborted. */
  async *follow({ every = 60, ...options }: FollowOptions = {}): AsyncGenerator<MirrorSync, void, undefined> {
    const signal = options.signal ?? new AbortController().signal
    while (!signal.aborted) {
      yield await this.sync(options)
      await sleep(every * 1000, signal)
    }
  }

  async #sync(options: CallOptions | undefined): Promise<MirrorSync> {
    if (this.#since === undefined) return this.#fetch(undefined, options)
    try {
      return await this.#fetch(this.#since, options)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 410) throw error
      return this.#fetch(undefined, options)
    }
  }

  async #fetch(since: string | undefined, options: CallOptions | undefined): Promise<MirrorSync> {
    const altered = new Map<string, Show | undefined>()
    let token: string | undefined
    for await (const line of this.#open({ since }, options)) {
      if (!('kind' in line)) altered.set(line.id, line)
      else if (line.kind === 'remove') altered.set(line.id, undefined)
      else token = line.since
    }
    const shows = since === undefined ? new Map<string, Show>() : this.#shows
    let removed = 0
    for (const [id, show] of altered) {
      if (show !== undefined) shows.set(id, show)
      else if (shows.delete(id)) removed++
    }
    const updated = [...altered.values()].filter((show) => show !== undefined).length
    this.#shows = shows
    this.#since = token
    return { updated, removed, isWhole: since === undefined }
  }
}

/** Sets `expiresSoon` as the service would now: time alone alters it, and so it is in no synchronization. */
function refreshExpiry(show: Show, now: number): Show {
  const from = now + SOON_SECONDS
  const seasons = (show.showType === 'series' && show.seasons) || []
  for (const item of [show, ...seasons, ...seasons.flatMap(({ episodes = [] }) => episodes)]) {
    for (const options of Object.values(item.streamingOptions)) {
      for (const option of options ?? []) {
        if (option.expiresOn !== undefined) option.expiresSoon = option.expiresOn <= from
      }
    }
  }
  return show
}
