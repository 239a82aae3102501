import { createHash, type Hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { Catalog } from '../../catalog/catalog.ts'
import { openEnvironment } from '../../catalog/storage/environment.ts'
import type { LogPosition } from '../../catalog/storage/meta.ts'
import { UserError } from '../../lib/errors.ts'
import type { Session } from '../../lib/postgres/session.ts'
import type { Change } from '../../model/change.ts'
import type { Show } from '../../model/show.ts'
import { bootstrapCatalog } from './bootstrap-catalog.ts'
import {
  catalogMark,
  encodeChanges,
  encodeShow,
  INSERT_CHANGES,
  insertDocuments,
  isSameMark,
  type LogHead,
  lockHead,
  readDocuments,
  readHead,
  storedShowJson,
  writeExtras,
} from './log-rows.ts'
import { ReplicaCatalog } from './replica-catalog.ts'

/** Documents and changes per INSERT: what an interrupted migration repeats at most. */
const DOCUMENTS_PER_INSERT = 200
const CHANGES_PER_INSERT = 2_000

/** The whole catalog becomes one commit. Replicas cannot replay it, only bootstrap from it: the log starts after it. */
const FIRST_COMMIT = 1

/** Documents per query while the ledger is read back. */
const PAGE_ROWS = 500

/** Thrown when a catalog cannot be migrated, with what the operator can do. */
class MigrationError extends UserError {
  override readonly name = 'MigrationError'
}

export interface MigrationResult {
  /** The commit at which the catalog and the ledger are equal. */
  readonly position: LogPosition
  readonly shows: number
  readonly changes: number
  /** The digest of all documents, equal on both sides. */
  readonly digest: string
}

/**
 * Migrates a catalog into an empty ledger. An interrupted migration is resumed. The ledger stays in state `filling` until
 * all documents were read back and their digest is that of the catalog.
 */
export async function migrateToLedger(
  session: Session,
  catalog: Catalog,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<MigrationResult> {
  const { id } = await startMigration(session, catalog)
  await copyDocuments(session, catalog, onProgress)
  const changes = await copyChanges(session, catalog)
  const digest = digestCatalog(catalog)
  if ((await digestLedger(session, catalog.nextDoc(), FIRST_COMMIT)) !== digest) {
    throw new MigrationError(
      'The documents in the database are not those of the catalog; empty the database and try again',
    )
  }
  await finishMigration(session, catalog)
  return { position: { ledger: id, commit: FIRST_COMMIT }, shows: catalog.counts().shows, changes, digest }
}

/** Sets the ledger to `filling`, with the mark of this catalog. */
function startMigration(session: Session, catalog: Catalog): Promise<LogHead> {
  return session.transaction(async () => {
    const head = await lockHead(session)
    if (head.state === 'filling') {
      if (isSameMark(head, catalogMark(catalog))) return head
      throw new MigrationError(
        'The database holds an unfinished migration of another catalog, or of another version of this one',
      )
    }
    // The migration was finished, but its caller was killed before it heard of that.
    if (head.lastCommit === FIRST_COMMIT && isSameMark(head, catalogMark(catalog))) return head
    if (head.lastCommit > 0) throw new MigrationError('The database holds a catalog already')
    await session.query(
      `UPDATE marquee_ledger SET state = 'filling', version = $1, edition = $2, next_doc = $3 WHERE only_row = 1`,
      [catalog.version(), catalog.contentHash(), catalog.nextDoc()],
    )
    return head
  })
}

async function copyDocuments(
  session: Session,
  catalog: Catalog,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const total = catalog.nextDoc()
  const [row] = await session.query<{ done: number }>(
    'SELECT count(*)::integer AS done FROM marquee_documents WHERE commit_number = $1',
    [FIRST_COMMIT],
  )
  for (let from = row?.done ?? 0; from < total; from += DOCUMENTS_PER_INSERT) {
    const rows: unknown[] = []
    for (let doc = from; doc < Math.min(from + DOCUMENTS_PER_INSERT, total); doc++) {
      rows.push(doc, doc, encodeShow(catalog.show(doc) as Show))
    }
    await session.query(insertDocuments(rows.length / 3), [FIRST_COMMIT, ...rows])
    onProgress(from + rows.length / 3, total)
  }
}

/** Copies all changes in chunks that are the same on every run, skips those already there, and returns the total. */
async function copyChanges(session: Session, catalog: Catalog): Promise<number> {
  const [row] = await session.query<{ done: number }>(
    'SELECT count(*)::integer AS done FROM marquee_changes WHERE commit_number = $1',
    [FIRST_COMMIT],
  )
  const done = row?.done ?? 0
  let copied = 0
  let chunk = 0
  let changes: Change[] = []
  const flush = async () => {
    if (chunk >= done && changes.length > 0) {
      await session.query(INSERT_CHANGES, [FIRST_COMMIT, chunk, ...encodeChanges(changes)])
    }
    copied += changes.length
    chunk++
    changes = []
  }
  for (const range of catalog.changes.listIds()) {
    for (const { change } of [...catalog.changes.scanAscending(range, catalog.version())]) {
      changes.push(change)
      if (changes.length === CHANGES_PER_INSERT) await flush()
    }
  }
  await flush()
  return copied
}

/** Writes the commit's own row and sets the ledger to `ready`. */
function finishMigration(session: Session, catalog: Catalog): Promise<void> {
  return session.transaction(async () => {
    const head = await lockHead(session)
    if (!isSameMark(head, catalogMark(catalog))) {
      throw new MigrationError('The catalog has changed meanwhile; stop the service and try again')
    }
    if (head.state === 'ready') return
    await writeExtras(session, FIRST_COMMIT, {
      reference: catalog.reference(),
      topLists: catalog.topLists(),
      sources: catalog.sources(),
    })
    await session.query(
      `INSERT INTO marquee_commits (commit_number, token, version, edition, next_doc, counts, outline)
       VALUES ($1, 'moved', $2, $3, $4, $5, '[]')`,
      [FIRST_COMMIT, head.version, head.edition, head.nextDoc, JSON.stringify(catalog.counts())],
    )
    await session.query(
      `UPDATE marquee_ledger SET state = 'ready', last_commit = $1, first_commit = $2 WHERE only_row = 1`,
      [FIRST_COMMIT, FIRST_COMMIT + 1],
    )
  })
}

/** A digest of all documents of a catalog. */
function digestCatalog(catalog: Catalog): string {
  const hash = createHash('sha256')
  for (let doc = 0; doc < catalog.nextDoc(); doc++) updateHash(hash, doc, storedShowJson(catalog.show(doc) as Show))
  return hash.digest('hex')
}

/** The same digest of the documents of the ledger as of a commit. */
async function digestLedger(session: Session, nextDoc: number, commit: number): Promise<string> {
  const hash = createHash('sha256')
  for (let from = 0; from < nextDoc; from += PAGE_ROWS) {
    const bodies = await readDocuments(session, from, Math.min(from + PAGE_ROWS, nextDoc), commit)
    bodies.forEach((body, i) => {
      updateHash(hash, from + i, inflateRawSync(body).toString())
    })
  }
  return hash.digest('hex')
}

function updateHash(hash: Hash, doc: number, text: string): void {
  hash.update(`${doc} ${text}\n`)
}

/**
 * Migrates a ledger into a data directory: bootstraps a replica, compares digests, and deletes its log position, which
 * makes it a catalog of its own. The ledger stays as it is. An interrupted migration is resumed.
 */
export async function migrateToDirectory(
  session: Session,
  directory: string,
  onProgress?: (done: number, total: number) => void,
): Promise<MigrationResult> {
  if (!(await isReplica(directory))) await bootstrapCatalog(session, directory, { onProgress })
  const replica = new ReplicaCatalog(directory)
  try {
    const { catalog } = replica
    const head = await readHead(session)
    await replica.catchUp(session, head)
    const digest = digestCatalog(catalog)
    if ((await digestLedger(session, catalog.nextDoc(), head.lastCommit)) !== digest) {
      throw new MigrationError(`The documents in ${directory} are not those of the ledger; delete it and try again`)
    }
    catalog.setLogPosition(undefined)
    let changes = 0
    for (const range of catalog.changes.listIds()) {
      for (const _ of catalog.changes.scanAscending(range, catalog.version())) changes++
    }
    return { position: { ledger: head.id, commit: head.lastCommit }, shows: catalog.counts().shows, changes, digest }
  } finally {
    await replica.close()
  }
}

/** Whether a directory holds a complete replica. Throws if it holds a catalog that is not a replica. */
async function isReplica(directory: string): Promise<boolean> {
  if (!existsSync(join(directory, 'catalog', 'data.mdb'))) return false
  const environment = openEnvironment(directory)
  try {
    const catalog = new Catalog(environment)
    const isBootstrapping = environment.meta.get('copy') !== undefined
    if (!isBootstrapping && catalog.logPosition() === undefined && catalog.version() > 0) {
      throw new MigrationError(`The folder ${directory} holds a catalog already; name a new one`)
    }
    return catalog.logPosition() !== undefined
  } finally {
    await environment.root.close()
  }
}
