/** A source of feeds, and its last import. */
export interface SourceRecord {
  readonly name: string
  readonly lastImport: {
    readonly at: number
    readonly mode: 'snapshot' | 'delta'
    readonly shows: number
    readonly changes: Readonly<Record<string, number>>
    readonly notices: Readonly<Record<string, number>>
    /** Whether the feed was whole; a cut one adds and alters, but removes nothing. */
    readonly complete: boolean
  }
}
