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

/** The descriptive fields of a show, for which sources can be ranked. Names are those of `Show`. */
export const RANKED_FIELDS = [
  'title',
  'originalTitle',
  'originalLanguage',
  'overview',
  'translations',
  'year',
  'lastAirYear',
  'genres',
  'directors',
  'creators',
  'cast',
  'runtime',
  'seasonCount',
  'episodeCount',
  'imageSet',
  'popularity',
  'seasons',
] as const

export type RankedField = (typeof RANKED_FIELDS)[number]

/** The order of precedence of sources, best first: for all fields, and for single fields before that. */
export interface SourceRanks {
  readonly all: readonly string[]
  readonly fields: Readonly<Partial<Record<RankedField, readonly string[]>>>
}

/** Without ranks, the latest record wins. */
export const NO_RANKS: SourceRanks = { all: [], fields: {} }

/** Whether a text names a field that sources can be ranked for. */
export function isRankedField(name: string): name is RankedField {
  return (RANKED_FIELDS as readonly string[]).includes(name)
}

/**
 * The rank of a source for a field, 0 being the best; Infinity if it has none. Sources that the list of the field lacks
 * come after it, in the order for all fields.
 */
export function findRank({ all, fields }: SourceRanks, field: RankedField, source: string): number {
  const own = fields[field] ?? []
  const first = own.indexOf(source)
  if (first >= 0) return first
  const second = all.indexOf(source)
  return second < 0 ? Number.POSITIVE_INFINITY : own.length + second
}
