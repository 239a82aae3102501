import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { canUseThreads } from '../../lib/threads.ts'
import type { Show } from '../../model/show.ts'
import { type Environment, openEnvironment } from '../storage/environment.ts'
import { PostingDeltas } from './posting-deltas.ts'
import { TextIndexer } from './text-indexer.ts'

/** Documents of a transaction. The thread gets 500 at a time. */
const COUNT = 1_200

/** So small that a flush has many more chunks than may wait. */
const CHUNK_BYTES = 256

/** The fields of a show that terms need. */
function numbered(doc: number): Show {
  const title = `Number ${doc} of ${COUNT} ${(doc * 7919).toString(36)}`
  return {
    id: String(doc),
    showType: 'movie',
    title,
    originalTitle: title,
    overview: `About ${doc % 50} and ${doc % 77}.`,
    rating: 0,
    genres: [],
    cast: [`Actor ${doc % 30}`],
    ratings: {},
    translations: {},
    offers: {},
  } as unknown as Show
}

function addDocuments(deltas: PostingDeltas, first: number): void {
  for (let doc = first; doc < first + COUNT; doc++) deltas.replaceDocument(doc, undefined, numbered(doc))
}

function flush(environment: Environment, deltas: PostingDeltas, version: number): void {
  environment.root.transactionSync(() => {
    deltas.startFlush(version)
    deltas.flush(environment, version)
  })
}

/** What the tables of terms hold. */
function contents({ postings, spellings }: Environment): unknown[] {
  return [postings.getRange({}), spellings.getRange({})].map((range) => [...range])
}

describe.skipIf(!canUseThreads())('TextIndexer', () => {
  it('writes what is written without it, however many chunks that takes', async () => {
    const folder = temporaryFolder()
    const [plain, threaded] = [openEnvironment(temporaryFolder()), openEnvironment(folder)]
    const indexer = new TextIndexer(folder, CHUNK_BYTES)
    for (let version = 1; version <= 2; version++) {
      const [expected, actual] = [new PostingDeltas(), new PostingDeltas(indexer)]
      addDocuments(expected, version * COUNT)
      addDocuments(actual, version * COUNT)
      flush(plain, expected, version)
      flush(threaded, actual, version)
      expect(indexer.isUsed).toBe(true)
      expect(contents(threaded)).toEqual(contents(plain))
    }
    await indexer.stop()
    await Promise.all([plain.root.close(), threaded.root.close()])
  })

  it('forgets a flush whose transaction was rolled back, also while its chunks wait', async () => {
    const folder = temporaryFolder()
    const [plain, threaded] = [openEnvironment(temporaryFolder()), openEnvironment(folder)]
    const indexer = new TextIndexer(folder, CHUNK_BYTES)
    const abandoned = new PostingDeltas(indexer)
    addDocuments(abandoned, 5 * COUNT)
    abandoned.startFlush(1)
    const [expected, actual] = [new PostingDeltas(), new PostingDeltas(indexer)]
    addDocuments(expected, 0)
    addDocuments(actual, 0)
    flush(plain, expected, 1)
    flush(threaded, actual, 1)
    expect(contents(threaded)).toEqual(contents(plain))

    const last = new PostingDeltas(indexer)
    addDocuments(last, COUNT)
    last.startFlush(2)
    await indexer.stop()
    await Promise.all([plain.root.close(), threaded.root.close()])
  })
})
