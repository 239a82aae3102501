import type { Catalog } from '../../catalog/catalog.ts'
import type { LogPosition } from '../../catalog/storage/meta.ts'
import type { Session } from '../../database/session.ts'
import { UserError } from '../../lib/user-error.ts'
import type { Change } from '../../model/change.ts'
import type { TopList } from '../../model/service.ts'
import type { Show } from '../../model/show.ts'
import { changesRow, INSERT_CHANGES, insertDocuments, writeExtras } from './commit-recorder.ts'
import { digestOfCatalog, digestOfLedger } from './document-digest.ts'
import { isSameMark, type LedgerHead, lockHead, markOf } from './ledger-head.ts'
import { packShow } from './packed.ts'

/** Documents, and changes, that are written in one transaction: what is lost when the move is broken off. */
const DOCUMENTS_AT_A_TIME = 200
const CHANGES_AT_A_TIME = 2_000

/** The whole catalog is one commit. It cannot be followed, only copied: the log begins after it. */
const COMMIT = 1

/** Thrown when a catalog cannot be moved, for a reason that the operator can mend. */
export class CannotMove extends UserError {
  override readonly name = 'CannotMove'
}

export interface Moved {
  /** The commit that the catalog is now a copy of. */
  readonly position: LogPosition
  readonly shows: number
  readonly changes: number
  /** The digest of every document, the same on both sides. */
  readonly digest: string
}

/**
 * Moves a catalog into an empty ledger. A move that was broken off is gone on with. Nobody can use the ledger before all
 * of it is there, has been read back, and is the same.
 */
export async function moveIn(
  session: Session,
  catalog: Catalog,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Moved> {
  const { id } = await begin(session, catalog)
  await moveDocuments(session, catalog, onProgress)
  const changes = await moveChanges(session, catalog)
  const digest = digestOfCatalog(catalog)
  if ((await digestOfLedger(session, catalog.nextDoc(), COMMIT)) !== digest) {
    throw new CannotMove('The documents in the database are not those of the catalog; empty the database and try again')
  }
  await finish(session, catalog)
  return { position: { ledger: id, commit: COMMIT }, shows: catalog.counts().shows, changes, digest }
}

/** Marks the ledger as one that is being filled with this very catalog. */
function begin(session: Session, catalog: Catalog): Promise<LedgerHead> {
  return session.transaction(async () => {
    const head = await lockHead(session)
    if (head.state === 'filling') {
      if (isSameMark(head, markOf(catalog))) return head
      throw new CannotMove('Another catalog, or another version of this one, was begun to be moved into the database')
    }
    // All of it is there; only the end of the move was not heard of.
    if (head.lastCommit === COMMIT && isSameMark(head, markOf(catalog))) return head
    if (head.lastCommit > 0) throw new CannotMove('The database holds a catalog already')
    await session.query(
      `UPDATE marquee_ledger SET state = 'filling', version = $1, edition = $2, next_doc = $3 WHERE only_row = 1`,
      [catalog.version(), catalog.contentHash(), catalog.nextDoc()],
    )
    return head
  })
}

async function moveDocuments(
  session: Session,
  catalog: Catalog,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const total = catalog.nextDoc()
  const [row] = await session.query<{ done: number }>(
    'SELECT count(*)::integer AS done FROM marquee_documents WHERE commit_number = $1',
    [COMMIT],
  )
  for (let from = row?.done ?? 0; from < total; from += DOCUMENTS_AT_A_TIME) {
    const rows: unknown[] = []
    for (let doc = from; doc < Math.min(from + DOCUMENTS_AT_A_TIME, total); doc++) {
      rows.push(doc, doc, packShow(catalog.show(doc) as Show))
    }
    await session.query(insertDocuments(rows.length / 3), [COMMIT, ...rows])
    onProgress(from + rows.length / 3, total)
  }
}

/** Moves all changes, in pieces that are the same each time they are made; returns how many there are. */
async function moveChanges(session: Session, catalog: Catalog): Promise<number> {
  const [row] = await session.query<{ done: number }>(
    'SELECT count(*)::integer AS done FROM marquee_changes WHERE commit_number = $1',
    [COMMIT],
  )
  const done = row?.done ?? 0
  let moved = 0
  let piece = 0
  let changes: Change[] = []
  const flush = async () => {
    if (piece >= done && changes.length > 0)
      await session.query(INSERT_CHANGES, [COMMIT, piece, ...changesRow(changes)])
    moved += changes.length
    piece++
    changes = []
  }
  for (const range of catalog.changes.listIds()) {
    for (const { change } of [...catalog.changes.scanAscending(range, catalog.version())]) {
      changes.push(change)
      if (changes.length === CHANGES_AT_A_TIME) await flush()
    }
  }
  await flush()
  return moved
}

/** Opens the ledger for all. */
function finish(session: Session, catalog: Catalog): Promise<void> {
  return session.transaction(async () => {
    const head = await lockHead(session)
    if (!isSameMark(head, markOf(catalog)))
      throw new CannotMove('The catalog has changed meanwhile; stop the service and try again')
    if (head.state === 'ready') return
    await writeExtras(session, COMMIT, {
      reference: catalog.reference(),
      topLists: topLists(catalog),
      sources: catalog.sources(),
    })
    await session.query(
      `INSERT INTO marquee_commits (commit_number, token, version, edition, next_doc, counts, outline)
       VALUES ($1, 'moved', $2, $3, $4, $5, '[]')`,
      [COMMIT, head.version, head.edition, head.nextDoc, JSON.stringify(catalog.counts())],
    )
    await session.query(
      `UPDATE marquee_ledger SET state = 'ready', last_commit = $1, first_commit = $2 WHERE only_row = 1`,
      [COMMIT, COMMIT + 1],
    )
  })
}

function topLists(catalog: Catalog): TopList[] {
  return [...catalog.environment.tops.getRange({})].map(({ key, value }) => {
    const [country, service, showType] = key.split('/') as [string, string, TopList['showType']]
    return { country, service, showType, shows: value as string[] }
  })
}
