import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { DOCS_PER_BLOCK } from '../../catalog/storage/meta.ts'
import { BLOCKS_PER_SEGMENT, DOCS_PER_SEGMENT, NO_END, type OptionRows } from './option-segment.ts'
import { OptionTable } from './option-table.ts'
import { NONE } from './option-values.ts'

const dictionary = { text: () => 'netflix', json: () => [] }

const OPTION = { type: 0, quality: 0, service: 0, addon: NONE, audios: 0, subtitles: 0, price: NONE }

/** Each document of some blocks has one option in every country. */
class PlainSource {
  readonly versions: number[]
  readonly blocksRead: string[] = []
  /** Called before a block is read. */
  onRead = (_block: number) => {}

  constructor(blocks: number) {
    this.versions = new Array<number>(blocks).fill(1)
  }

  version(): number {
    return Math.max(...this.versions)
  }

  blockVersions(): readonly number[] {
    return this.versions
  }

  addBlock(block: number, rows: ReadonlyMap<string, OptionRows>, version: number): void {
    this.onRead(block)
    for (const [country, rowsOfCountry] of rows) {
      this.blocksRead.push(`${country} ${block}`)
      for (let n = 0; n < DOCS_PER_BLOCK; n++) {
        const doc = block * DOCS_PER_BLOCK + n
        rowsOfCountry.add(doc % DOCS_PER_SEGMENT, doc + 1, OPTION, version, NO_END)
      }
    }
  }
}

/** How many rows the segments of a country have. */
function countRows(table: OptionTable, country: string, version: number): number {
  const [segments = []] = table.segments([country], version)
  return segments.reduce((sum, segment) => sum + (segment?.rowCount ?? 0), 0)
}

/** Resolves when the options of countries are in memory. */
function load(table: OptionTable, countries: readonly string[]): Promise<void> {
  return table.whenLoaded(countries, () => {})
}

it('reads countries one after the other when several searches wait for them, each once', async () => {
  const source = new PlainSource(BLOCKS_PER_SEGMENT + 2)
  const table = new OptionTable(source, dictionary)
  expect(table.has(['de'], 1)).toBe(false)
  await Promise.all([load(table, ['de']), load(table, ['de', 'us']), load(table, ['us'])])
  expect(table.has(['de', 'us'], 1)).toBe(true)
  expect(source.blocksRead).toHaveLength(2 * source.versions.length)
  expect(new Set(source.blocksRead).size).toBe(source.blocksRead.length)
})

it('lets other work in between while it reads', async () => {
  const source = new PlainSource(64)
  let now = 0
  // Each block takes longer than a turn may.
  const table = new OptionTable(source, dictionary, { now: () => (now += 5) })
  const before: number[] = []
  const loading = load(table, ['de'])
  while (!table.has(['de'], 1)) {
    before.push(source.blocksRead.length)
    await nextTurn()
  }
  await loading
  expect(before.length).toBeGreaterThan(32)
})

it('reads what an import changes while it reads', async () => {
  const source = new PlainSource(BLOCKS_PER_SEGMENT * 2)
  const table = new OptionTable(source, dictionary)
  let imports = 0
  source.onRead = (block) => {
    if (block === 70 && imports++ === 0) source.versions[3] = 2
  }
  await load(table, ['de', 'us'])
  expect(table.has(['de', 'us'], 2)).toBe(true)
  const [germany, states] = table.segments(['de', 'us'], 2)
  for (const segments of [germany, states]) expect(segments?.[0]?.starts[3 * DOCS_PER_BLOCK]).toBe(2)
})

it('answers a search that does not wait, and goes on reading for those that do', async () => {
  const source = new PlainSource(BLOCKS_PER_SEGMENT * 2)
  const table = new OptionTable(source, dictionary)
  source.onRead = (block) => {
    if (block === 9 && source.blocksRead.length === 9) {
      expect(countRows(table, 'de', 1)).toBe(source.versions.length * DOCS_PER_BLOCK)
    }
  }
  await load(table, ['de'])
  expect(table.has(['de'], 1)).toBe(true)
  expect(countRows(table, 'de', 1)).toBe(source.versions.length * DOCS_PER_BLOCK)
})

