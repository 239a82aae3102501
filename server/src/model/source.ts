/** What must be shown, in these words, wherever the data of a source is shown. */
export interface Attribution {
  readonly text: string
  /** Where the text leads to. */
  readonly link?: string
}

/** What a source wants to be shown. */
export interface SourceAttribution {
  readonly source: string
  readonly attribution: readonly Attribution[]
}

/** What the name of a source must be, in words. */
export const SOURCE_NAME_RULE = 'a text of 1 to 100 characters without control characters'

/** Whether the text can be the name of a source: it is printed in lists and labels, and kept as a key. */
export function isSourceName(name: string): boolean {
  return /^\P{Cc}{1,100}$/u.test(name)
}
