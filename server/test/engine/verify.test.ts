/*
 * `marquee verify`: each table that is derived from the documents is damaged in turn, named, and repaired. A repaired
 * catalog is that of a rebuild of the undamaged one.
 */
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, Key } from 'lmdb'
import { beforeAll, describe, expect, it } from 'vitest'
import { Catalog } from '../../src/catalog/catalog.ts'
import { type Environment, openEnvironment } from '../../src/catalog/storage/environment.ts'
import { computeCatalogDigest } from '../../src/catalog/verify/catalog-digest.ts'
import type { CatalogPart } from '../../src/catalog/verify/catalog-problems.ts'
import { demoFeed } from '../../src/demo/demo-feed.ts'
import { importFeed } from '../../src/ingest/import-feed.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { rebuildDataFolder } from '../../src/runtime/rebuild-folder.ts'
import { verifyDataFolder } from '../../src/runtime/verify-folder.ts'
import { NOW } from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { feedFromRecords } from '../support/feed.ts'
import { onFileFinished } from '../support/file-cleanup.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const BASE_URL = 'https://catalog.example'

/** A catalog with a past: shows that came, changed and went, in several commits. */
let original: string

beforeAll(async () => {
  original = temporaryFolder(onFileFinished)
  const ledger = new LocalLedger(original)
  for (const [day, seed] of [1, 2].entries()) {
    const records = [...demoFeed({ shows: 3, seed, countries: 1, at: NOW + day * 86_400, baseUrl: BASE_URL })]
    // Shows of the second feed replace many of the first, which leaves tombstones, changes and empty blocks.
    const kept = records.filter((record, i) => record.kind !== 'show' || day === 0 || i % 3 > 0)
    await importFeed(feedFromRecords(kept), ledger, { clock: () => NOW + day * 86_400, force: true })
  }
  await ledger.close()
})

function copyOriginal(): string {
  const folder = join(temporaryFolder(), 'data')
  cpSync(original, folder, { recursive: true })
  return folder
}

async function withEnvironment<T>(folder: string, work: (environment: Environment) => T): Promise<T> {
  const environment = openEnvironment(folder)
  try {
    return work(environment)
  } finally {
    await environment.root.close()
  }
}

const digest = (folder: string) => withEnvironment(folder, (open) => computeCatalogDigest(new Catalog(open)))
const check = (folder: string) => withEnvironment(folder, (open) => checkCatalog(new Catalog(open)))
const repair = (folder: string) => rebuildDataFolder(folder, { reason: 'repair', at: NOW })

/** The key in the middle of a table. */
function middleKey<V, K extends Key>(table: Database<V, K>): K {
  const keys = [...table.getKeys({})]
  return keys[Math.floor(keys.length / 2)] as K
}

function firstKey<V, K extends Key>(table: Database<V, K>): K {
  return [...table.getKeys({ limit: 1 })][0] as K
}

function lastKey<V, K extends Key>(table: Database<V, K>): K {
  return [...table.getKeys({ reverse: true, limit: 1 })][0] as K
}

function remove<V, K extends Key>(table: Database<V, K>): void {
  table.removeSync(middleKey(table))
}

/** Cuts a value, so that it cannot be decoded, or means something else. */
function cut<K extends Key>(table: Database<Buffer, K>, choose: (table: Database<Buffer, K>) => K = middleKey): void {
  const key = choose(table)
  const value = table.get(key) as Buffer
  table.putSync(key, value.subarray(0, Math.ceil(value.length / 2)))
}

