import type { Attribution } from '../../model/source.ts'
/** How far a catalog that is a copy of a ledger has come. */
export interface LogPosition {
  /** The id of the ledger. */
  readonly ledger: string
  /** The number of the last commit that the catalog holds; 0 before the first. */
  readonly commit: number
}

/** A source of feeds, and its last import, unless all that is known of it came with an export. */
export interface SourceRecord {
  readonly name: string
  /** What its licence wants to be shown with its data. */
  readonly attribution?: readonly Attribution[]
  readonly lastImport?: {
    readonly at: number
    readonly mode: 'snapshot' | 'delta'
    readonly shows: number
    readonly changes: Readonly<Record<string, number>>
    readonly notices: Readonly<Record<string, number>>
    /** Whether the feed was whole; a cut one adds and alters, but removes nothing. */
    readonly complete: boolean
  }
}
