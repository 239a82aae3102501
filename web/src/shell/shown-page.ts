import { batch, effect, signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { viewer } from '../data/viewer.ts'
import { type Language, language } from '../i18n/language.ts'
import { type PageProps, type Route, routeOf } from '../routes.ts'
import { location } from '../routing/location.ts'
import { shellMessages } from './messages.ts'

/** What stands in the frame. The key changes when another page is opened, not when a page changes its query. */
export type ShownPage = { readonly key: string } & (
  | ({ readonly kind: 'page'; readonly Page: ComponentType<PageProps> } & PageProps)
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly error: unknown }
)

/** The page that is shown; nothing before the first is there. */
export const shownPage = signal<ShownPage>()

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

async function load(path: string, wanted: Language, route: (Route & PageProps) | undefined): Promise<ShownPage> {
  const tables = [shellMessages, ...(route?.messages ?? [])].map((messages) => messages.load(wanted))
  try {
    const [module] = await Promise.all([route?.load(), ...tables])
    if (route === undefined || module === undefined) return { kind: 'missing', key: path }
    return { kind: 'page', key: path, Page: module.default, rest: route.rest }
  } catch (error) {
    return { kind: 'failed', key: path, error }
  }
}
