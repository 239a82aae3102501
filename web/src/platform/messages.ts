import { messageTables } from '../i18n/message-tables.ts'

/** The texts that the pages for developers and operators share: the way around, signing in, problems, charts. */
export const platformMessages = messageTables({
  en: async () => (await import('./messages/en.ts')).en,
  es: async () => (await import('./messages/es.ts')).es,
  fr: async () => (await import('./messages/fr.ts')).fr,
  tr: async () => (await import('./messages/tr.ts')).tr,
})
