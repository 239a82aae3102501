import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Catalog } from '../../catalog/catalog.ts'
import { type SourceRecord, topListKey } from '../../catalog/storage/meta.ts'
import type { Reference } from '../../catalog/storage/reference.ts'
import { type Batch, CatalogDivergedError, type CatalogMark } from '../../catalog/write/batch.ts'
import { UserError } from '../../lib/errors.ts'
import { DatabaseUnavailableError, type Session } from '../../lib/postgres/session.ts'
import type { Change } from '../../model/change.ts'
import type { TopList } from '../../model/service.ts'
import type { Show } from '../../model/show.ts'

/*
 * How shows, changes and the rest of a commit are stored in the tables of the log. A body is deflated JSON. Level 3
 * shrinks a show to a tenth in a tenth of a millisecond; zlib's asynchronous calls took three times as long, because a
 * show is so small.
 */
const DEFLATE_LEVEL = 3

export function encodeBody(value: unknown): Buffer {
  return deflateRawSync(JSON.stringify(value), { level: DEFLATE_LEVEL })
}

export function decodeBody(body: Buffer): unknown {
  return JSON.parse(inflateRawSync(body).toString())
}

export function encodeShow(show: Show): Buffer {
  return deflateRawSync(storedShowJson(show), { level: DEFLATE_LEVEL })
}

export function decodeShow(body: Buffer): Show {
  const stored = decodeBody(body) as Show
  return 'withdrawn' in stored ? (renameKey(stored, 'withdrawn', 'deleted') as unknown as Show) : stored
}

/** A show as the JSON that the ledger stores: there the tombstone is the key `withdrawn`. */
export function storedShowJson(show: Show): string {
  return JSON.stringify(show.deleted === undefined ? show : renameKey(show, 'deleted', 'withdrawn'))
}

/** The object with one key renamed in place: digests compare the JSON text, so the order of keys matters. */
function renameKey(value: object, from: string, to: string): object {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key === from ? to : key, member]))
}

/** Reads the encoded documents `from` up to, but not including, `to` as of a commit. Throws if one is missing. */
export async function readDocuments(session: Session, from: number, to: number, commit: number): Promise<Buffer[]> {
  const rows = await session.query<{ body: Buffer }>(
    `SELECT DISTINCT ON (doc) doc, body FROM marquee_documents
     WHERE doc >= $1 AND doc < $2 AND commit_number <= $3
     ORDER BY doc, commit_number DESC, ordinal DESC`,
    [from, to, commit],
  )
  if (rows.length !== to - from) {
    throw new CatalogDivergedError(`The ledger has ${rows.length} of the documents from ${from} to ${to - 1}`)
  }
  return rows.map(({ body }) => body)
}

const insertTexts = new Map<number, string>()

/** The statement that inserts `count` documents. Parameters: the commit; ordinal, document number and body of each. */
export function insertDocuments(count: number): string {
  let text = insertTexts.get(count)
  if (text === undefined) {
    const rows = Array.from({ length: count }, (_, i) => `($1, $${i * 3 + 2}, $${i * 3 + 3}, $${i * 3 + 4})`)
    text = `INSERT INTO marquee_documents (commit_number, ordinal, doc, body) VALUES ${rows.join(', ')}`
    insertTexts.set(count, text)
  }
  return text
}

/** The statement that inserts the changes of a batch. Parameters: commit, batch, then those of `encodeChanges`. */
export const INSERT_CHANGES = 'INSERT INTO marquee_changes (commit_number, batch, newest, body) VALUES ($1, $2, $3, $4)'

/** The newest timestamp of the changes, which truncation compares, and their body. */
export function encodeChanges(changes: readonly Change[]): [newest: number, body: Buffer] {
  return [changes.reduce((newest, { timestamp = 0 }) => Math.max(newest, timestamp), 0), encodeBody(changes)]
}

/** What a commit writes beside shows and changes; of several writes to one key only the last is kept. */
export interface CommitExtras {
  readonly reference?: Reference
  readonly topLists: readonly TopList[]
  readonly sources: readonly SourceRecord[]
  readonly removedSources?: readonly string[]
  readonly forgetChangesBefore?: number
}

export const EMPTY_EXTRAS: CommitExtras = Object.freeze({ topLists: [], sources: [] })

