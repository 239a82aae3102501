import { useEffect, useRef } from 'preact/hooks'
import { type AppContext, AppProvider, type ShownPage, useApp, useMessages, useViewer } from '../app/context.ts'
import { hasCountry } from '../app/viewer.ts'
import { layoutMessages } from '../messages/tables.ts'
import { Failure } from './failure.tsx'
import { FirstRunPage } from './first-run.tsx'
import { DemoBanner, Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { NotFoundPage, UnknownCountryPage } from './not-found.tsx'
import './app.css'

interface AppProps {
  readonly app: AppContext
  /** Loads the current page again after an error. */
  readonly reload: () => Promise<void>
}

/** The whole site: the context, and the layout once a page is loaded. */
export function App({ app, reload }: AppProps) {
  return (
    <AppProvider value={app}>
      <Site reload={reload} />
    </AppProvider>
  )
}

function Site({ reload }: Pick<AppProps, 'reload'>) {
  const page = useApp().page.value
  return page === undefined ? null : <Layout page={page} reload={reload} />
}

/** The layout around every page: skip link, banner, header, the page itself, footer. */
function Layout({ page, reload }: { page: ShownPage; reload: () => Promise<void> }) {
  const { catalog, router } = useApp()
  const { country } = useViewer()
  const t = useMessages(layoutMessages)
  const main = useRef<HTMLElement>(null)
  const drawn = useRef<string>(undefined)
  const { at, path, isReturn } = router.location.value

  // A new page starts at its top, and it or its first field gets the focus. Back and forward restore the scroll position.
  useEffect(() => {
    // The page of the current address may still be loading.
    if (page.key !== path) return
    const isFirst = drawn.current === undefined
    const isNew = drawn.current !== page.key
    drawn.current = page.key
    const top = isReturn ? router.scroll.saved() : 0
    // The user may have scrolled the server-rendered page before its script ran.
    if (isReturn ? !isFirst || top > 0 : isNew && !isFirst) router.scroll.scrollTo(top)
    if (isNew && !isFirst) {
      const field = document.querySelector<HTMLElement>('[autofocus]')
      ;(field ?? main.current)?.focus({ preventScroll: true })
    }
  }, [page.key, at])

  const isCountrySpecific = page.kind === 'page' && page.isCountrySpecific
  const isEmpty = isCountrySpecific && catalog.countries.length === 0
  const isUncovered = isCountrySpecific && !hasCountry(catalog, country)
  return (
    <>
      <a class="skip" href="#content">
        {t.skip}
      </a>
      <LoadingBar />
      <DemoBanner />
      <Header />
      <main id="content" ref={main} tabIndex={-1} class="page">
        {isEmpty && <FirstRunPage />}
        {isUncovered && <UnknownCountryPage />}
        {page.kind === 'page' && !isEmpty && !isUncovered && <page.Page key={page.key} rest={page.rest} />}
        {page.kind === 'missing' && <NotFoundPage />}
        {page.kind === 'failed' && <Failure error={page.error} retry={reload} />}
      </main>
      <Footer />
    </>
  )
}

/** A bar at the top of the window while the next page is loading: a status, since it is in no landmark. */
function LoadingBar() {
  const t = useMessages(layoutMessages)
  if (!useApp().isLoading.value) return null
  return (
    <div class="loading-bar" role="status">
      <div role="progressbar" aria-label={t.loading} />
    </div>
  )
}
