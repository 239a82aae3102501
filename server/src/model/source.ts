/** A notice that a source's licence requires wherever its data is shown, word for word. */
export interface Attribution {
  readonly text: string
  /** The target of the text, if it is a link. */
  readonly link?: string
}

/** The attribution of one source. */
export interface SourceAttribution {
  readonly source: string
  readonly attribution: readonly Attribution[]
}

/** The rule for names of sources, for error messages. */
export const SOURCE_NAME_RULE = 'a text of 1 to 100 characters without control characters'

/** Whether the text can be the name of a source: it is printed in lists and labels, and stored as a key. */
export function isSourceName(name: string): boolean {
  return /^\P{Cc}{1,100}$/u.test(name)
}
