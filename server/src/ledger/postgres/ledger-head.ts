import type { Catalog } from '../../catalog/catalog.ts'
import type { CatalogMark } from '../../catalog/write/batch.ts'
import type { Session } from '../../database/session.ts'
import { UserError } from '../../lib/user-error.ts'

/** Where the ledger stands, and what a catalog has come to there. */
export interface LedgerHead extends CatalogMark {
  readonly id: string
  /** `filling` while a catalog is being moved in, and nothing else may be done with it. */
  readonly state: 'ready' | 'filling'
  readonly lastCommit: number
  /** The oldest commit that can still be followed. */
  readonly firstCommit: number
}

/** Thrown while a catalog is still being moved into the ledger. */
export class LedgerFilling extends UserError {
  override readonly name = 'LedgerFilling'

  constructor() {
    super('A catalog is being moved into this database; run `marquee migrate` again to finish that')
  }
}

const COLUMNS = `id, state, last_commit AS "lastCommit", first_commit AS "firstCommit", version, edition,
  next_doc AS "nextDoc"`

/** Reads where the ledger stands. */
export async function readHead(session: Session): Promise<LedgerHead> {
  const [head] = await session.ask<LedgerHead>(`SELECT ${COLUMNS} FROM marquee_ledger WHERE only_row = 1`)
  return usable(head)
}

/** Reads where the ledger stands and keeps everybody else from committing until the end of the transaction. */
export async function lockHead(session: Session): Promise<LedgerHead> {
  const [head] = await session.query<LedgerHead>(`SELECT ${COLUMNS} FROM marquee_ledger WHERE only_row = 1 FOR UPDATE`)
  return usable(head)
}

/** What a catalog has come to. */
export function markOf(catalog: Catalog): CatalogMark {
  return { version: catalog.version(), edition: catalog.contentHash(), nextDoc: catalog.nextDoc() }
}

/** Whether what was come to at one place is what was come to at another. */
export function isSameMark(one: CatalogMark, other: CatalogMark): boolean {
  return one.version === other.version && one.edition === other.edition && one.nextDoc === other.nextDoc
}

function usable(head: LedgerHead | undefined): LedgerHead {
  if (head === undefined) throw new Error('The database holds no ledger, although it has the tables of one')
  return head
}
