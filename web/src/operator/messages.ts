import { messageTables } from '../i18n/message-tables.ts'

/** The texts of the operator's pages. */
export const operatorMessages = messageTables({
  en: async () => (await import('./messages/en.ts')).en,
  es: async () => (await import('./messages/es.ts')).es,
  fr: async () => (await import('./messages/fr.ts')).fr,
  tr: async () => (await import('./messages/tr.ts')).tr,
})
