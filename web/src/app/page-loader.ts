import { batch, effect, signal } from '@preact/signals'
import { ConnectionError } from 'marquee-client'
import type { ComponentType } from 'preact'
import { askAhead } from '../data/query-cache.ts'
import { type Language, language } from '../i18n/language.ts'
import { shellMessages } from '../messages/tables.ts'
import { type OpenedRoute, type PageProps, routeOf } from '../pages.ts'
import { location } from '../routing/router.ts'
import { viewer } from './viewer.ts'

/** What stands in the frame. The key changes when another page is opened, not when a page changes its query. */
export type ShownPage = { readonly key: string } & (
  | ({ readonly kind: 'page'; readonly Page: ComponentType<PageProps>; readonly isOfCountry: boolean } & PageProps)
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly error: unknown }
)

/** The page that is shown; nothing before the first is there. */
export const shownPage = signal<ShownPage>()

/** How long a page waits for what it asks for first, before it is shown without. */
const A_MOMENT_MS = 250

let latest = 0

/**
 * Follows the address: loads the page with its texts, and only then changes what is shown, language included. Resolves
 * when the first page is there. If that one is drawn already, nothing hurries: it waits for all that it asks for first.
 */
export function followLocation(isDrawn: boolean): Promise<void> {
  return new Promise((resolve) => {
    effect(() => {
      const isPatient = isDrawn && shownPage.peek() === undefined
      void open(location.value.path, viewer.value.language, isPatient).then(() => {
        if (shownPage.peek() !== undefined) resolve()
      })
    })
  })
}

/** Tries the present address again. A browser may remember that a file did not come: then the site is loaded anew. */
export async function reopenPage(): Promise<void> {
  await open(location.peek().path, viewer.peek().language)
  if (shownPage.peek()?.kind === 'failed' && navigator.onLine) window.location.reload()
}

async function open(path: string, wanted: Language, isPatient = false): Promise<void> {
  const turn = ++latest
  const route = routeOf(path)
  const asked = (route?.questions ?? []).map(askAhead)
  const next = await loadPage(path, wanted, route)
  // A page that shows answers at once is calmer than one that changes right after.
  if (asked.length > 0)
    await (isPatient ? Promise.allSettled(asked) : Promise.race([Promise.allSettled(asked), aMoment()]))
  if (turn !== latest) return
  showPage(next, wanted)
  document.documentElement.lang = language.peek()
}

/** Loads the page of a path, with its texts in a language. */
export async function loadPage(path: string, wanted: Language, route: OpenedRoute | undefined): Promise<ShownPage> {
  const tables = [shellMessages, ...(route?.messages ?? [])].map((messages) => messages.load(wanted))
  try {
    const [module] = await Promise.all([route?.load(), ...tables])
    if (route === undefined || module === undefined) return { kind: 'missing', key: path }
    return { kind: 'page', key: path, Page: module.default, isOfCountry: route.isOfCountry, rest: route.rest }
  } catch (error) {
    // Only files of the site are waited for here, and those are good when they come.
    return { kind: 'failed', key: path, error: new ConnectionError('The page did not come', path, false, error) }
  }
}

/** Shows a page in a language whose texts are there. Where loading failed, the language may stay as it was. */
export function showPage(next: ShownPage, wanted: Language): void {
  batch(() => {
    if (next.kind !== 'failed' || shownPage.peek() === undefined) language.value = wanted
    shownPage.value = next
  })
}

function aMoment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, A_MOMENT_MS))
}
