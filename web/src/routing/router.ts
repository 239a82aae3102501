import { type Signal, signal } from '@preact/signals'
import { ScrollRestoration } from './scroll-restoration.ts'

/** An address of the site. */
export interface PageLocation {
  readonly path: string
  readonly query: URLSearchParams
  /** Number of the entry in the browser's history. */
  readonly at: number
  /** Whether the user came by the browser's back or forward. */
  readonly isReturn: boolean
}

/** The current address, and navigation to others. The server uses the address alone. */
export class Router {
  readonly location: Signal<PageLocation>
  readonly scroll = new ScrollRestoration()
  /** While it is set, the user is asked before a navigation leaves the page. */
  leaveWarning: string | undefined

  constructor(location: PageLocation) {
    this.location = signal(location)
  }

  /** Starts at the address of the browser, and follows its back and forward. */
  followHistory(): void {
    history.scrollRestoration = 'manual'
    const known = historyEntry(history.state)
    const at = known ?? history.length - 1
    if (known === undefined) history.replaceState({ at }, '')
    this.scroll.start(at)
    this.location.value = browserLocation(at, known !== undefined)
    window.addEventListener('popstate', ({ state }) => this.#onPopState(historyEntry(state)))
  }

  /** Turns clicks on plain links between pages into navigation without loading the site again. */
  followLinks(isPage: (path: string) => boolean): void {
    document.addEventListener('click', (event) => {
      if (event.defaultPrevented || event.button !== 0) return
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      const link = (event.target as Element).closest('a')
      if (link === null || link.target !== '' || link.hasAttribute('download')) return
      if (link.origin !== window.location.origin || link.hash !== '' || !isPage(link.pathname)) return
      event.preventDefault()
      this.navigate(link.href)
    })
  }

  /** Navigates to another address of the site. With `replace`, it takes the place of the current history entry. */
  navigate(href: string, { replace = false }: { readonly replace?: boolean } = {}): void {
    const url = new URL(href, window.location.href)
    if (url.href === window.location.href) return
    const { at, path, isReturn } = this.location.peek()
    if (replace) {
      history.replaceState(history.state, '', url)
      this.location.value = browserLocation(at, isReturn)
      return
    }
    if (normalizePath(url.pathname) !== path && !this.#confirmLeave()) return
    history.pushState({ at: at + 1 }, '', url)
    this.scroll.push(at + 1)
    this.location.value = browserLocation(at + 1, false)
  }

  #onPopState(to: number | undefined): void {
    const before = this.location.peek()
    if (normalizePath(window.location.pathname) !== before.path && !this.#confirmLeave()) {
      // The browser has navigated already, so it goes back by as many steps.
      history.go(before.at - (to ?? before.at + 1))
      return
    }
    if (to === before.at) return
    // A link to another fragment creates an entry without a number.
    if (to === undefined) {
      history.replaceState({ at: before.at + 1 }, '')
      this.scroll.push(before.at + 1)
    } else this.scroll.enter(to)
    this.location.value = browserLocation(to ?? before.at + 1, to !== undefined)
  }

  #confirmLeave(): boolean {
    if (this.leaveWarning !== undefined && !window.confirm(this.leaveWarning)) return false
    this.leaveWarning = undefined
    return true
  }
}

function historyEntry(state: unknown): number | undefined {
  return (state as { at?: number } | null)?.at
}

function browserLocation(at: number, isReturn: boolean): PageLocation {
  const { pathname, search } = window.location
  return { path: normalizePath(pathname), query: new URLSearchParams(search), at, isReturn }
}

function normalizePath(pathname: string): string {
  return pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
}
