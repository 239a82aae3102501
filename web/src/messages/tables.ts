import { type Language, language } from '../i18n/language.ts'

/** The texts of one area of the site in every language. */
export interface MessageTables<Table> {
  /** Fetches the table of a language. */
  load(language: Language): Promise<void>
  /** The table of the language that is shown; a component that reads it follows changes of language. */
  readonly current: Table
}

/**
 * Makes tables of texts that are loaded language by language. The English table is the type of all: a text that another
 * language lacks is a type error. Values are texts, or functions that put numbers and names in.
 */
export function messageTables<Table>(loaders: Readonly<Record<Language, () => Promise<Table>>>): MessageTables<Table> {
  const loaded = new Map<Language, Table>()
  return {
    async load(wanted) {
      if (!loaded.has(wanted)) loaded.set(wanted, await loaders[wanted]())
    },
    get current() {
      const table = loaded.get(language.value)
      if (table === undefined) throw new Error(`The texts in "${language.value}" are used before they are loaded`)
      return table
    },
  }
}

/** The texts of the frame around all pages, and of what can happen on any of them. */
export const shellMessages = messageTables({
  en: async () => (await import('./layout/en.ts')).en,
  es: async () => (await import('./layout/es.ts')).es,
  fr: async () => (await import('./layout/fr.ts')).fr,
  tr: async () => (await import('./layout/tr.ts')).tr,
})

/** The texts of the pages for viewers. */
export const explorerMessages = messageTables({
  en: async () => (await import('./explorer/en.ts')).en,
  es: async () => (await import('./explorer/es.ts')).es,
  fr: async () => (await import('./explorer/fr.ts')).fr,
  tr: async () => (await import('./explorer/tr.ts')).tr,
})

/** The texts that the pages for developers and operators share: the way around, signing in, problems, charts. */
export const platformMessages = messageTables({
  en: async () => (await import('./platform/en.ts')).en,
  es: async () => (await import('./platform/es.ts')).es,
  fr: async () => (await import('./platform/fr.ts')).fr,
  tr: async () => (await import('./platform/tr.ts')).tr,
})

/** The texts of the dashboard: usage, keys, the account. */
export const dashboardMessages = messageTables({
  en: async () => (await import('./dashboard/en.ts')).en,
  es: async () => (await import('./dashboard/es.ts')).es,
  fr: async () => (await import('./dashboard/fr.ts')).fr,
  tr: async () => (await import('./dashboard/tr.ts')).tr,
})

/** The texts of the reference and of the getting-started page. What the OpenAPI document says is in English only. */
export const referenceMessages = messageTables({
  en: async () => (await import('./reference/en.ts')).en,
  es: async () => (await import('./reference/es.ts')).es,
  fr: async () => (await import('./reference/fr.ts')).fr,
  tr: async () => (await import('./reference/tr.ts')).tr,
})

/** The texts of the operator's pages. */
export const operatorMessages = messageTables({
  en: async () => (await import('./operator/en.ts')).en,
  es: async () => (await import('./operator/es.ts')).es,
  fr: async () => (await import('./operator/fr.ts')).fr,
  tr: async () => (await import('./operator/tr.ts')).tr,
})
