/*
 * How far down the reader was at each entry of the browser's history. When the reader goes back, the browser has left the
 * entry before anybody is told, so it is noted while scrolling.
 */

/** Where it is kept while the site is loaded anew. */
const KEPT = 'marquee.scroll'

/** A page that grows for longer than this is not waited for. */
const PATIENCE_MS = 5_000

let positions = new Map<number, number>()
let present = 0
let stopWaiting = () => {}

/** Begins at an entry, and notes from now on how far down the reader is. */
export function followScroll(at: number): void {
  present = at
  positions = readKept()
  window.addEventListener('scroll', () => positions.set(present, window.scrollY), { passive: true })
  window.addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(KEPT, JSON.stringify([...positions]))
    } catch {
      // Some browsers forbid storage. Then a page that is loaded anew starts at its top.
    }
  })
}

/** The reader goes on to a new entry. What came after the present one is gone from the history. */
export function leaveTo(at: number): void {
  positions.set(present, window.scrollY)
  for (const other of positions.keys()) if (other >= at) positions.delete(other)
  enterEntry(at)
}

/** The reader is at another entry. */
export function enterEntry(at: number): void {
  stopWaiting()
  present = at
}

/** How far down the reader was at the present entry. */
export function rememberedScroll(): number {
  return positions.get(present) ?? 0
}

/** Scrolls to a place. If the page is not that long yet, it is waited for, unless the reader scrolls meanwhile. */
export function scrollToPlace(top: number): void {
  stopWaiting()
  const isReached = () => {
    window.scrollTo(0, top)
    return Math.abs(window.scrollY - top) <= 1
  }
  if (isReached()) return
  const controller = new AbortController()
  const observer = new ResizeObserver(() => {
    if (isReached()) stopWaiting()
  })
  const timer = setTimeout(() => stopWaiting(), PATIENCE_MS)
  stopWaiting = () => {
    clearTimeout(timer)
    observer.disconnect()
    controller.abort()
    stopWaiting = () => {}
  }
  for (const act of ['wheel', 'touchmove', 'keydown', 'mousedown'])
    window.addEventListener(act, () => stopWaiting(), { signal: controller.signal, passive: true })
  observer.observe(document.body)
}

function readKept(): Map<number, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEPT) ?? '[]') as [number, number][])
  } catch {
    return new Map()
  }
}
