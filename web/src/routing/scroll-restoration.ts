/** The key of the positions in the session storage. */
const STORAGE_KEY = 'marquee.scroll'

/** How long to wait for a page that is still too short. */
const MAX_WAIT_MS = 5_000

/**
 * Scroll positions by entry of the browser's history. On back and forward the browser changes the entry before any event,
 * so positions are recorded while scrolling.
 */
export class ScrollRestoration {
  #positions = new Map<number, number>()
  #current = 0
  #stopWaiting = () => {}

  /** Starts at a history entry, and records positions from now on. */
  start(at: number): void {
    this.#current = at
    this.#positions = readPositions()
    window.addEventListener('scroll', () => this.#positions.set(this.#current, window.scrollY), { passive: true })
    window.addEventListener('pagehide', () => {
      try {
        sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...this.#positions]))
      } catch {
        // Some browsers forbid storage. A reloaded page then starts at its top.
      }
    })
  }

  /** A new entry follows the current one. Those that followed it before are gone from the history. */
  push(at: number): void {
    this.#positions.set(this.#current, window.scrollY)
    for (const other of this.#positions.keys()) if (other >= at) this.#positions.delete(other)
    this.enter(at)
  }

  /** Another entry is current. */
  enter(at: number): void {
    this.#stopWaiting()
    this.#current = at
  }

  /** The recorded position of the current entry. */
  saved(): number {
    return this.#positions.get(this.#current) ?? 0
  }

  /** Scrolls to a position. While the page is too short it waits, until it grows or the user scrolls. */
  scrollTo(top: number): void {
    this.#stopWaiting()
    const isReached = () => {
      window.scrollTo(0, top)
      return Math.abs(window.scrollY - top) <= 1
    }
    if (isReached()) return
    const controller = new AbortController()
    const observer = new ResizeObserver(() => {
      if (isReached()) this.#stopWaiting()
    })
    const timer = setTimeout(() => this.#stopWaiting(), MAX_WAIT_MS)
    this.#stopWaiting = () => {
      clearTimeout(timer)
      observer.disconnect()
      controller.abort()
      this.#stopWaiting = () => {}
    }
    for (const type of ['wheel', 'touchmove', 'keydown', 'mousedown'])
      window.addEventListener(type, () => this.#stopWaiting(), { signal: controller.signal, passive: true })
    observer.observe(document.body)
  }
}

function readPositions(): Map<number, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as [number, number][])
  } catch {
    return new Map()
  }
}
