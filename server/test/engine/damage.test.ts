/*
 * Damaged values: an answer that needs one is a clear error, and never another answer. Single bytes of stored values are
 * altered, and the file is opened anew, as after a failure of the disk.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asBinary, type Database } from 'lmdb'
import pino from 'pino'
import { Registry } from 'prom-client'
import { beforeAll, expect, it } from 'vitest'
import { Catalog } from '../../src/catalog/catalog.ts'
import { DamagedCatalogError, openEnvironment } from '../../src/catalog/storage/environment.ts'
import { createRequestMetrics } from '../../src/http/response/response-observer.ts'
import { UserError } from '../../src/lib/errors.ts'
import { openExistingCatalog } from '../../src/runtime/open-ledger.ts'
import { rebuildDataFolder } from '../../src/runtime/rebuild-folder.ts'
import { verifyDataFolder, verifyOtherFiles } from '../../src/runtime/verify-folder.ts'
import { aMovie, anOption, aSeries, aSnapshot, NOW, referenceRecords } from '../support/builders.ts'
import { onFileFinished } from '../support/file-cleanup.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

/** Requests that read all kinds of values. */
const PATHS = [
  '/shows/1?country=us',
  '/shows/2?country=us&series_granularity=episode',
  '/shows/search/filters?country=us&order_by=original_title',
  '/changes?country=us&change_type=new&item_type=show',
  '/changes?country=us&change_type=expiring&item_type=show',
  '/shows/1/history?country=us',
  '/shows/search/filters?country=us&show_type=movie&order_by=original_title',
  '/shows/search/filters?country=us&keyword=one&order_by=original_title',
  '/shows/search/title?country=us&title=two',
]

let original: string
let answers: string[]

beforeAll(async () => {
  original = temporaryFolder(onFileFinished)
  const service = await TestService.open(original)
  const options = { us: [anOption({ expiresOn: NOW + 86_400 })] }
  const snapshot = (movie: object) =>
    aSnapshot(
      ...referenceRecords(),
      aMovie({ id: '1', imdbId: 'tt0000001', tmdbId: 'movie/1', title: 'One', streamingOptions: movie }),
      aSeries({ id: '2', imdbId: 'tt0000002', tmdbId: 'tv/2', title: 'Two', streamingOptions: options }),
    )
  await service.import(snapshot({ us: [...options.us, anOption({ service: 'mubi' })] }))
  service.now += 60
  await service.import(snapshot(options))
  answers = await Promise.all(PATHS.map(async (path) => (await service.get(path)).text))
  await service.close()
})

/** The tables whose values have checksums. */
const TABLES = [
  'texts',
  'outlines',
  'offers',
  'seasonOffers',
  'history',
  'dictionaryTexts',
  'windowBlocks',
  'changeBlocks',
  'postings',
] as const

/** Alters one byte of a value in a copy of the data folder, and opens a service on it. */
async function openDamaged(table: (typeof TABLES)[number], place: number) {
  const folder = join(temporaryFolder(), 'data')
  cpSync(original, folder, { recursive: true })
  const environment = openEnvironment(folder)
  // Number 0 of a table of blocks is a counter.
  if (table === 'postings') flipPosting(environment.postings, place)
  else flipByte(environment[table] as Database<unknown, number>, table.endsWith('Blocks') ? 1 : 0, place)
  await environment.root.close()
  const log: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => void log.push(line) })
  return { folder, log, service: await TestService.open(folder, { logger }) }
}

/** Alters a byte of one of a table's values from a key on; `place` chooses both. */
function flipByte(table: Database<unknown, number>, start: number, place: number): void {
  const keys = [...table.getKeys({ start })]
  const key = keys[place % keys.length] as number
  const value = Buffer.from(table.getBinary(key) as Buffer)
  const at = (place * 7919 + 3) % value.length
  value[at] = (value[at] as number) ^ 0x01
  // Raw bytes, whatever the encoding of the table is.
  table.putSync(key, asBinary(value))
}

