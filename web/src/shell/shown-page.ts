import { batch, effect, signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { askAhead } from '../data/answers-ahead.ts'
import { viewer } from '../data/viewer.ts'
import { type Language, language } from '../i18n/language.ts'
import { type OpenedRoute, type PageProps, routeOf } from '../routes.ts'
import { location } from '../routing/location.ts'
import { shellMessages } from './messages.ts'

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

/** Follows the address: loads the page with its texts, and only then changes what is shown, language included. */
export function followLocation(): void {
  effect(() => {
    void open(location.value.path, viewer.value.language)
  })
}

/** Tries the present address again. */
export function reopenPage(): void {
  void open(location.peek().path, viewer.peek().language)
}

async function open(path: string, wanted: Language): Promise<void> {
  const turn = ++latest
  const next = await load(path, wanted, routeOf(path))
  if (turn !== latest) return
  batch(() => {
    if (next.kind !== 'failed' || shownPage.peek() === undefined) language.value = wanted
    shownPage.value = next
  })
  document.documentElement.lang = language.peek()
}

async function load(path: string, wanted: Language, route: OpenedRoute | undefined): Promise<ShownPage> {
  const answers = (route?.questions ?? []).map(askAhead)
  const tables = [shellMessages, ...(route?.messages ?? [])].map((messages) => messages.load(wanted))
  try {
    const [module] = await Promise.all([route?.load(), ...tables])
    await soon(answers)
    if (route === undefined || module === undefined) return { kind: 'missing', key: path }
    return { kind: 'page', key: path, Page: module.default, isOfCountry: route.isOfCountry, rest: route.rest }
  } catch (error) {
    return { kind: 'failed', key: path, error }
  }
}

/** Gives answers a moment to come: a page that shows them at once is calmer than one that changes right after. */
function soon(answers: readonly Promise<unknown>[]): Promise<unknown> {
  if (answers.length === 0) return Promise.resolve()
  return Promise.race([Promise.allSettled(answers), new Promise((resolve) => setTimeout(resolve, A_MOMENT_MS))])
}
