import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Catalog } from '../../catalog/catalog.ts'
import { StoredChange } from '../../catalog/changes/stored-change.ts'
import { type Environment, openEnvironment } from '../../catalog/storage/environment.ts'
import { parseTopList } from '../../catalog/storage/meta.ts'
import type { Reference } from '../../catalog/storage/reference.ts'
import { type Batch, CatalogDivergedError, type CatalogMark } from '../../catalog/write/batch.ts'
import { CatalogWriter } from '../../catalog/write/catalog-writer.ts'
import type { Session } from '../../lib/postgres/session.ts'
import type { Change } from '../../model/change.ts'
import {
  type CommitExtras,
  decodeBody,
  decodeShow,
  isSameMark,
  LedgerFillingError,
  type LogHead,
  readDocuments,
  readHead,
  toBatches,
} from './log-rows.ts'

/** Documents per query, and per transaction of the catalog. */
const PAGE_ROWS = 500
const DOCUMENTS_PER_COMMIT = 20_000

/** Batches of changes per query and per transaction. */
const CHANGE_BATCHES_PER_COMMIT = 200

/** Shows per batch; a whole batch is in memory at a time. */
const BATCH_SHOWS = 64

export interface BootstrapOptions {
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** What the bootstrap copies: read once at its start and stored in the new catalog, so that it can be resumed. */
interface BootstrapPlan {
  readonly head: LogHead
  readonly extras: CommitExtras
  readonly forgotten: readonly Truncation[]
  /** The number of shows and offers to check against; undefined if the last commit was truncated. */
  readonly counts: unknown
}

interface Truncation {
  readonly commit: number
  readonly before: number
}

/** The last batch of changes that was copied. */
type ChangesPosition = readonly [commit: number, batch: number]

/**
 * Bootstraps a replica in an empty data directory: copies the documents and changes of the ledger as of its last commit,
 * and sets the log position from which the replica then follows. An interrupted bootstrap is resumed if the ledger still
 * has the commit that it started from.
 */
export async function bootstrapCatalog(
  session: Session,
  directory: string,
  options: BootstrapOptions = {},
): Promise<void> {
  let bootstrap = new CatalogBootstrap(directory)
  const head = await readHead(session)
  if (head.state !== 'ready') throw new LedgerFillingError()
  const started = bootstrap.plan()
  if (started === undefined || !(await canResume(session, head, started.head))) {
    await bootstrap.close()
    // Only the catalog is deleted: the directory may hold other files.
    rmSync(join(directory, 'catalog'), { recursive: true })
    bootstrap = new CatalogBootstrap(directory)
    bootstrap.start(await readPlan(session))
  }
  try {
    await bootstrap.run(session, bootstrap.plan() as BootstrapPlan, options)
  } finally {
    await bootstrap.close()
  }
}

/** Whether the ledger still has the commit that an interrupted bootstrap copies. */
async function canResume(session: Session, now: LogHead, then: LogHead): Promise<boolean> {
  if (then.id !== now.id || then.lastCommit > now.lastCommit || then.lastCommit < now.firstCommit - 1) return false
  if (then.lastCommit === now.lastCommit) return isSameMark(then, now)
  // A ledger that was restored from a backup may have other commits of the same numbers.
  const [mark] = await session.query<CatalogMark>(
    'SELECT version, edition, next_doc AS "nextDoc" FROM marquee_commits WHERE commit_number = $1',
    [then.lastCommit],
  )
  return mark !== undefined && isSameMark(then, mark)
}

/** A catalog that is being filled, with its plan and progress in its `meta` table. */
class CatalogBootstrap {
  private readonly environment: Environment
  private readonly catalog: Catalog
  private readonly writer: CatalogWriter

  constructor(directory: string) {
    this.environment = openEnvironment(directory)
    this.catalog = new Catalog(this.environment)
    this.writer = new CatalogWriter(this.catalog, directory)
  }

