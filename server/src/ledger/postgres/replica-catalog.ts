import { Catalog } from '../../catalog/catalog.ts'
import { type Environment, openEnvironment } from '../../catalog/storage/environment.ts'
import type { LogPosition } from '../../catalog/storage/meta.ts'
import type { Batch, CatalogMark } from '../../catalog/write/batch.ts'
import { CatalogWriter } from '../../catalog/write/catalog-writer.ts'
import { UserError } from '../../lib/errors.ts'
import { Mutex } from '../../lib/mutex.ts'
import { type ClusterCheck, ForeignDatabaseError } from '../../lib/postgres/database.ts'
import type { Session } from '../../lib/postgres/session.ts'
import type { Change } from '../../model/change.ts'
import {
  type CommitExtras,
  catalogMark,
  decodeBody,
  decodeShow,
  isSameMark,
  type LogHead,
  readHead,
  toBatches,
} from './log-rows.ts'

/** Thrown when a replica cannot follow the log any more and must be bootstrapped again. */
export class CatalogOutdatedError extends Error {
  override readonly name = 'CatalogOutdatedError'
}

/** Thrown when a data directory holds a catalog that is not a replica of a ledger. */
export class NotAReplicaError extends UserError {
  override readonly name = 'NotAReplicaError'

  constructor() {
    super(
      'The data directory holds a catalog of its own, and DATABASE_URL names another system of record. ' +
        '`marquee migrate --to` moves the catalog there; or name another MARQUEE_DATA.',
    )
  }
}

/** The replica of a node: its own catalog, to which the commits of the log are applied one by one. */
export class ReplicaCatalog {
  readonly catalog: Catalog
  readonly writer: CatalogWriter
  private readonly environment: Environment
  private readonly mutex = new Mutex()

  constructor(dataDirectory: string) {
    this.environment = openEnvironment(dataDirectory)
    this.catalog = new Catalog(this.environment)
    this.writer = new CatalogWriter(this.catalog, dataDirectory)
    if (this.catalog.logPosition() === undefined && this.catalog.version() > 0) throw new NotAReplicaError()
  }

  /** Checks that a database is the one that this is a copy of. */
  get cluster(): ClusterCheck {
    return {
      isKnown: () => this.catalog.logPosition() !== undefined,
      isSame: (id) => this.catalog.logPosition()?.ledger === id,
    }
  }

  /** Runs `work` after all earlier work: a commit spans many turns of the event loop and must not meet another one. */
  runExclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.mutex.run(work)
  }

  /** The position of this replica in the log. Throws if it cannot follow the log from there. */
  positionIn(head: LogHead): LogPosition {
    const { id, state, lastCommit, firstCommit } = head
    const position = this.catalog.logPosition()
    if (position === undefined) {
      if (lastCommit > 0) throw new CatalogOutdatedError('there is no copy yet')
      // An empty catalog becomes a replica of an empty ledger.
      const start = { ledger: id, commit: 0 }
      this.environment.meta.putSync('position', start)
      return start
    }
    if (position.ledger !== id) throw new ForeignDatabaseError('The data folder has a copy of another database')
    if (position.commit > lastCommit) throw new CatalogOutdatedError('it is ahead of the ledger, which was set back')
    // A difference at an earlier commit shows when the next one is applied. A ledger in state `filling` has no mark yet.
    if (position.commit === lastCommit && state === 'ready' && !isSameMark(head, catalogMark(this.catalog))) {
      throw new CatalogOutdatedError(`its commit ${lastCommit} is not that of the ledger, which was set back`)
    }
    if (position.commit < firstCommit - 1) {
      throw new CatalogOutdatedError(
        `it stands at commit ${position.commit}, and the ledger begins with ${firstCommit}`,
      )
    }
    return position
  }

  /**
   * Applies all commits up to the head, each exactly once, whichever process of the node is first; returns how many it
   * applied. Call it within `runExclusive`.
   */
  async catchUp(session: Session, head: LogHead, onApplied?: (commit: number) => void): Promise<number> {
    let applied = 0
    // Another process of the node may have applied commits since the head was read.
    const isAhead = (this.catalog.logPosition()?.commit ?? 0) > head.lastCommit
    const { commit: reached } = this.positionIn(isAhead ? await readHead(session) : head)
    for (let commit = reached; commit < head.lastCommit; applied++) {
      const logged = await LoggedCommit.read(session, commit + 1)
      if (logged === undefined) throw new CatalogOutdatedError(`commit ${commit + 1} is no longer in the ledger`)
      this.apply(logged, head.id)
      commit++
      onApplied?.(commit)
    }
    return applied
  }

  async close(): Promise<void> {
    await this.mutex.idle()
    await this.writer.close()
    await this.environment.root.close()
  }

  private apply(logged: LoggedCommit, ledger: string): void {
    const { catalog } = this
    const make = function* () {
      // Checked within the transaction: another process of the node may have been first.
      if ((catalog.logPosition()?.commit ?? 0) < logged.number) yield* logged.batches()
    }
    this.writer.apply(make, { position: { ledger, commit: logged.number }, expected: logged.mark })
  }
}

