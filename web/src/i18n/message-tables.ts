import { type Language, language } from './language.ts'

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
