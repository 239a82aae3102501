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
