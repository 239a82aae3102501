import { matchPage, type PageMatch, preloadPage } from '../pages.ts'
import type { AppContext } from './context.ts'

/** A pointer that rests on a link for as long is likely to click it; one that only passes costs no request. */
const HOVER_MS = 90

/**
 * Loads pages before they are opened: script and texts as soon as a mouse is over their link, data once it rests there, and
 * all of it when a finger or a button goes down, which is about 100 ms before the click.
 */
export function preloadLinks(app: AppContext): void {
  let hover: ReturnType<typeof setTimeout> | undefined
  const onHover = ({ target, pointerType }: PointerEvent) => {
    clearTimeout(hover)
    if (pointerType !== 'mouse') return
    const link = pageLink(target)
    if (link === undefined) return
    preloadScript(app, link)
    hover = setTimeout(() => preloadData(app, link), HOVER_MS)
  }
  const onPress = ({ target, button }: PointerEvent) => {
    const link = button === 0 ? pageLink(target) : undefined
    if (link === undefined) return
    preloadScript(app, link)
    preloadData(app, link)
  }
  document.addEventListener('pointerover', onHover, { passive: true })
  document.addEventListener('pointerdown', onPress, { passive: true })
}

interface PageLink {
  readonly match: PageMatch
  readonly query: URLSearchParams
}

/** The page that a link leads to; undefined for others, and where the user asked to save data. */
function pageLink(target: EventTarget | null): PageLink | undefined {
  const link = target instanceof Element ? target.closest('a') : null
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  if (link === null || link.origin !== window.location.origin || connection?.saveData === true) return undefined
  const match = matchPage(link.pathname)
  return match && { match, query: new URLSearchParams(link.search) }
}

function preloadScript(app: AppContext, { match }: PageLink): void {
  // What fails here fails again, and is shown, when the page is opened.
  const ignore = () => {}
  match.load().catch(ignore)
  for (const messages of match.messages) messages.load(app.language.peek()).catch(ignore)
}

function preloadData(app: AppContext, { match, query }: PageLink): void {
  preloadPage(match, app, (initial) => app.queries.fetch(initial), query).catch(() => {})
}
