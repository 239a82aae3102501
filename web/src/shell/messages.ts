import { messageTables } from '../i18n/message-tables.ts'

/** The texts of the frame around all pages, and of what can happen on any of them. */
export const shellMessages = messageTables({
  en: async () => (await import('./messages/en.ts')).en,
  es: async () => (await import('./messages/es.ts')).es,
  fr: async () => (await import('./messages/fr.ts')).fr,
  tr: async () => (await import('./messages/tr.ts')).tr,
})
