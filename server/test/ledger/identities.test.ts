/*
 * A record's own id within its source, and what an operator decides about shows, are part of the catalog: they hold over
 * further imports, in both systems of record, after a restart, on nodes that replay the log, and through an export.
 */
import { describe, expect, it, onTestFinished } from 'vitest'
import { computeCatalogDigest } from '../../src/catalog/verify/catalog-digest.ts'
import { type DecisionResult, IdentityEditor } from '../../src/ingest/decisions/identity-editor.ts'
import { listIdentities } from '../../src/ingest/decisions/list-identities.ts'
import { exportFeed } from '../../src/ingest/export-feed.ts'
import { importFeed } from '../../src/ingest/import-feed.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { type Show, showItems } from '../../src/model/show.ts'
import { NOW } from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { feedFromRecords } from '../support/feed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aNode, STORES, testSchema } from '../support/test-store.ts'

type Json = Record<string, unknown>

const ROMEO = { title: 'Romeo and Juliet', releaseYear: 2021 }
const GLOBE = { directors: ['Ola Ince'], cast: ['Alfred Enoch', 'Rebekah Murrell', 'Zoe West'] }
const NATIONAL = { directors: ['Simon Godwin'], cast: ["Josh O'Connor", 'Jessie Buckley', 'Tamsin Greig'] }

/** A record of a source, by its own id there. */
function aRecord(source: string, key: string, fields: Json): Json {
  const link = `https://${source}.test/${key}`
  const streamingOptions = { us: [{ service: 'acme', type: 'free', link }] }
  return { kind: 'show', showType: 'movie', recordId: key, streamingOptions, ...fields }
}

async function importRecords(ledger: Ledger, source: string, ...records: Json[]) {
  const head = [
    { kind: 'feed', source, mode: 'snapshot' },
    { kind: 'service', id: 'acme', name: 'Acme' },
  ]
  return importFeed(feedFromRecords([...head, ...records]), ledger, { clock: () => NOW, force: true })
}

/** The links that each living show offers, by title. */
function offered({ catalog }: Ledger): Record<string, string[]> {
  const shows = Array.from(catalog.documents.docs(), (doc) => catalog.show(doc) as Show)
  const living = shows.filter(({ deleted }) => deleted !== true)
  return Object.fromEntries(
    living.map((show) => [
      show.id,
      [...showItems(show)].flatMap(([, offers]) =>
        Object.values(offers).flatMap((list) => list.map(({ link }) => link)),
      ),
    ]),
  )
}

async function decide(ledger: Ledger, name: 'join' | 'part' | 'undo', a: string, b: string): Promise<DecisionResult> {
  let result: DecisionResult | undefined
  await ledger.commit(() => {
    result = new IdentityEditor(ledger.catalog, NOW)[name](a, b)
    return [result.batch]
  })
  return result as DecisionResult
}

const exported = ({ catalog }: Ledger) => Array.from(exportFeed(catalog), (record) => JSON.stringify(record))

