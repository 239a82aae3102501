import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Marquee } from 'marquee-client'
import { type ComponentType, createContext, type VNode } from 'preact'
import { useContext } from 'preact/hooks'
import { QueryCache } from '../data/query-cache.ts'
import { firstWeekday, type Weekday } from '../i18n/first-weekday.ts'
import { type Formats, formatsFor } from '../i18n/formats.ts'
import type { Language } from '../i18n/language.ts'
import type { PageHead } from '../layout/page-head.ts'
import type { MessageTables } from '../messages/tables.ts'
import { type PageLocation, Router } from '../routing/router.ts'
import { buildHref, type CatalogInfo, ownServices, type QueryValues, readViewer, type Viewer } from './viewer.ts'

export const SITE_NAME = 'Marquee'

/** The props of every page component. */
export interface PageProps {
  /** What the `*` of its path stands for; empty without one. */
  readonly rest: string
}

/** The page in the layout. The key changes with the path, not with the query. */
export type ShownPage = { readonly key: string } & (
  | ({
      readonly kind: 'page'
      readonly Page: ComponentType<PageProps>
      readonly isCountrySpecific: boolean
    } & PageProps)
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly error: unknown }
)

/** Renders a part once, and puts its HTML in the place of parts with the same key. */
type ReuseHtml = (key: string, render: () => VNode) => VNode

interface AppOptions {
  readonly catalog: CatalogInfo
  readonly location: PageLocation
  readonly client: Marquee
  readonly reuseHtml?: ReuseHtml
}

/**
 * The state that all components share. A browser tab has one, and the server creates one for each request, so requests
 * that are rendered at the same time cannot mix up viewers, languages or data.
 */
export class AppContext {
  readonly catalog: CatalogInfo
  readonly router: Router
  /** Country and language by the URL. */
  readonly viewer: ReadonlySignal<Viewer>
  /** The language of the texts on the page. It follows `viewer` once the message tables are loaded. */
  readonly language: Signal<Language>
  /** Undefined until the first page is loaded. */
  readonly page = signal<ShownPage | undefined>(undefined)
  /** Whether the next page takes noticeably long to come. */
  readonly isLoading = signal(false)
  /** The time zone of days. The server knows it by a cookie; in the browser it becomes that of the system. */
  readonly timeZone: Signal<string>
  readonly queries: QueryCache
  /** Undefined in the browser. */
  readonly reuseHtml: ReuseHtml | undefined
  /** What belongs into the `<head>` of the HTML page as of the last render. */
  head: PageHead = { title: SITE_NAME }

  constructor({ catalog, location, client, reuseHtml }: AppOptions) {
    this.catalog = catalog
    this.router = new Router(location)
    this.viewer = computed(() => readViewer(this.router.location.value.query, catalog))
    this.language = signal(this.viewer.peek().language)
    this.timeZone = signal(catalog.timeZone ?? 'UTC')
    this.queries = new QueryCache(client)
    this.reuseHtml = reuseHtml
  }
}

const Context = createContext<AppContext | undefined>(undefined)

/** Provides the context to all components below. */
export const AppProvider = Context.Provider

export function useApp(): AppContext {
  const app = useContext(Context)
  if (app === undefined) throw new Error('There is no AppProvider around this component')
  return app
}

/**
 * A part that depends on its key alone. The server reuses the HTML of such parts: most of a small page is the same on all
 * pages. The part is rendered by itself, so that it has nothing that uses the context, and no other hook may follow.
 */
export function useReusable(key: string, render: () => VNode): VNode {
  const { reuseHtml } = useApp()
  return reuseHtml === undefined ? render() : reuseHtml(key, render)
}

/** Country and language of the viewer. The component follows changes, as with all hooks below. */
export function useViewer(): Viewer {
  return useApp().viewer.value
}

/** The ids of the services that the viewer has; empty if none are set. */
export function useOwnServices(): ReadonlySet<string> {
  return ownServices(useApp().catalog)
}

/** The time zone in which days begin. */
export function useTimeZone(): string {
  return useApp().timeZone.value
}

/** The first day of the week in the viewer's country: 1 for Monday to 7 for Sunday. */
export function useFirstWeekday(): Weekday {
  const { language, country } = useViewer()
  return firstWeekday(`${language}-${country.toUpperCase()}`)
}

/** The current address. */
export function useLocation(): PageLocation {
  return useApp().router.location.value
}

/** Navigates to another address of the site; see `Router.navigate`. */
export function useNavigate(): Router['navigate'] {
  const { router } = useApp()
  return (href, options) => router.navigate(href, options)
}

/** Builds the URL of a page, with country and language of the viewer. */
export function useHref(): (path: string, values?: QueryValues) => string {
  const viewer = useViewer()
  return (path, values) => buildHref(viewer, path, values)
}

/** The texts of an area in the language of the page. */
export function useMessages<Table>(tables: MessageTables<Table>): Table {
  return tables.get(useApp().language.value)
}

/** Formats of numbers, dates and names in the language of the page. */
export function useFormats(): Formats {
  return formatsFor(useApp().language.value)
}
