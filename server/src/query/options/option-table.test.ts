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

it('reads countries one after the other when several searches wait for them, each once', async () => {
  const source = new PlainSource(BLOCKS_PER_SEGMENT + 2)
  const table = new OptionTable(source, dictionary)
  expect(table.has(['de'], 1)).toBe(false)
  await Promise.all([table.load(['de']), table.load(['de', 'us']), table.load(['us'])])
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
  const loading = table.load(['de'])
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
  await table.load(['de', 'us'])
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
  await table.load(['de'])
  expect(table.has(['de'], 1)).toBe(true)
  expect(countRows(table, 'de', 1)).toBe(source.versions.length * DOCS_PER_BLOCK)
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
