import { signal } from '@preact/signals'

/** Where the reader is. */
export interface PageLocation {
  readonly path: string
  readonly query: URLSearchParams
}

/** The address that is shown. In a browser only `navigate` and the browser itself change it. */
export const location = signal<PageLocation>({ path: '/', query: new URLSearchParams() })

/** Goes to another address of this site. With `replace`, the way back skips the present one. */
export function navigate(href: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const url = new URL(href, window.location.href)
  if (url.href === window.location.href) return
  if (replace) history.replaceState(history.state, '', url)
  else {
    rememberScroll()
    history.pushState(null, '', url)
  }
  location.value = read()
}

/** How far down the page was when the reader left it, if the reader has come back to it. */
export function rememberedScroll(): number {
  return (history.state as { scroll?: number } | null)?.scroll ?? 0
}

/** Begins at the address that the browser shows, and follows the browser's own back and forward. */
export function followHistory(): void {
  location.value = read()
  history.scrollRestoration = 'manual'
  window.addEventListener('popstate', () => {
    location.value = read()
  })
  window.addEventListener('pagehide', rememberScroll)
}

function rememberScroll(): void {
  history.replaceState({ scroll: window.scrollY }, '')
}

function read(): PageLocation {
  const { pathname, search } = window.location
  const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  return { path, query: new URLSearchParams(search) }
}