it('runs each search that waits in a turn of its own, those of few countries first', async () => {
  const source = new PlainSource(BLOCKS_PER_SEGMENT)
  let now = 0
  const table = new OptionTable(source, dictionary, { now: () => (now += 5) })
  const events: string[] = []
  const search = (countries: readonly string[], name: string) =>
    table.whenLoaded(countries, () => {
      expect(table.has(countries, 1)).toBe(true)
      events.push(name)
      setImmediate(() => events.push('turn'))
    })
  const all = search(['at', 'de', 'fr', 'us'], 'all')
  await nextTurn()
  await nextTurn()
  expect(source.blocksRead.length).toBeGreaterThan(0)
  await Promise.all([all, search(['de'], 'de'), search(['fr', 'us'], 'two'), search(['de'], 'de again')])
  expect(events).toEqual(['de', 'turn', 'de again', 'turn', 'two', 'turn', 'all'])
})

it('fails the search whose options cannot be read, or that fails itself, and no other', async () => {
  const source = new PlainSource(4)
  const table = new OptionTable(source, dictionary)
  source.onRead = (block) => {
    if (block === 2 && source.blocksRead.length < 4) throw new Error('damaged')
  }
  const failing = () => {
    throw new Error('no such show')
  }
  const outcomes = await Promise.allSettled([
    load(table, ['de']),
    table.whenLoaded(['us'], failing),
    table.whenLoaded(['us'], () => countRows(table, 'us', 1)),
  ])
  expect(outcomes).toEqual([
    { status: 'rejected', reason: new Error('damaged') },
    { status: 'rejected', reason: new Error('no such show') },
    { status: 'fulfilled', value: 4 * DOCS_PER_BLOCK },
  ])
})

it('drops no country that searches wait for', async () => {
  const source = new PlainSource(2 * BLOCKS_PER_SEGMENT)
  const one = new OptionTable(source, dictionary)
  countRows(one, 'de', 1)
  const bytes = one.caches()[0]?.stats().bytes as number
  source.blocksRead.length = 0
  let now = 0
  const table = new OptionTable(source, dictionary, { maxBytes: 2.5 * bytes, now: () => (now += 5) })
  const all = ['at', 'de', 'fr', 'us']
  const waiting = table.whenLoaded(all, () => table.segments(all, 1).length)
  while (source.blocksRead.length < 4 * (BLOCKS_PER_SEGMENT + 1)) await nextTurn()
  countRows(table, 'es', 1)
  expect(await waiting).toBe(4)
  expect(source.blocksRead.filter((read) => !read.startsWith('es'))).toHaveLength(4 * source.versions.length)
})

it('drops the countries that were not needed for the longest time, but none that a search needs', () => {
  const source = new PlainSource(BLOCKS_PER_SEGMENT)
  const one = new OptionTable(source, dictionary)
  countRows(one, 'de', 1)
  const bytes = one.caches()[0]?.stats().bytes as number
  const table = new OptionTable(source, dictionary, { maxBytes: 2.5 * bytes })
  for (const country of ['de', 'us', 'de', 'fr']) countRows(table, country, 1)
  expect(['de', 'us', 'fr'].map((country) => table.has([country], 1))).toEqual([true, false, true])
  const all = ['at', 'de', 'fr', 'us']
  expect(table.segments(all, 1)).toHaveLength(4)
  expect(table.has(all, 1)).toBe(true)
  expect(table.caches()[0]?.stats()).toMatchObject({ entries: 4, bytes: 4 * bytes, evictions: 1 })
  countRows(table, 'es', 1)
  expect(table.caches()[0]?.stats()).toMatchObject({ entries: 2, bytes: 2 * bytes })
})

it('has more different values than 16 bits count', () => {
  const source = new PlainSource(1)
  const table = new OptionTable(source, dictionary)
  for (let price = 0; price < 70_000; price++) table.values.priceOf({ price } as never)
  source.addBlock = (_block, rows) => rows.get('de')?.add(5, 6, { ...OPTION, price: 70_000 }, 1, NO_END)
  const [segments] = table.segments(['de'], 1)
  expect(table.values.prices.size).toBe(70_001)
  expect([...(segments?.[0]?.values ?? [])]).toEqual([0, 0, 0, 70_000])
})
