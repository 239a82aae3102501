import { Catalog } from '../../catalog/catalog.ts'
import { type Environment, openEnvironment } from '../../catalog/storage/environment.ts'
import type { LogPosition } from '../../catalog/storage/meta.ts'
import { CatalogWriter } from '../../catalog/write/catalog-writer.ts'
import type { Session } from '../../lib/postgres/session.ts'
import { UserError } from '../../lib/user-error.ts'
import { catalogMark, isSameMark, type LogHead, readHead } from './log-head.ts'
import { LoggedCommit } from './logged-commit.ts'

/** Thrown when a catalog cannot follow the ledger any more and has to be copied anew. */
export class CatalogOutdatedError extends Error {
  override readonly name = 'CatalogOutdated'
}

/** Thrown when a data directory holds a catalog that did not come from a ledger. */
export class NotAReplicaError extends UserError {
  override readonly name = 'NotACopy'

  constructor() {
    super(
      'The data directory holds a catalog of its own, and DATABASE_URL names another system of record. ' +
        '`marquee migrate --to` moves the catalog there; or name another MARQUEE_DATA.',
    )
  }
}

/** A node's own catalog: a copy of the ledger, brought up to date commit by commit. */
export class ReplicaCatalog {
  readonly catalog: Catalog
  readonly writer: CatalogWriter
  private readonly environment: Environment
  private last: Promise<unknown> = Promise.resolve()

  constructor(dataDirectory: string) {
    this.environment = openEnvironment(dataDirectory)
    this.catalog = new Catalog(this.environment)
    this.writer = new CatalogWriter(this.catalog)
    if (this.catalog.logPosition() === undefined && this.catalog.version() > 0) throw new NotAReplicaError()
  }

  /** Does one thing at a time: a transaction of this process must not be met by another one of it. */
  runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.last.then(work)
    this.last = mine.catch(() => {})
    return mine
  }

  /** How far the catalog has come in a ledger. Throws where it cannot follow it from there. */
  positionIn(head: LogHead): LogPosition {
    const { id, state, lastCommit, firstCommit } = head
    const position = this.catalog.logPosition()
    if (position === undefined) {
      if (lastCommit > 0) throw new CatalogOutdatedError('there is no copy yet')
      // An empty catalog is a copy of an empty ledger, from now on.
      const beginning = { ledger: id, commit: 0 }
      this.environment.meta.putSync('position', beginning)
      return beginning
    }
    if (position.ledger !== id) throw new CatalogOutdatedError('it is a copy of another ledger')
    if (position.commit > lastCommit) throw new CatalogOutdatedError('it is ahead of the ledger, which was set back')
    // Of earlier commits this shows when the next one is applied. A ledger that is being filled has no such mark yet.
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
   * Applies all commits up to the head, each exactly once, whichever process of the node comes first; returns how many
   * it was. Only while nothing else is done.
   */
  async catchUp(session: Session, head: LogHead, onApplied?: (commit: number) => void): Promise<number> {
    let applied = 0
    // Since the head was read, others may have brought the catalog further than it.
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
    await this.last
    await this.environment.root.close()
  }

  private apply(logged: LoggedCommit, ledger: string): void {
    const { catalog } = this
    const make = function* () {
      // Looked at within the transaction: another process of the node may have been faster.
      if ((catalog.logPosition()?.commit ?? 0) < logged.number) yield* logged.batches()
    }
    this.writer.apply(make, { position: { ledger, commit: logged.number }, expected: logged.mark })
  }
}