/** Alters the first number of a posting list that requests read: of a type, or of a word. */
function flipPosting(table: Database<Buffer, string>, place: number): void {
  const term = (place === 0 ? 't/movie' : [...table.getKeys({})].find((key) => /\Wtwo$/.test(key))) as string
  const value = Buffer.from(table.getBinary(term) as Buffer)
  value[DOCS_OFFSET] = (value[DOCS_OFFSET] as number) ^ 0x01
  table.putSync(term, value)
}

/** Where the numbers of a posting list begin: after its type and version. */
const DOCS_OFFSET = 5

it.each(TABLES)('a damaged byte in %s is an error for what needs it, and nothing else', async (table) => {
  let failures = 0
  for (let place = 0; place < 2; place++) {
    const { service, log, folder } = await openDamaged(table, place)
    for (const [i, path] of PATHS.entries()) {
      const { status, text, body } = await service.get(path)
      if (status === 200) expect(text).toBe(answers[i])
      else {
        failures++
        expect(status).toBe(500)
        expect(body.message).toContain('damaged')
        const line = JSON.parse(log.at(-1) as string)
        expect(line).toMatchObject({ event: 'catalog_damaged', table: expect.any(String) })
        expect(line.msg).toContain('`marquee verify`')
        expect(line).not.toHaveProperty('err')
      }
    }
    await service.close()
    expect((await verifyDataFolder(folder)).problems).not.toEqual([])
  }
  expect(failures).toBeGreaterThan(0)
})

it.each([
  ['meta', 'reference', 'Netflix', 'Netfliy'],
  ['tops', 'us/netflix/movie', '"1"', '"2"'],
  ['sources', 'test', '"snapshot"', '"snapshod"'],
] as const)('a damaged letter in %s is named, and nothing else is read', async (table, key, text, other) => {
  const folder = join(temporaryFolder(), 'data')
  cpSync(original, folder, { recursive: true })
  const environment = openEnvironment(folder)
  const { meta } = new Catalog(environment)
  environment.root.transactionSync(() =>
    meta.putTopList({ country: 'us', service: 'netflix', showType: 'movie', shows: ['1'] }),
  )
  expect(meta.topList('us', 'netflix', 'movie')).toEqual(['1'])
  const stored = (environment[table].getBinary(key) as Buffer).toString()
  expect(stored).toContain(text)
  environment[table].putSync(key, asBinary(Buffer.from(stored.replace(text, other))))
  const catalog = new Catalog(environment)
  const read = {
    meta: () => catalog.reference(),
    tops: () => catalog.topList('us', 'netflix', 'movie'),
    sources: () => catalog.sources(),
  }
  expect(read[table]).toThrow(DamagedCatalogError)
  await environment.root.close()
  const { problems } = await verifyDataFolder(folder)
  expect(problems).toMatchObject([{ part: table === 'meta' ? 'reference data' : 'top lists', problem: 'unreadable' }])
  const { lost } = await rebuildDataFolder(folder, { reason: 'repair', at: NOW + 120 })
  expect(lost).toMatchObject([{ problem: 'unreadable', count: 1 }])
})

it.each(['catalog', 'accounts'])('a damaged page in %s is named before LMDB follows it', async (part) => {
  const folder = join(temporaryFolder(), 'data')
  cpSync(original, folder, { recursive: true })
  const file = join(folder, part, 'data.mdb')
  const check = async () => {
    await openExistingCatalog(folder).root.close()
    await verifyOtherFiles(folder)
  }
  await check()
  const bytes = readFileSync(file)
  // All pages but the first two lose their entries, and keep their numbers.
  for (let page = 2; page < bytes.length / 4_096; page++) bytes.fill(0x55, page * 4_096 + 20, page * 4_096 + 2_048)
  writeFileSync(file, bytes)
  await expect(check()).rejects.toThrow(/data\.mdb is damaged: page \d+ /)
  await expect(check()).rejects.toBeInstanceOf(UserError)
})

it('damage is counted by table', async () => {
  const registry = new Registry()
  const observer = createRequestMetrics(registry)
  const error = { endpoint: 'getShow', status: 500, code: 'internal', at: NOW, key: undefined } as const
  observer.onError({ ...error, damagedTable: 'texts' })
  observer.onError(error)
  expect(await registry.metrics()).toContain('marquee_catalog_damage_total{table="texts"} 1')
})
