/* Data folders of older formats are migrated in place, and say the same afterwards. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { Catalog } from '../../src/catalog/catalog.ts'
import { term } from '../../src/catalog/index/terms.ts'
import { CATALOG_FORMAT, openEnvironment } from '../../src/catalog/storage/environment.ts'
import { exportFeed } from '../../src/ingest/export-feed.ts'
import { migrateFormat, openLedger } from '../../src/runtime/open-ledger.ts'
import { claimDataDirectory } from '../../src/runtime/service-claim.ts'
import { verifyDataFolder } from '../../src/runtime/verify-folder.ts'
import { aDelta, aMovie } from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

const FIXTURE = fileURLToPath(new URL('./format-5', import.meta.url))
const FORMER_FORMAT = 5
const AT = Date.UTC(2026, 10, 17) / 1000

const readFixture = (name: string) => gunzipSync(readFileSync(join(FIXTURE, `${name}.gz`)))

/** A data folder as the older program left it. */
let folder: string

beforeEach(() => {
  folder = temporaryFolder()
  for (const part of ['catalog', 'accounts']) {
    mkdirSync(join(folder, part))
    writeFileSync(join(folder, part, 'data.mdb'), readFixture(`${part}.mdb`))
  }
  writeFileSync(join(folder, 'sources.json'), '{}')
})

async function exportFolder(): Promise<string> {
  const environment = openEnvironment(folder)
  try {
    const catalog = new Catalog(environment)
    expect(checkCatalog(catalog)).toEqual([])
    return [...exportFeed(catalog)].map((record) => `${JSON.stringify(record)}\n`).join('')
  } finally {
    await environment.root.close()
  }
}

describe('a data folder of an older format', () => {
  it('is migrated, and exports byte for byte what the older program exported', async () => {
    const result = await migrateFormat(folder, { at: AT })
    expect(result).toMatchObject({ formerFormat: FORMER_FORMAT, lost: [] })
    expect(await exportFolder()).toBe(readFixture('export.ndjson').toString())
    expect((await verifyDataFolder(folder)).problems).toEqual([])
    expect(await migrateFormat(folder, { at: AT })).toBeUndefined()
  })

  it('is kept whole for the way back', async () => {
    const { previous } = (await migrateFormat(folder, { at: AT })) as { previous: string }
    expect(readdirSync(previous).sort()).toEqual(['accounts', 'catalog', 'sources.json'])
    for (const part of ['catalog', 'accounts']) {
      expect(readFileSync(join(previous, part, 'data.mdb')).equals(readFixture(`${part}.mdb`))).toBe(true)
    }
  })

  it('is served and imported into after the migration, with its keys', async () => {
    await migrateFormat(folder, { at: AT })
    const service = await TestService.open(folder)
    try {
      expect(service.accounts.keys.list().map(({ name }) => name)).toContain('fixture')
      const { body } = await service.get('/shows/tt9000007?country=us')
      expect(body).toMatchObject({ id: '6', title: 'Twin' })
      const { body: found } = await service.get('/shows/search/title?country=us&title=secnd+third')
      expect(found[0]).toMatchObject({ id: '2' })
      const report = await service.import(aDelta(aMovie({ id: '1', imdbId: 'tt9000001', tmdbId: 'movie/9001' })))
      expect(report).toMatchObject({ created: 0, altered: 1 })
      expect(checkCatalog(service.ledger.catalog)).toEqual([])
    } finally {
      await service.close()
    }
  })

  it('is migrated by the first command that writes, and refused by others with the command', async () => {
    const environment = openEnvironment(folder, { readOnly: true })
    expect(() => new Catalog(environment)).toThrow(/has format 5.*`marquee migrate`/)
    await environment.root.close()
    const ledger = await openLedger({ dataDir: folder, databaseUrl: undefined }, 'import')
    expect(ledger.catalog.format()).toBe(CATALOG_FORMAT)
    await ledger.close()
  })

  it('is not migrated under a service that runs on it', async () => {
    const copy = join(temporaryFolder(), 'data')
    cpSync(folder, copy, { recursive: true })
    await claimDataDirectory(copy, AT)
    await expect(migrateFormat(copy, { at: AT })).rejects.toThrow(/is served by/)
    expect(readFileSync(join(copy, 'catalog', 'data.mdb')).equals(readFixture('catalog.mdb'))).toBe(true)
    expect(existsSync(join(copy, 'accounts'))).toBe(true)
  })
})