describe.each(Object.keys(STORES))('in the %s system of record', (kind) => {
  async function aLedger(): Promise<Ledger> {
    const { ledger, accounts } = await (STORES[kind] as (typeof STORES)[string])(temporaryFolder())
    onTestFinished(async () => {
      await ledger.close()
      await accounts.close()
    })
    return ledger
  }

  it('two records of one title and year are two shows, and find them again by their own ids', async () => {
    const ledger = await aLedger()
    const records = [aRecord('list', 's1', ROMEO), aRecord('list', 's2', ROMEO)]
    expect(await importRecords(ledger, 'list', ...records)).toMatchObject({
      created: 2,
      notices: { missing_images: 2 },
    })
    const before = offered(ledger)
    expect(Object.values(before)).toEqual([['https://list.test/s1'], ['https://list.test/s2']])
    // Renamed, and in another order.
    const renamed = [aRecord('list', 's2', { ...ROMEO, title: 'R + J' }), aRecord('list', 's1', ROMEO)]
    expect(await importRecords(ledger, 'list', ...renamed)).toMatchObject({ created: 0 })
    expect(offered(ledger)).toEqual(before)
    expect(await importRecords(ledger, 'list', ...renamed)).toMatchObject({ created: 0, altered: 0 })
  })

  it('joined shows stay one over later imports, and an undo makes them two again', async () => {
    const ledger = await aLedger()
    const globe = [aRecord('list', 's1', { ...ROMEO, ...GLOBE, imdbId: 'tt1' })]
    const national = [aRecord('other', 'o1', { ...ROMEO, ...NATIONAL, imdbId: 'tt2' })]
    await importRecords(ledger, 'list', ...globe)
    await importRecords(ledger, 'other', ...national)
    expect(await decide(ledger, 'join', 'tt1', 'tt2')).toMatchObject({ what: 'joined', shows: ['1', '2'] })
    const both = { 1: ['https://list.test/s1', 'https://other.test/o1'] }
    expect(offered(ledger)).toEqual(both)
    for (const renamed of ['Romeo', 'Juliet']) {
      await importRecords(ledger, 'other', ...national.map((record) => ({ ...record, title: renamed })))
      expect(await importRecords(ledger, 'list', ...globe)).toMatchObject({ created: 0 })
      expect(offered(ledger)).toEqual(both)
    }
    expect(await decide(ledger, 'undo', '1', '2')).toMatchObject({ what: 'unjoined' })
    expect(offered(ledger)).toEqual({ 1: ['https://list.test/s1'], 2: ['https://other.test/o1'] })
    expect(checkCatalog(ledger.catalog)).toEqual([])
    expect(await importRecords(ledger, 'other', ...national)).toMatchObject({
      created: 0,
      changes: { new: 0, removed: 0 },
    })
    expect([...listIdentities(ledger.catalog)].filter(({ kind: one }) => one === 'decided')).toEqual([])
  })

  it('a record that was joined to the wrong show is split off for good', async () => {
    const ledger = await aLedger()
    const list = [aRecord('list', 's1', { ...ROMEO, ...GLOBE })]
    const other = [aRecord('other', 'o1', ROMEO)]
    await importRecords(ledger, 'list', ...list)
    await importRecords(ledger, 'other', ...other)
    expect(offered(ledger)).toEqual({ 1: ['https://list.test/s1', 'https://other.test/o1'] })
    expect([...listIdentities(ledger.catalog)]).toMatchObject([
      {
        kind: 'joined',
        id: '1',
        records: [
          { source: 'list', by: 'new' },
          { source: 'other', by: 'title+year' },
        ],
      },
    ])
    expect(await decide(ledger, 'part', '1', 'other/o1')).toMatchObject({ what: 'parted', shows: ['1', '2'] })
    const parted = { 1: ['https://list.test/s1'], 2: ['https://other.test/o1'] }
    expect(offered(ledger)).toEqual(parted)
    for (const people of [NATIONAL, {}]) {
      await importRecords(ledger, 'other', ...other.map((record) => ({ ...record, ...people })))
      expect(await importRecords(ledger, 'list', ...list)).toMatchObject({ created: 0 })
      expect(offered(ledger)).toEqual(parted)
    }
    expect([...listIdentities(ledger.catalog)]).toMatchObject([
      { kind: 'decided', id: '1', decisions: [{ kind: 'part', show: '2' }] },
      { kind: 'apart', shows: [{ id: '1' }, { id: '2' }], why: ['parted by an operator'] },
      { kind: 'decided', id: '2', decisions: [{ kind: 'part', show: '1' }] },
    ])
    expect(await decide(ledger, 'undo', '1', '2')).toMatchObject({ what: 'unparted' })
    expect(offered(ledger)).toEqual({ 1: ['https://list.test/s1', 'https://other.test/o1'] })
    expect(await importRecords(ledger, 'other', ...other)).toMatchObject({ created: 0 })
    expect(checkCatalog(ledger.catalog)).toEqual([])
  })

  it('two shows that are parted are not merged by ids', async () => {
    const ledger = await aLedger()
    await importRecords(ledger, 'list', aRecord('list', 's1', { ...ROMEO, imdbId: 'tt1' }))
    await importRecords(
      ledger,
      'other',
      aRecord('other', 'o1', { ...ROMEO, ...NATIONAL, tmdbId: 'movie/2', title: 'R&J' }),
    )
    await decide(ledger, 'part', '1', '2')
    const proof = aRecord('proof', 'p1', { ...ROMEO, imdbId: 'tt1', tmdbId: 'movie/2' })
    expect((await importRecords(ledger, 'proof', proof)).notices).toMatchObject({ ids_disagree: 1 })
    expect(Object.keys(offered(ledger))).toEqual(['1', '2'])
    await decide(ledger, 'undo', '1', '2')
    await importRecords(ledger, 'proof', { ...proof, title: 'Romeo & Juliet' })
    expect(Object.keys(offered(ledger))).toEqual(['1'])
  })

  it('a decision that cannot be made names the reason', async () => {
    const ledger = await aLedger()
    await importRecords(
      ledger,
      'list',
      aRecord('list', 's1', ROMEO),
      aRecord('list', 's2', { ...ROMEO, showType: 'series' }),
    )
    await expect(decide(ledger, 'join', '1', '9')).rejects.toThrow('There is no show 9')
    await expect(decide(ledger, 'join', '1', '1')).rejects.toThrow('are one show already')
    await expect(decide(ledger, 'join', '1', '2')).rejects.toThrow('are of different types')
    await expect(decide(ledger, 'part', '1', 'list/s1')).rejects.toThrow('has no other record than list/s1')
    await expect(decide(ledger, 'part', '1', 'acme/s1')).rejects.toThrow('its records are list/s1')
    await expect(decide(ledger, 'undo', '1', '2')).rejects.toThrow('Nothing was decided about 1 and 2')
  })
})