  plan(): BootstrapPlan | undefined {
    return this.environment.meta.get('copy') as BootstrapPlan | undefined
  }

  start(plan: BootstrapPlan): void {
    this.environment.meta.putSync('copy', plan)
  }

  async run(session: Session, plan: BootstrapPlan, { onProgress }: BootstrapOptions): Promise<void> {
    const { meta } = this.environment
    const { head, counts } = plan
    while (this.catalog.nextDoc() < head.nextDoc) {
      const from = this.catalog.nextDoc()
      const to = Math.min(from + DOCUMENTS_PER_COMMIT, head.nextDoc)
      const bodies: Buffer[] = []
      for (let start = from; start < to; start += PAGE_ROWS) {
        const end = Math.min(start + PAGE_ROWS, to)
        bodies.push(...(await readDocuments(session, start, end, head.lastCommit)))
        onProgress?.(end, head.nextDoc)
      }
      this.apply(plan, showBatches(bodies))
    }
    for (let position = (meta.get('copyChanges') as ChangesPosition | undefined) ?? START; position !== END; ) {
      const { batches, last } = await readChanges(session, plan, position)
      this.apply(plan, batches)
      position = last
      // Killed before this, the bootstrap applies the same changes again, which is idempotent.
      if (position !== END) meta.putSync('copyChanges', position)
    }
    this.apply(plan, toBatches(plan.extras, 0))
    await this.copyJournal(session, head)
    if (counts !== undefined && !isDeepStrictEqual(counts, this.catalog.counts())) {
      const [found, wanted] = [this.catalog.counts(), counts].map((one) => JSON.stringify(one))
      throw new CatalogDivergedError(`The copy holds ${found} where the ledger has ${wanted}`)
    }
    this.environment.root.transactionSync(() => {
      for (const key of ['copy', 'copyChanges']) meta.removeSync(key)
      // An empty catalog got no version from its batches, but the ledger may be past the first one.
      meta.putSync('version', head.version)
      meta.putSync('edition', head.edition)
      meta.putSync('position', { ledger: head.id, commit: head.lastCommit })
    })
  }

  /**
   * Writes the commits that the log still has to the journal, so that readers of changes can go on from a place before the
   * copy. A webhook that waits for a retry has such a place when this node becomes the leader. Idempotent.
   */
  private async copyJournal(session: Session, { firstCommit, lastCommit }: LogHead): Promise<void> {
    const commits = await session.query<{ number: number; version: number; edition: string; outline: string }>(
      `SELECT commit_number AS number, version, edition, outline FROM marquee_commits
       WHERE commit_number BETWEEN $1 AND $2 ORDER BY commit_number`,
      [firstCommit, lastCommit],
    )
    let previous: number | undefined
    for (const { number, version, edition, outline } of commits) {
      const isSameVersion = version === previous
      previous = version
      // A commit of sources alone makes no version.
      if (isSameVersion) continue
      // Nobody has read an earlier version than that of the first commit, so its changes are in no journal.
      const changes = number === 1 ? NO_CHANGES : await this.readCommitChanges(session, number)
      // The oldest commit that is kept may be one of sources alone, and that of its version is gone.
      if (number > 1 && number === commits[0]?.number && changes.size === 0) continue
      const at = (JSON.parse(outline) as [at: number, shows: number][]).at(-1)?.[0] ?? 0
      this.catalog.transaction(() => this.catalog.journal.appendCopied({ version, contentHash: edition, at, changes }))
    }
  }

