import { batch, effect } from '@preact/signals'
import { ConnectionError } from 'marquee-client'
import type { Language } from '../i18n/language.ts'
import { layoutMessages } from '../messages/tables.ts'
import { matchPage, type PageMatch, preloadPage } from '../pages.ts'
import type { AppContext, ShownPage } from './context.ts'

/** How long a page waits for its initial queries before it is shown without their results. */
const INITIAL_QUERIES_WAIT_MS = 250

/** After as long a navigation shows that it is under way; what comes sooner needs no sign. */
const LOADING_SIGN_MS = 60

/** Shows the page of the current address: loads its script and texts first, then changes page and language at once. */
export class PageLoader {
  readonly #app: AppContext
  /** Number of the latest load; earlier ones are dropped when they finish. */
  #latest = 0

  constructor(app: AppContext) {
    this.#app = app
  }

  /**
   * Follows the address. Resolves when the first page is loaded. If the server has rendered that one, it waits for all
   * initial queries: hydration must draw the same.
   */
  follow(isServerRendered: boolean): Promise<void> {
    const { router, viewer, page } = this.#app
    return new Promise((resolve) => {
      effect(() => {
        const mustHydrate = isServerRendered && page.peek() === undefined
        void this.#load(router.location.value.path, viewer.value.language, mustHydrate).then(() => {
          if (page.peek() !== undefined) resolve()
        })
      })
    })
  }

  /** Loads the current page again. A browser may cache that a script failed: then the whole site is reloaded. */
  async reload(): Promise<void> {
    const { router, viewer, page } = this.#app
    await this.#load(router.location.peek().path, viewer.peek().language)
    if (page.peek()?.kind === 'failed' && navigator.onLine) window.location.reload()
  }

  async #load(path: string, language: Language, mustHydrate = false): Promise<void> {
    const load = ++this.#latest
    const sign = setTimeout(() => {
      if (load === this.#latest) this.#app.isLoading.value = true
    }, LOADING_SIGN_MS)
    const match = matchPage(path)
    const preloaded = preloadPage(match, this.#app, (query) => this.#app.queries.prefetch(query)).catch(() => {})
    const next = await loadPage(path, language, match)
    // A page with its results from the start is calmer than one that changes right away.
    await (mustHydrate ? preloaded : Promise.race([preloaded, wait(INITIAL_QUERIES_WAIT_MS)]))
    clearTimeout(sign)
    if (load !== this.#latest) return
    this.#app.isLoading.value = false
    showPage(this.#app, next, language)
    document.documentElement.lang = this.#app.language.peek()
  }
}

/** Pages whose script was loaded: the server would resolve the path of a script for each request. */
const scripts = new Map<PageMatch['path'], Awaited<ReturnType<PageMatch['load']>>>()

/** Loads the script of a page and its message tables. */
export async function loadPage(path: string, language: Language, match: PageMatch | undefined): Promise<ShownPage> {
  const tables = [layoutMessages, ...(match?.messages ?? [])].map((messages) => messages.load(language))
  try {
    const [module] = await Promise.all([match && (scripts.get(match.path) ?? match.load()), ...tables])
    if (match === undefined || module === undefined) return { kind: 'missing', key: path }
    scripts.set(match.path, module)
    return {
      kind: 'page',
      key: path,
      Page: module.default,
      isCountrySpecific: match.isCountrySpecific,
      rest: match.rest,
    }
  } catch (error) {
    // Only files of the site are loaded here, so an error is one of the connection.
    return { kind: 'failed', key: path, error: new ConnectionError('The page did not come', path, false, error) }
  }
}

/** Shows a page in a language. After a failed load the language stays, since its texts may be missing. */
export function showPage({ page, language: shown }: AppContext, next: ShownPage, language: Language): void {
  batch(() => {
    if (next.kind !== 'failed' || page.peek() === undefined) shown.value = language
    page.value = next
  })
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
