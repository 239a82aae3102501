import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Reference } from '../../catalog/reference.ts'
import { type SourceRecord, topListKey } from '../../catalog/storage/meta.ts'
import { type Batch, CatalogDivergedError } from '../../catalog/write/batch.ts'
import type { Session } from '../../lib/postgres/session.ts'
import type { TopList } from '../../model/service.ts'
import type { Show } from '../../model/show.ts'

/** What the batches of a commit say beside shows and changes. Only the last word on each counts. */
export interface CommitExtras {
  readonly reference?: Reference
  readonly topLists: readonly TopList[]
  readonly sources: readonly SourceRecord[]
  readonly forgetChangesBefore?: number
}

export const EMPTY_EXTRAS: CommitExtras = Object.freeze({ topLists: [], sources: [] })

/** The extras with those of one more batch. */
export function addExtras(extras: CommitExtras, batch: Batch): CommitExtras {
  const { reference, topLists, source, forgetChangesBefore } = batch
  const silent =
    reference === undefined && topLists === undefined && source === undefined && forgetChangesBefore === undefined
  if (silent) return extras
  return {
    ...extras,
    ...(reference !== undefined && { reference }),
    ...(forgetChangesBefore !== undefined && { forgetChangesBefore }),
    topLists: topLists === undefined ? extras.topLists : keepLast([...extras.topLists, ...topLists], topListKey),
    sources: source === undefined ? extras.sources : keepLast([...extras.sources, source], ({ name }) => name),
  }
}

/** Batches that say the extras, after all others of a commit. */
export function* toBatches({ sources, ...extras }: CommitExtras, at: number): Iterable<Batch> {
  const [first, ...others] = sources
  yield { at, shows: [], changes: [], ...extras, ...(first !== undefined && { source: first }) }
  for (const source of others) yield { at, shows: [], changes: [], source }
}

function keepLast<T>(all: readonly T[], nameOf: (one: T) => string): T[] {
  return [...new Map(all.map((one) => [nameOf(one), one])).values()]
}

/** The packed documents with numbers from one up to another, as of a commit. Throws if one is missing. */
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

/*
 * Bodies in the ledger: JSON, deflated. Level 3 makes a show a tenth of its size in a tenth of a millisecond; the
 * asynchronous calls took three times as long, because a show is so small.
 */
const DEFLATE_LEVEL = 3

export function encodeBody(value: unknown): Buffer {
  return deflateRawSync(JSON.stringify(value), { level: DEFLATE_LEVEL })
}

export function decodeBody(body: Buffer): unknown {
  return JSON.parse(inflateRawSync(body).toString())
}

/** A show as the JSON that the ledger stores: there the tombstone is the key `withdrawn`. */
export function storedShowJson(show: Show): string {
  return JSON.stringify(show.deleted === undefined ? show : renameKey(show, 'deleted', 'withdrawn'))
}

export function packShow(show: Show): Buffer {
  return deflateRawSync(storedShowJson(show), { level: DEFLATE_LEVEL })
}

export function unpackShow(body: Buffer): Show {
  const stored = decodeBody(body) as Show
  return 'withdrawn' in stored ? (renameKey(stored, 'withdrawn', 'deleted') as unknown as Show) : stored
}

/** The object with one key under another name, in the same place: digests compare the text. */
function renameKey(value: object, from: string, to: string): object {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key === from ? to : key, member]))
}
