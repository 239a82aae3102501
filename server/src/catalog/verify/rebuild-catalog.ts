import { createHash } from 'node:crypto'
import type { Show } from '../../model/show.ts'
import type { Catalog } from '../catalog.ts'
import { StoredChange } from '../changes/stored-change.ts'
import { IDENTITY_INDEX_VERSION } from '../identity/identity-index.ts'
import { CATALOG_FORMAT, describeDamage } from '../storage/environment.ts'
import { EMPTY_REFERENCE } from '../storage/reference.ts'
import { WriteBuffer } from '../write/write-buffer.ts'
import { type CatalogProblem, ProblemCollector } from './catalog-problems.ts'
import { BlockCheck } from './compare-tables.ts'
import { readDocuments } from './read-documents.ts'

/** Changes that are added to a list at once. */
const CHANGES_PER_TRANSACTION = 20_000

export interface RebuildOptions {
  /** The time of the rebuild. */
  readonly at: number
  readonly onProgress?: ((label: string, done: number, total: number) => void) | undefined
}

/** What a rebuild copied, and what it had to leave behind. */
export interface RebuildResult {
  readonly version: number
  readonly shows: number
  readonly offers: number
  readonly changes: number
  /** Documents and changes that cannot be read, or that belong to such a document. */
  readonly lost: readonly CatalogProblem[]
}

/**
 * Builds a catalog anew in an empty one: copies what nothing else holds (documents, past changes, top lists, sources and
 * reference data) and builds every index from it. Documents are encoded anew, in the current format. The result has the
 * next version, since its answers may differ; the journal starts there.
 */
export function rebuildCatalog(source: Catalog, target: Catalog, options: RebuildOptions): RebuildResult {
  const problems = new ProblemCollector()
  const version = source.version() + 1
  buildIndexes(target, renumber(source, problems, options), version, 'all')
  const changes = copyChanges(source, target, version, problems, options)
  // What does not have its checksum, but can be parsed, is better than names of services that are gone.
  problems.attempt('reference data', () => void source.reference())
  const reference = source.meta.get('reference') ?? EMPTY_REFERENCE
  const lose = (error: unknown) => problems.add('top lists', 'unreadable', describeDamage(error))
  const topLists = source.meta.topLists(lose)
  const sources = source.meta.sources(lose)
  target.transaction(() => {
    const { meta } = target
    meta.putReference(reference, version)
    for (const list of topLists)
      meta.putTopList({ ...list, shows: list.shows.filter((id) => target.findDoc(id) !== undefined) })
    for (const one of sources) meta.putSource(one)
    const contentHash = createHash('sha256')
      .update(JSON.stringify([source.contentHash(), options.at, CATALOG_FORMAT]))
      .digest('hex')
      .slice(0, 12)
    target.journal.append({
      version,
      contentHash,
      at: options.at,
      altersReference: false,
      docs: new Map(),
      changes: new Map(),
    })
    meta.put('format', CATALOG_FORMAT)
    meta.put('highestId', Math.max(source.highestId(), target.highestId()))
    meta.put('version', version)
    meta.put('edition', contentHash)
  })
  target.invalidate()
  const { shows, offers } = target.counts()
  return { version, shows, offers, changes, lost: problems.list() }
}

/** The shows under dense numbers, which differ from those of the source only behind a document that cannot be read. */
function* renumber(
  source: Catalog,
  problems: ProblemCollector,
  { onProgress }: RebuildOptions,
): Iterable<readonly [doc: number, show: Show]> {
  const total = source.documents.count()
  let next = 0
  const onDocument = (done: number) => onProgress?.('documents copied', done, total)
  for (const [, show] of readDocuments(source, problems, onDocument)) yield [next++, show]
}

function copyChanges(
  source: Catalog,
  target: Catalog,
  version: number,
  problems: ProblemCollector,
  { onProgress }: RebuildOptions,
): number {
  const check = new BlockCheck(source.changes.store, 'changes', problems)
  const lists = source.changes.store.names()
  let copied = 0
  lists.forEach((list, i) => {
    let buffer: StoredChange[] = []
    const flush = () => {
      target.transaction(() => target.changes.update(list, [], buffer, version))
      target.changes.invalidate()
      copied += buffer.length
      buffer = []
    }
    for (const change of check.entries(list, source.version())) {
      const doc = target.findOwnDoc(String(change.showId))
      if (doc === undefined) problems.add('changes', 'missing', `list ${list}, show ${change.showId}`)
      else buffer.push(StoredChange.fromChange(doc, change.change))
      if (buffer.length === CHANGES_PER_TRANSACTION) flush()
    }
    flush()
    onProgress?.('lists of changes copied', i + 1, lists.length)
  })
  return copied
}

/** Documents in one transaction: bounds the memory of the buffers. */
const DOCS_PER_TRANSACTION = 5_000

/** What is written of each document beside its entries in the indexes: all of its records, or its ids alone. */
export type BuiltRecords = 'all' | 'ids'

/**
 * Builds every index of an empty catalog from shows with their documents, in ascending order: ids, postings, spellings,
 * columns, windows, the identity index and the counts. It is the work of an import of new shows, and made of its parts.
 */
export function buildIndexes(
  catalog: Catalog,
  shows: Iterable<readonly [doc: number, show: Show]>,
  version: number,
  records: BuiltRecords,
): void {
  const iterator = shows[Symbol.iterator]()
  for (let next = iterator.next(); next.done !== true; ) {
    catalog.transaction(() => {
      const buffer = new WriteBuffer(catalog)
      for (let count = 0; count < DOCS_PER_TRANSACTION && next.done !== true; count++) {
        const [doc, show] = next.value
        addDocument(catalog, buffer, doc, show, records)
        next = iterator.next()
      }
      buffer.flush(version)
      catalog.meta.put('counts', buffer.counts())
      catalog.meta.put('nextDoc', buffer.nextDoc)
      catalog.meta.put('highestId', buffer.highestId)
      catalog.meta.put('format', CATALOG_FORMAT)
      catalog.meta.put('identityIndex', IDENTITY_INDEX_VERSION)
    })
    catalog.settle()
    // All transactions write the same version, by which caches tell data apart.
    catalog.invalidate()
  }
}

function addDocument(catalog: Catalog, buffer: WriteBuffer, doc: number, show: Show, records: BuiltRecords): void {
  buffer.beginDocument(doc)
  if (records === 'all') catalog.documents.put(doc, undefined, show)
  else catalog.documents.putIds(doc, show)
  buffer.replaceDocument(doc, undefined, show)
  buffer.addId(show.id)
  buffer.nextDoc = doc + 1
  catalog.identities.replace(doc, undefined, show)
}