it('a catalog whose posting lists have no checksums is refused by readers, and migrated', async () => {
  await migrateFormat(folder, { at: AT })
  const environment = openEnvironment(folder)
  const { postings, meta } = environment
  const lists = [...postings.getRange({})].map(({ key, value }) => [key, Buffer.from(value)] as const)
  for (const [term, value] of lists) {
    // As format 8 has them: a plain type, and no checksum behind a bitmap.
    const type = (value[0] as number) & 1
    const former = Buffer.from(type === 0 ? value : value.subarray(0, -4))
    former[0] = type
    postings.putSync(term, former)
  }
  meta.putSync('format', 8)
  expect(() => new Catalog(environment)).toThrow(/has format 8.*`marquee migrate`/)
  await environment.root.close()
  expect(await migrateFormat(folder, { at: AT + 1 })).toMatchObject({ formerFormat: 8, lost: [] })
  expect(await exportFolder()).toBe(readFixture('export.ndjson').toString())
  expect((await verifyDataFolder(folder)).problems).toEqual([])
  const migrated = openEnvironment(folder)
  expect([...migrated.postings.getKeys({})]).toEqual(lists.map(([term]) => term))
  await migrated.root.close()
})

it('a catalog that has the kana of a title as its whole transcription is migrated to keys of the whole title', async () => {
  await migrateFormat(folder, { at: AT })
  const service = await TestService.open(folder)
  const naruto = aMovie({ id: '100', title: 'Naruto', originalTitle: 'Naruto', releaseYear: undefined })
  const shippuden = aMovie({ id: '101', title: 'Shippuden', originalTitle: 'ナルト 疾風伝', releaseYear: undefined })
  await service.import(aDelta(naruto, shippuden))
  await service.close()
  const environment = openEnvironment(folder)
  const { postings, meta } = environment
  const lists = new Map([...postings.getRange({})].map(({ key, value }) => [key, Buffer.from(value)]))
  // As format 9 has it: both titles are equal to "naruto".
  const whole = term.titleEqual('naruto疾風伝')
  postings.putSync(term.titleEqual('naruto'), lists.get(whole) as Buffer)
  postings.removeSync(whole)
  meta.putSync('format', 9)
  expect(() => new Catalog(environment)).toThrow(/has format 9.*`marquee migrate`/)
  await environment.root.close()
  expect(await migrateFormat(folder, { at: AT + 1 })).toMatchObject({ formerFormat: 9, lost: [] })
  expect((await verifyDataFolder(folder)).problems).toEqual([])
  const migrated = openEnvironment(folder)
  expect([...migrated.postings.getKeys({})]).toEqual([...lists.keys()])
  const catalog = new Catalog(migrated)
  const docsOf = (key: string) => [...catalog.docsWithTerm(term.titleEqual(key), catalog.version())]
  expect(docsOf('naruto')).toEqual([catalog.findDoc('100')])
  expect(docsOf('naruto疾風伝')).toEqual([catalog.findDoc('101')])
  await migrated.root.close()
})

it('a later format is refused with the way to move it', async () => {
  const environment = openEnvironment(folder)
  environment.meta.putSync('format', CATALOG_FORMAT + 1)
  expect(() => new Catalog(environment)).toThrow(/`marquee export`/)
  await environment.root.close()
  expect(await migrateFormat(folder, { at: AT })).toBeUndefined()
})