/** Rows per query: the wire format takes twice the memory of the decoded rows. */
const PAGE_ROWS = 1_000

/** A commit read from the log. Bodies stay deflated until they are applied, so that a large commit fits into memory. */
class LoggedCommit {
  readonly number: number
  /** The mark that a catalog has after this commit; a replica compares its own. */
  readonly mark: CatalogMark
  private readonly outline: readonly (readonly [at: number, shows: number])[]
  private readonly extras: Buffer | null
  private readonly documents: readonly Buffer[]
  private readonly changes: ReadonlyMap<number, Buffer>

  private constructor(row: CommitRow, documents: readonly Buffer[], changes: ReadonlyMap<number, Buffer>) {
    this.number = row.number
    this.mark = { version: row.version, edition: row.edition, nextDoc: row.nextDoc }
    this.outline = JSON.parse(row.outline)
    this.extras = row.extras
    this.documents = documents
    this.changes = changes
  }

  /** Reads a commit; undefined if the log does not have it, or no longer. */
  static async read(session: Session, number: number): Promise<LoggedCommit | undefined> {
    const [row] = await session.query<CommitRow>(
      `SELECT commit_number AS number, version, edition, next_doc AS "nextDoc", outline, extras
       FROM marquee_commits WHERE commit_number = $1`,
      [number],
    )
    if (row === undefined) return undefined
    const documents = await readPages(
      session,
      'SELECT ordinal AS position, body FROM marquee_documents WHERE commit_number = $1 AND ordinal > $2 ORDER BY ordinal',
      number,
    )
    const changes = await readPages(
      session,
      'SELECT batch AS position, body FROM marquee_changes WHERE commit_number = $1 AND batch > $2 ORDER BY batch',
      number,
    )
    const changesByBatch = new Map(changes.map(({ position, body }) => [position, body]))
    return new LoggedCommit(
      row,
      documents.map(({ body }) => body),
      changesByBatch,
    )
  }

  /** Decodes the batches of the commit, in order. */
  *batches(): Iterable<Batch> {
    let next = 0
    for (const [number, [at, count]] of this.outline.entries()) {
      const shows = this.documents.slice(next, next + count).map(decodeShow)
      next += count
      const changes = this.changes.get(number)
      yield { at, shows, changes: changes === undefined ? [] : (decodeBody(changes) as Change[]) }
    }
    if (this.extras !== null) yield* toBatches(decodeBody(this.extras) as CommitExtras, this.outline.at(-1)?.[0] ?? 0)
  }
}

interface BodyRow {
  readonly position: number
  readonly body: Buffer
}

interface CommitRow {
  readonly number: number
  readonly version: number
  readonly edition: string
  readonly nextDoc: number
  readonly outline: string
  readonly extras: Buffer | null
}

/** Reads all rows of a commit page by page; the query takes the commit and the position of the last row before. */
async function readPages(session: Session, query: string, commit: number): Promise<BodyRow[]> {
  const rows: BodyRow[] = []
  for (let last = -1; ; ) {
    const page = await session.query<BodyRow>(`${query} LIMIT ${PAGE_ROWS}`, [commit, last])
    rows.push(...page)
    last = page.at(-1)?.position ?? last
    if (page.length < PAGE_ROWS) return rows
  }
}
