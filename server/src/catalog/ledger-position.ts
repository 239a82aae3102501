/** How far a catalog that is a copy of a ledger has come. */
export interface LedgerPosition {
  /** The id of the ledger. */
  readonly ledger: string
  /** The number of the last commit that the catalog holds; 0 before the first. */
  readonly commit: number
}
