import type { Language } from '../i18n/language.ts'

/** The texts of one area of the site in every language. */
export interface MessageTables<Table> {
  /** Loads the table of a language. */
  load(language: Language): Promise<void>
  /** The table of a language that is loaded. */
  get(language: Language): Table
  /** The language that the texts are in: English where there are none in a language. */
  shownLanguage(language: Language): Language
}

/**
 * Message tables that are loaded language by language. Pages for viewers have all languages; those for developers and
 * operators have four, and English in place of the others. The English table is the type of all: a text that another language
 * lacks is a type error. Values are texts, or functions that insert numbers and names. Loaded tables never change, so
 * requests share them.
 */
function messageTables<Table>(
  loaders: Readonly<Partial<Record<Language, () => Promise<Table>>>> & { readonly en: () => Promise<Table> },
): MessageTables<Table> {
  const loaded = new Map<Language, Table>()
  const shownLanguage = (language: Language) => (loaders[language] === undefined ? 'en' : language)
  return {
    shownLanguage,
    async load(language) {
      const shown = shownLanguage(language)
      if (!loaded.has(shown)) loaded.set(shown, await (loaders[shown] ?? loaders.en)())
    },
    get(language) {
      const table = loaded.get(shownLanguage(language))
      if (table === undefined) throw new Error(`The texts in "${language}" are used before they are loaded`)
      return table
    },
  }
}

/** Header, footer, search box, and errors that can happen on any page. */
export const layoutMessages = messageTables({
  en: async () => (await import('./layout/en.ts')).en,
  es: async () => (await import('./layout/es.ts')).es,
  fr: async () => (await import('./layout/fr.ts')).fr,
  tr: async () => (await import('./layout/tr.ts')).tr,
  de: async () => (await import('./layout/de.ts')).de,
  it: async () => (await import('./layout/it.ts')).it,
  nl: async () => (await import('./layout/nl.ts')).nl,
  pl: async () => (await import('./layout/pl.ts')).pl,
  pt: async () => (await import('./layout/pt.ts')).pt,
  sv: async () => (await import('./layout/sv.ts')).sv,
  ja: async () => (await import('./layout/ja.ts')).ja,
  ko: async () => (await import('./layout/ko.ts')).ko,
})

/** The pages for viewers. */
export const explorerMessages = messageTables({
  en: async () => (await import('./explorer/en.ts')).en,
  es: async () => (await import('./explorer/es.ts')).es,
  fr: async () => (await import('./explorer/fr.ts')).fr,
  tr: async () => (await import('./explorer/tr.ts')).tr,
  de: async () => (await import('./explorer/de.ts')).de,
  it: async () => (await import('./explorer/it.ts')).it,
  nl: async () => (await import('./explorer/nl.ts')).nl,
  pl: async () => (await import('./explorer/pl.ts')).pl,
  pt: async () => (await import('./explorer/pt.ts')).pt,
  sv: async () => (await import('./explorer/sv.ts')).sv,
  ja: async () => (await import('./explorer/ja.ts')).ja,
  ko: async () => (await import('./explorer/ko.ts')).ko,
})

/** What the pages for developers and operators share: navigation, signing in, errors, charts. */
export const platformMessages = messageTables({
  en: async () => (await import('./platform/en.ts')).en,
  es: async () => (await import('./platform/es.ts')).es,
  fr: async () => (await import('./platform/fr.ts')).fr,
  tr: async () => (await import('./platform/tr.ts')).tr,
})

/** The dashboard: usage, keys, the account. */
export const dashboardMessages = messageTables({
  en: async () => (await import('./dashboard/en.ts')).en,
  es: async () => (await import('./dashboard/es.ts')).es,
  fr: async () => (await import('./dashboard/fr.ts')).fr,
  tr: async () => (await import('./dashboard/tr.ts')).tr,
})

/** The reference and the getting-started page. The OpenAPI document itself is in English only. */
export const referenceMessages = messageTables({
  en: async () => (await import('./reference/en.ts')).en,
  es: async () => (await import('./reference/es.ts')).es,
  fr: async () => (await import('./reference/fr.ts')).fr,
  tr: async () => (await import('./reference/tr.ts')).tr,
})

/** The pages for operators. */
export const operatorMessages = messageTables({
  en: async () => (await import('./operator/en.ts')).en,
  es: async () => (await import('./operator/es.ts')).es,
  fr: async () => (await import('./operator/fr.ts')).fr,
  tr: async () => (await import('./operator/tr.ts')).tr,
})
