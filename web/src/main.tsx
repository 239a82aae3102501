import { hydrate, render } from 'preact'
import { isOldPage } from './data/answer-with-page.ts'
import { readCatalogFacts } from './data/catalog-facts.ts'
import { viewer } from './data/viewer.ts'
import { followLinks } from './routing/follow-links.ts'
import { followHistory, location, navigate } from './routing/location.ts'
import { App } from './shell/app.tsx'
import { followLocation } from './shell/shown-page.ts'
import { whenPainted } from './shell/when-painted.ts'
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
