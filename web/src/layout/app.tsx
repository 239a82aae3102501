import { useEffect, useRef } from 'preact/hooks'
import { reopenPage, shownPage } from '../app/page-loader.ts'
import { hasCountry, viewer } from '../app/viewer.ts'
import { shellMessages } from '../messages/tables.ts'
import { location } from '../routing/router.ts'
import { rememberedScroll, scrollToPlace } from '../routing/scroll-restoration.ts'
import { Failure } from './failure.tsx'
import { DemoBanner, Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { MissingPage, UnknownCountry } from './not-found.tsx'
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
