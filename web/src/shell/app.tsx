import { useEffect, useRef } from 'preact/hooks'
import { hasCountry } from '../data/catalog-facts.ts'
import { viewer } from '../data/viewer.ts'
import { rememberedScroll } from '../routing/location.ts'
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
  const isFirst = useRef(true)

  // A new page starts at its top, or where the reader left it, and is read out from its start.
  useEffect(() => {
    if (shown === undefined) return
    const top = rememberedScroll()
    // Who reads the first page since before its script was there may have scrolled.
    if (!isFirst.current || top > 0) window.scrollTo(0, top)
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [shown?.key])

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