/** The extras with those of one more batch. */
export function addExtras(extras: CommitExtras, batch: Batch): CommitExtras {
  const { reference, topLists, source, removedSources, forgetChangesBefore } = batch
  const parts = [reference, topLists, source, removedSources, forgetChangesBefore]
  if (parts.every((part) => part === undefined)) return extras
  return {
    ...extras,
    ...(reference !== undefined && { reference }),
    ...(forgetChangesBefore !== undefined && { forgetChangesBefore }),
    ...(removedSources !== undefined && { removedSources: [...(extras.removedSources ?? []), ...removedSources] }),
    topLists: topLists === undefined ? extras.topLists : keepLast([...extras.topLists, ...topLists], topListKey),
    sources: source === undefined ? extras.sources : keepLast([...extras.sources, source], ({ name }) => name),
  }
}

/** Batches that write the extras; they follow all other batches of the commit. */
export function* toBatches({ sources, ...extras }: CommitExtras, at: number): Iterable<Batch> {
  const [first, ...others] = sources
  yield { at, shows: [], changes: [], ...extras, ...(first !== undefined && { source: first }) }
  for (const source of others) yield { at, shows: [], changes: [], source }
}

/** Writes the extras to their tables, from which a new replica is bootstrapped. */
export async function writeExtras(session: Session, commit: number, extras: CommitExtras): Promise<void> {
  const { reference, topLists, sources, removedSources = [], forgetChangesBefore } = extras
  if (reference !== undefined) {
    await session.query(
      'INSERT INTO marquee_reference VALUES (1, $1) ON CONFLICT (only_row) DO UPDATE SET body = excluded.body',
      [encodeBody(reference)],
    )
  }
  for (const topList of topLists) {
    await session.query(
      `INSERT INTO marquee_top_lists VALUES ($1, $2) ON CONFLICT (place) DO UPDATE SET shows = excluded.shows`,
      [topListKey(topList), JSON.stringify(topList.shows)],
    )
  }
  for (const source of sources) {
    await session.query(
      'INSERT INTO marquee_sources VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET record = excluded.record',
      [source.name, JSON.stringify(source)],
    )
  }
  for (const name of removedSources) await session.query('DELETE FROM marquee_sources WHERE name = $1', [name])
  if (forgetChangesBefore !== undefined) {
    // A truncation supersedes every earlier one that reaches no further.
    await session.query('DELETE FROM marquee_forgotten WHERE before <= $1', [forgetChangesBefore])
    await session.query('INSERT INTO marquee_forgotten VALUES ($1, $2)', [commit, forgetChangesBefore])
  }
}

function keepLast<T>(all: readonly T[], key: (one: T) => string): T[] {
  return [...new Map(all.map((one) => [key(one), one])).values()]
}

/** The head of the log: its bounds, and the mark of a catalog that has applied its last commit. */
export interface LogHead extends CatalogMark {
  readonly id: string
  /** `filling` while a catalog is being migrated into the ledger; nobody else may read or commit then. */
  readonly state: 'ready' | 'filling'
  readonly lastCommit: number
  /** The oldest commit that a replica can replay. */
  readonly firstCommit: number
}

/** Thrown while a catalog is being migrated into the ledger. */
export class LedgerFillingError extends UserError {
  override readonly name = 'LedgerFillingError'

  constructor() {
    super('A catalog is being moved into this database; run `marquee migrate` again to finish that')
  }
}

const HEAD_COLUMNS = `id, state, last_commit AS "lastCommit", first_commit AS "firstCommit", version, edition,
  next_doc AS "nextDoc"`

/** Reads the head. */
export async function readHead(session: Session): Promise<LogHead> {
  const [head] = await session.quickQuery<LogHead>(`SELECT ${HEAD_COLUMNS} FROM marquee_ledger WHERE only_row = 1`)
  return assertHead(head)
}

/** Thrown when another session keeps the head of the log locked. */
export class LedgerLockedError extends UserError {
  override readonly name = 'LedgerLockedError'
}

/** How long PostgreSQL lets a session wait for the head: one whose process is gone does not wait on. */
const LOCK_TIMEOUT_MS = 5_000

/** How often the head is asked for: about a minute, longer than any commit takes. */
const MAX_LOCK_ATTEMPTS = 12