  /** The changes of a commit by country, in their order. */
  private async readCommitChanges(session: Session, commit: number): Promise<Map<string, StoredChange[]>> {
    const byCountry = new Map<string, StoredChange[]>()
    for (let last = -1; ; ) {
      const rows = await session.query<{ batch: number; body: Buffer }>(
        `SELECT batch, body FROM marquee_changes WHERE commit_number = $1 AND batch > $2
         ORDER BY batch LIMIT ${CHANGE_BATCHES_PER_COMMIT}`,
        [commit, last],
      )
      for (const change of rows.flatMap(({ body }) => decodeBody(body) as Change[])) {
        // The journal stores no document: the change log has it.
        const stored = StoredChange.fromChange(0, change)
        const list = byCountry.get(change.country)
        if (list === undefined) byCountry.set(change.country, [stored])
        else list.push(stored)
      }
      last = rows.at(-1)?.batch ?? last
      if (rows.length < CHANGE_BATCHES_PER_COMMIT) return byCountry
    }
  }

  async close(): Promise<void> {
    await this.writer.close()
    await this.environment.root.close()
  }

  private apply({ head: { version, edition } }: BootstrapPlan, batches: Iterable<Batch>): void {
    this.writer.apply(() => batches, { copyOf: { version, edition } })
  }
}

const NO_CHANGES: ReadonlyMap<string, never> = new Map<string, never>()

const START: ChangesPosition = [0, -1]
const END: ChangesPosition = [Number.POSITIVE_INFINITY, 0]

/** Reads in one snapshot all that later commits would overwrite. */
function readPlan(session: Session): Promise<BootstrapPlan> {
  return session.transaction(async () => {
    const head = await readHead(session)
    const [reference] = await session.query<{ body: Buffer }>('SELECT body FROM marquee_reference')
    const tops = await session.query<{ place: string; shows: string }>('SELECT place, shows FROM marquee_top_lists')
    const sources = await session.query<{ record: string }>('SELECT record FROM marquee_sources ORDER BY name')
    const forgotten = await session.query<Truncation>('SELECT commit_number AS commit, before FROM marquee_forgotten')
    const [last] = await session.query<{ counts: string }>(
      'SELECT counts FROM marquee_commits WHERE commit_number = $1',
      [head.lastCommit],
    )
    return {
      head,
      extras: {
        ...(reference !== undefined && { reference: decodeBody(reference.body) as Reference }),
        topLists: tops.map(({ place, shows }) => parseTopList(place, JSON.parse(shows))),
        sources: sources.map(({ record }) => JSON.parse(record)),
      },
      forgotten,
      counts: last === undefined ? undefined : JSON.parse(last.counts),
    }
  }, 'ISOLATION LEVEL REPEATABLE READ READ ONLY')
}

function* showBatches(bodies: readonly Buffer[]): Iterable<Batch> {
  for (let start = 0; start < bodies.length; start += BATCH_SHOWS) {
    const shows = bodies.slice(start, start + BATCH_SHOWS).map(decodeShow)
    yield { at: 0, shows, changes: [] }
  }
}

/** Reads the next batches of changes after a position, without the changes that were truncated since. */
async function readChanges(
  session: Session,
  { head, forgotten }: BootstrapPlan,
  [commit, batch]: ChangesPosition,
): Promise<{ batches: Batch[]; last: ChangesPosition }> {
  const rows = await session.query<{ commit: number; batch: number; body: Buffer }>(
    `SELECT commit_number AS commit, batch, body FROM marquee_changes
     WHERE (commit_number > $1 OR (commit_number = $1 AND batch > $2)) AND commit_number <= $3
     ORDER BY commit_number, batch LIMIT ${CHANGE_BATCHES_PER_COMMIT}`,
    [commit, batch, head.lastCommit],
  )
  const batches = rows.map((row): Batch => {
    const oldest = Math.max(0, ...forgotten.filter((one) => one.commit >= row.commit).map(({ before }) => before))
    const changes = (decodeBody(row.body) as Change[]).filter(({ timestamp = 0 }) => timestamp >= oldest)
    return { at: 0, shows: [], changes }
  })
  const end = rows.at(-1)
  return { batches, last: end === undefined || rows.length < CHANGE_BATCHES_PER_COMMIT ? END : [end.commit, end.batch] }
}
