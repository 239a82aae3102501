import { Catalog } from '../../catalog/catalog.ts'
import { type Environment, openEnvironment } from '../../catalog/storage/environment.ts'
import type { LogPosition } from '../../catalog/storage/meta.ts'
import { CatalogWriter } from '../../catalog/write/catalog-writer.ts'
import { Mutex } from '../../lib/mutex.ts'
import { type ClusterCheck, ForeignDatabaseError } from '../../lib/postgres/migrations.ts'
import type { Session } from '../../lib/postgres/session.ts'
import { UserError } from '../../lib/user-error.ts'
import { catalogMark, isSameMark, type LogHead, readHead } from './log-head.ts'
import { LoggedCommit } from './logged-commit.ts'

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
    this.writer = new CatalogWriter(this.catalog)
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
