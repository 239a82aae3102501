import { hydrate, render } from 'preact'
import { followLocation } from './app/page-loader.ts'
import { readCatalogFacts, viewer } from './app/viewer.ts'
import { isOldPage } from './data/client.ts'
import { App } from './layout/app.tsx'
import { followHistory, followLinks, location, navigate } from './routing/router.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'

const root = document.getElementById('app') as HTMLElement
const isDrawn = root.hasChildNodes()

readCatalogFacts()
followHistory()

// What was guessed goes into the address, so that it can be shared as it is.
const { path, query } = location.value
const { country, language } = viewer.value
const full = new URLSearchParams(query)
full.set('country', country)
full.set('lang', language)
navigate(`${path}?${full.toString().replaceAll('%2C', ',')}`, { replace: true })

// Who sees the page first, and only then has it alive, sees it sooner.
const drawn = isDrawn ? whenPainted() : undefined
void Promise.all([followLocation(isDrawn), drawn]).then(() => {
  if (isDrawn && !isOldPage()) hydrate(<App />, root)
  else {
    // What is drawn may be of yesterday, as the browser has kept it.
    root.replaceChildren()
    render(<App />, root)
  }
  followLinks()
})

/** Resolves when the browser has painted something, or at once where nobody looks. */
export function whenPainted(): Promise<void> {
  if (document.hidden || performance.getEntriesByName('first-paint').length > 0) return Promise.resolve()
  return new Promise((resolve) => {
    // A frame is painted right after its callbacks. In a tab that is left meanwhile none would come.
    requestAnimationFrame(() => setTimeout(resolve))
    document.addEventListener('visibilitychange', () => resolve(), { once: true })
  })
}