it('identities hold after a restart, and through an export', async () => {
  const folder = temporaryFolder()
  const list = [aRecord('list', 's1', { ...ROMEO, ...GLOBE }), aRecord('list', 's2', { ...ROMEO, ...GLOBE })]
  const other = [aRecord('other', 'o1', { ...ROMEO, ...NATIONAL })]
  const first = new LocalLedger(folder)
  await importRecords(first, 'list', ...list)
  await importRecords(first, 'other', ...other)
  await decide(first, 'join', '1', '3')
  await decide(first, 'part', '1', '2')
  const [before, lines] = [offered(first), exported(first)]
  await first.close()
  const reopened = new LocalLedger(folder)
  const copy = new LocalLedger(temporaryFolder())
  onTestFinished(async () => void (await Promise.all([reopened.close(), copy.close()])))
  const report = await importFeed(feedFromRecords(lines.map((line) => JSON.parse(line) as object)), copy, {
    clock: () => NOW,
  })
  expect(report.noticeList).toEqual([])
  for (const ledger of [reopened, copy]) {
    expect(exported(ledger)).toEqual(lines)
    expect(await importRecords(ledger, 'list', ...list)).toMatchObject({ created: 0 })
    expect(await importRecords(ledger, 'other', ...other)).toMatchObject({ created: 0 })
    expect(offered(ledger)).toEqual(before)
  }
  await decide(copy, 'undo', '1', '3')
  expect(Object.keys(offered(copy))).toEqual(['1', '2', '3'])
})

it('a node that replays the log, and one that copies the catalog, know the identities', async () => {
  const url = await testSchema()
  const list = [aRecord('list', 's1', ROMEO), aRecord('list', 's2', ROMEO)]
  const [writer, follower] = [await aNode(url, temporaryFolder()), await aNode(url, temporaryFolder())]
  await importRecords(writer, 'list', ...list)
  await importRecords(writer, 'other', aRecord('other', 'o1', { ...ROMEO, ...NATIONAL, title: 'R&J' }))
  await decide(writer, 'join', '1', '3')
  await follower.refresh()
  const copy = await aNode(url, temporaryFolder())
  await copy.refresh()
  onTestFinished(async () => void (await Promise.all([writer, follower, copy].map((node) => node.close()))))
  for (const node of [follower, copy]) {
    await node.refresh()
    expect(computeCatalogDigest(node.catalog)).toBe(computeCatalogDigest(writer.catalog))
    const renamed = list.map((record) => ({ ...record, title: 'Renamed' }))
    expect(await importRecords(node, 'list', ...renamed)).toMatchObject({ created: 0, altered: 2 })
    expect(await importRecords(node, 'list', ...list)).toMatchObject({ created: 0 })
    await writer.refresh()
  }
})
