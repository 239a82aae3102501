import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { routeOf } from '../pages.ts'
import { enterEntry, followScroll, leaveTo } from './scroll-restoration.ts'

/** Where the reader is. */
export interface PageLocation {
  readonly path: string
  readonly query: URLSearchParams
  /** The place of this address in the browser's history. */
  readonly at: number
  /** Whether the reader has come by the browser's back or forward, and knows the page as it was. */
  readonly isReturn: boolean
}

/** The address that is shown. In a browser only `navigate` and the browser itself change it. */
export const location = signal<PageLocation>({ path: '/', query: new URLSearchParams(), at: 0, isReturn: false })

/** Goes to another address of this site. With `replace`, the way back skips the present one. */
export function navigate(href: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const url = new URL(href, window.location.href)
  if (url.href === window.location.href) return
  const { at, path, isReturn } = location.peek()
  if (replace) {
    history.replaceState(history.state, '', url)
    location.value = read(at, isReturn)
    return
  }
  if (pathOf(url.pathname) !== path && !mayLeave()) return
  history.pushState({ at: at + 1 }, '', url)
  leaveTo(at + 1)
  location.value = read(at + 1, false)
}

/** Begins at the address that the browser shows, and follows the browser's own back and forward. */
export function followHistory(): void {
  history.scrollRestoration = 'manual'
  const known = entryOf(history.state)
  const at = known ?? history.length - 1
  if (known === undefined) history.replaceState({ at }, '')
  followScroll(at)
  location.value = read(at, known !== undefined)
  window.addEventListener('popstate', ({ state }) => {
    const before = location.peek()
    const to = entryOf(state)
    if (pathOf(window.location.pathname) !== before.path && !mayLeave()) {
      // The browser has gone already. Where it came from is as many steps away as it has made.
      history.go(before.at - (to ?? before.at + 1))
      return
    }
    if (to === before.at) return
    // An address with another fragment is a new entry, which nobody has numbered.
    if (to === undefined) {
      history.replaceState({ at: before.at + 1 }, '')
      leaveTo(before.at + 1)
    } else enterEntry(to)
    location.value = read(to ?? before.at + 1, to !== undefined)
  })
}

function entryOf(state: unknown): number | undefined {
  return (state as { at?: number } | null)?.at
}

function read(at: number, isReturn: boolean): PageLocation {
  const { pathname, search } = window.location
  return { path: pathOf(pathname), query: new URLSearchParams(search), at, isReturn }
}

function pathOf(pathname: string): string {
  return pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
}

let question: string | undefined

/** Whether the reader may leave the page, or says so when asked. */
export function mayLeave(): boolean {
  if (question === undefined || !window.confirm(question)) return question === undefined
  question = undefined
  return true
}

/**
 * Asks the reader before the page is left, for as long as there is something to ask: by a link, by the browser's back and
 * forward, or by closing the tab, where the browser has words of its own. Gives a way to leave without being asked.
 */
export function useLeaveQuestion(text: string | undefined): () => void {
  useEffect(() => {
    if (text === undefined) return
    question = text
    const onUnload = (event: BeforeUnloadEvent) => {
      if (question !== undefined) event.preventDefault()
    }
    window.addEventListener('beforeunload', onUnload)
    return () => {
      question = undefined
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [text])
  return () => {
    question = undefined
  }
}

/** Lets plain links between pages change the page without loading the site anew. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = (event.target as Element).closest('a')
    if (link === null || link.target !== '' || link.hasAttribute('download') || link.origin !== window.location.origin)
      return
    if (link.hash !== '' || routeOf(link.pathname) === undefined) return
    event.preventDefault()
    navigate(link.href)
  })
}
