import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type SourceRecord, topListKey } from '../../catalog/storage/meta.ts'
import type { Reference } from '../../catalog/storage/reference.ts'
import { type Batch, CatalogDivergedError } from '../../catalog/write/batch.ts'
import type { Session } from '../../lib/postgres/session.ts'
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