/** What PostgreSQL replies when a lock is not free in time. */
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Reads the head and locks its row: no other writer commits until the end of the transaction. Waits for another writer, and
 * says in the end which one it waited for.
 */
export async function lockHead(session: Session, timeoutMs = LOCK_TIMEOUT_MS): Promise<LogHead> {
  const select = `SELECT ${HEAD_COLUMNS} FROM marquee_ledger WHERE only_row = 1 FOR UPDATE`
  // Nearly always nobody else holds it, and one reply is enough.
  const [free] = await session.query<LogHead>(`${select} SKIP LOCKED`)
  if (free !== undefined) return free
  await session.query(`SET LOCAL lock_timeout = ${timeoutMs}`)
  for (let attempt = 1; ; attempt++) {
    await session.query('SAVEPOINT head')
    try {
      const [head] = await session.query<LogHead>(select)
      await session.query('SET LOCAL lock_timeout = 0')
      return assertHead(head)
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
      await session.query('ROLLBACK TO SAVEPOINT head')
      if (attempt === MAX_LOCK_ATTEMPTS) throw new LedgerLockedError(await describeLocker(session))
    }
  }
}

/** Which session holds the head, and since when. */
async function describeLocker(session: Session): Promise<string> {
  const [locker] = await session.query<{ pid: number; name: string; address: string | null; since: Date }>(
    `SELECT a.pid, a.application_name AS name, host(a.client_addr) AS address, a.xact_start AS since
     FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.relation = 'marquee_ledger'::regclass AND l.granted AND l.pid <> pg_backend_pid()
     ORDER BY a.xact_start LIMIT 1`,
  )
  if (locker === undefined) return 'The ledger is locked by another session of PostgreSQL; try again'
  const { pid, name, address, since } = locker
  return (
    `The ledger is locked by "${name}"${address === null ? '' : ` at ${address}`} (PostgreSQL's process ${pid}) since ` +
    `${since.toISOString()}; if it hangs, SELECT pg_terminate_backend(${pid}) ends it`
  )
}

/** The mark of a catalog, to compare with that of the log. */
export function catalogMark(catalog: Catalog): CatalogMark {
  return { version: catalog.version(), edition: catalog.contentHash(), nextDoc: catalog.nextDoc() }
}

/** Whether two marks are of the same catalog at the same version. */
export function isSameMark(one: CatalogMark, other: CatalogMark): boolean {
  return one.version === other.version && one.edition === other.edition && one.nextDoc === other.nextDoc
}

function assertHead(head: LogHead | undefined): LogHead {
  if (head === undefined) throw new DatabaseUnavailableError('The database holds no ledger: is it being restored?')
  return head
}

/**
 * Deletes commits older than `days`, with the document versions that newer ones have replaced and the changes that were
 * truncated. A replica that is further behind must be bootstrapped again. Returns how many commits were deleted.
 */
export async function truncateLog(session: Session, days: number): Promise<number> {
  return session.transaction(async () => {
    const { lastCommit, firstCommit } = await lockHead(session)
    const [row] = await session.query<{ first: number | null }>(
      `SELECT min(commit_number) AS first FROM marquee_commits WHERE made_at > now() - $1 * interval '1 day'`,
      [days],
    )
    const first = row?.first ?? lastCommit + 1
    if (first <= firstCommit) return 0
    await session.query('UPDATE marquee_ledger SET first_commit = $1 WHERE only_row = 1', [first])
    await session.query('DELETE FROM marquee_commits WHERE commit_number < $1', [first])
    await session.query(
      `DELETE FROM marquee_documents old WHERE commit_number < $1 AND EXISTS (
         SELECT 1 FROM marquee_documents newer WHERE newer.doc = old.doc AND newer.commit_number < $1
         AND (newer.commit_number > old.commit_number
              OR (newer.commit_number = old.commit_number AND newer.ordinal > old.ordinal)))`,
      [first],
    )
    await session.query(
      `DELETE FROM marquee_changes old WHERE commit_number < $1 AND EXISTS (
         SELECT 1 FROM marquee_forgotten f
         WHERE f.commit_number < $1 AND f.commit_number >= old.commit_number AND f.before > old.newest)`,
      [first],
    )
    return first - firstCommit
  })
}
