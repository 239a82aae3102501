import { render } from 'preact'
import { viewer } from './data/viewer.ts'
import { followLinks } from './routing/follow-links.ts'
import { followHistory, location, navigate } from './routing/location.ts'
import { App } from './shell/app.tsx'
import { followLocation } from './shell/shown-page.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'

// What was guessed goes into the address, so that it can be shared as it is.
const { path, query } = location.value
const { country, language } = viewer.value
const full = new URLSearchParams(query)
full.set('country', country)
full.set('lang', language)
navigate(`${path}?${full.toString().replaceAll('%2C', ',')}`, { replace: true })

followHistory()
followLinks()
followLocation()
render(<App />, document.getElementById('app') as HTMLElement)