/** Damages of derived tables, each with the part that the report names. */
const DAMAGES: readonly (readonly [name: string, part: CatalogPart, damage: (open: Environment) => void])[] = [
  ['an id is missing', 'ids', ({ ids }) => remove(ids)],
  [
    'an id leads to another show',
    'ids',
    ({ ids }) => ids.putSync(middleKey(ids), ids.get(middleKey(ids)) === 0 ? 1 : 0),
  ],
  ['an id too many', 'ids', ({ ids }) => ids.putSync('tt99999999', 0)],
  ['a posting list is missing', 'postings', ({ postings }) => remove(postings)],
  ['a posting list is cut', 'postings', ({ postings }) => cut(postings)],
  [
    'a posting list is of another term',
    'postings',
    ({ postings }) => postings.putSync('g/crime', postings.get('t/movie') as Buffer),
  ],
  ['a term too many', 'postings', ({ postings }) => postings.putSync('w/zzzz', postings.get('t/movie') as Buffer)],
  ['a delete variant is missing', 'spellings', ({ spellings }) => remove(spellings)],
  ['a delete variant of other words', 'spellings', ({ spellings }) => spellings.putSync(middleKey(spellings), 'other')],
  ['a column is missing', 'columns', ({ columns }) => remove(columns)],
  ['a directory of a column is cut', 'columns', ({ columns }) => cut(columns)],
  ['a block of a column is missing', 'columns', ({ columnBlocks }) => remove(columnBlocks)],
  ['a block of a column is cut', 'columns', ({ columnBlocks }) => cut(columnBlocks)],
  ['a block that no column has', 'columns', ({ columnBlocks }) => columnBlocks.putSync(99_999, Buffer.alloc(3))],
  ['a block of windows is cut', 'windows', ({ windowBlocks }) => cut(windowBlocks, lastKey)],
  ['a block of windows is missing', 'windows', ({ windowBlocks }) => windowBlocks.removeSync(lastKey(windowBlocks))],
  ['a list of windows is missing', 'windows', ({ windows }) => remove(windows)],
  ['a title key is missing', 'identities', ({ titleKeys }) => remove(titleKeys as Database<Buffer, number>)],
  ['a record that no show has', 'identities', ({ recordKeys }) => recordKeys?.putSync('other\n1', 0)],
  ['wrong counts', 'counts', ({ meta }) => meta.putSync('counts', { shows: 1, offers: 1, offersBySource: {} })],
  ['document numbers that would be used again', 'counts', ({ meta }) => meta.putSync('nextDoc', 1)],
  [
    'a text without a number',
    'dictionary',
    ({ dictionaryNumbers }) => dictionaryNumbers.removeSync(middleKey(dictionaryNumbers)),
  ],
  ['a wrong count of the dictionary', 'dictionary', ({ dictionaryNumbers }) => dictionaryNumbers.putSync('count', 1)],
  ['a commit is missing in the journal', 'journal', ({ journal }) => journal?.removeSync(['v', 2])],
  ['a record of the journal is cut', 'journal', ({ journal }) => cut(journal as Database<Buffer, Key>, firstKey)],
  [
    'a seen record is of another show',
    'seen records',
    ({ seenRecords }) => seenRecords.putSync(0, seenRecords.get(1) as Buffer),
  ],
  ['a seen record is cut', 'seen records', ({ seenRecords }) => cut(seenRecords)],
]

describe('a catalog', () => {
  it('is whole, and a rebuild of it has the same content', async () => {
    expect((await verifyDataFolder(original)).problems).toEqual([])
    const folder = copyOriginal()
    const result = await repair(folder)
    expect(result.lost).toEqual([])
    expect((await verifyDataFolder(folder)).problems).toEqual([])
    expect(await check(folder)).toEqual([])
    // Versions differ, everything else is equal.
    const [before, after] = [original, folder].map((one) =>
      withEnvironment(one, (open) => {
        const catalog = new Catalog(open)
        return [...catalog.documents.docs()].map((doc) => catalog.show(doc))
      }),
    )
    expect(await after).toEqual(await before)
  })

  it.each([...new Set(DAMAGES.map(([, part]) => part))])('with damaged %s is named and repaired', async (part) => {
    const folder = copyOriginal()
    let previous = ''
    for (const [, , damage] of DAMAGES.filter((one) => one[1] === part)) {
      await withEnvironment(folder, (open) => open.root.transactionSync(() => damage(open)))
      const { problems } = await verifyDataFolder(folder)
      const named = JSON.stringify(problems.filter((problem) => problem.part === part))
      expect(named).not.toBe('[]')
      expect(named).not.toBe(previous)
      previous = named
      expect(problems.filter(({ repairable }) => !repairable)).toEqual([])
      expect(problems.every(({ examples }) => examples.length > 0 && examples.length <= 5)).toBe(true)
    }
    expect((await repair(folder)).lost).toEqual([])
    // That one is verified above.
    expect(await digest(folder)).toBe(await rebuiltDigest())
  })
})

let rebuilt: Promise<string> | undefined

/** The digest of a rebuild of the undamaged catalog. */
function rebuiltDigest(): Promise<string> {
  rebuilt ??= (async () => {
    const folder = copyOriginal()
    await repair(folder)
    return digest(folder)
  })()
  return rebuilt
}

describe('documents that cannot be read', () => {
  it('are named, and left out by a repair with their changes', async () => {
    const folder = copyOriginal()
    const doc = 1
    const lost = await withEnvironment(folder, (open) => {
      const id = new Catalog(open).show(doc)?.id as string
      const texts = open.texts.get(doc) as Buffer
      open.texts.putSync(doc, texts.subarray(0, texts.length / 3))
      return id
    })
    const { problems } = await verifyDataFolder(folder)
    expect(problems.find(({ part }) => part === 'documents')).toMatchObject({ count: 1, repairable: false })
    expect(problems.find(({ part }) => part === 'documents')?.examples[0]).toContain(`document ${doc}`)
    const { lost: left } = await repair(folder)
    expect(left.map(({ part }) => part)).toContain('documents')
    expect((await verifyDataFolder(folder)).problems).toEqual([])
    expect(await check(folder)).toEqual([])
    expect(await withEnvironment(folder, (open) => new Catalog(open).findDoc(lost))).toBeUndefined()
  })

  it('are not migrated silently: the old catalog stays', async () => {
    const folder = copyOriginal()
    await withEnvironment(folder, (open) => open.texts.removeSync(1))
    await expect(rebuildDataFolder(folder, { reason: 'migration', at: NOW })).rejects.toThrow(/was not migrated/)
    expect(readdirSync(folder)).toEqual(['catalog'])
  })
})
