import { hydrate, render } from 'preact'
import { AppContext } from './app/context.ts'
import { preloadLinks } from './app/link-preloader.ts'
import { PageLoader } from './app/page-loader.ts'
import { readCatalogInfo } from './app/viewer.ts'
import { createBrowserClient, isRestoredFromHistory } from './data/client.ts'
import { browserTimeZone } from './i18n/time-zone.ts'
import { App } from './layout/app.tsx'
import { matchPage } from './pages.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'

const root = document.getElementById('app') as HTMLElement
const isServerRendered = root.hasChildNodes()

const app = new AppContext({
  catalog: readCatalogInfo(),
  location: { path: '/', query: new URLSearchParams(), at: 0, isReturn: false },
  client: createBrowserClient(),
})
app.router.followHistory()
writeViewerToUrl()

const pages = new PageLoader(app)
const site = <App app={app} reload={() => pages.reload()} />
// Hydration starts after the first paint, so that the server's HTML is seen sooner.
const painted = isServerRendered ? firstPaint() : undefined
void Promise.all([pages.follow(isServerRendered), painted]).then(() => {
  if (isServerRendered && !isRestoredFromHistory()) hydrate(site, root)
  else {
    // HTML that the browser restored from its history may be stale.
    root.replaceChildren()
    render(site, root)
  }
  app.router.followLinks((path) => matchPage(path) !== undefined)
  preloadLinks(app)
  adoptTimeZone()
  // Tests wait for it: before, forms and links go to the service.
  document.documentElement.dataset.live = ''
})

/** Completes the URL with the guessed country and language, so that it can be shared. */
function writeViewerToUrl(): void {
  const location = app.router.location.peek()
  const { country, language } = app.viewer.peek()
  const full = new URLSearchParams(location.query)
  full.set('country', country)
  full.set('lang', language)
  const query = full.toString().replaceAll('%2C', ',')
  app.router.navigate(`${location.path}?${query}${window.location.hash}`, { replace: true })
}

/** Days are those of the browser from here on; the cookie lets the server begin with them next time. */
function adoptTimeZone(): void {
  const timeZone = browserTimeZone()
  if (timeZone === app.timeZone.peek()) return
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store needs a secure context
  document.cookie = `marquee_time_zone=${encodeURIComponent(timeZone)}; path=/; max-age=31536000; samesite=lax`
  app.timeZone.value = timeZone
}

/** Resolves after the first paint, or at once in a hidden tab. */
function firstPaint(): Promise<void> {
  if (document.hidden || performance.getEntriesByName('first-paint').length > 0) return Promise.resolve()
  return new Promise((resolve) => {
    // A frame is painted right after its callbacks. A tab that becomes hidden gets none.
    requestAnimationFrame(() => setTimeout(resolve))
    document.addEventListener('visibilitychange', () => resolve(), { once: true })
  })
}
