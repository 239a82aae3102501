import { useEffect, useRef } from 'preact/hooks'
import { hasCountry } from '../data/catalog-facts.ts'
import { viewer } from '../data/viewer.ts'
import { location } from '../routing/location.ts'
import { rememberedScroll, scrollToPlace } from '../routing/scroll-memory.ts'
import { DemoBanner } from './demo-banner.tsx'
import { Failure } from './failure.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { shellMessages } from './messages.ts'
import { MissingPage } from './missing-page.tsx'
import { reopenPage, shownPage } from './shown-page.ts'
import { UnknownCountry } from './unknown-country.tsx'
import './app.css'

/** The frame around every page. */
export function App() {
  const shown = shownPage.value
  const main = useRef<HTMLElement>(null)
  const drawn = useRef<string>(undefined)
  const { at, path, isReturn } = location.value

  // A new page starts at its top and is read out from there. Who comes back finds the place that was left.
  useEffect(() => {
    // The page of the address may still be on its way.
    if (shown === undefined || shown.key !== path) return
    const isFirst = drawn.current === undefined
    const isNew = drawn.current !== shown.key
    drawn.current = shown.key
    const top = isReturn ? rememberedScroll() : 0
    // Who reads the first page since before its script was there may have scrolled.
    if (isReturn ? !isFirst || top > 0 : isNew && !isFirst) scrollToPlace(top)
    if (isNew && !isFirst) main.current?.focus({ preventScroll: true })
  }, [shown?.key, at])

  if (shown === undefined) return null
  const isElsewhere = shown.kind === 'page' && shown.isOfCountry && !hasCountry(viewer.value.country)
  return (
    <>
      <a class="skip" href="#content">
        {shellMessages.current.skip}
      </a>
      <DemoBanner />
      <Header />
      <main id="content" ref={main} tabIndex={-1} class="page">
        {shown.kind === 'page' && (isElsewhere ? <UnknownCountry /> : <shown.Page key={shown.key} rest={shown.rest} />)}
        {shown.kind === 'missing' && <MissingPage />}
        {shown.kind === 'failed' && <Failure error={shown.error} retry={reopenPage} />}
      </main>
      <Footer />
    </>
  )
}
