import { join } from 'node:path'
import { open } from 'lmdb'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { Dictionary } from '../storage/dictionary.ts'
import { ChangeLog } from './change-log.ts'
import { instantSortKey, parseChangeListName, StoredChange } from './stored-change.ts'

const LIST = 'us/new/show'

/** What LMDB has room for on the one page of a value. */
const PAGE_BYTES = 4096 - 24

function createLog() {
  const root = open({ path: join(temporaryFolder(), 'changes'), encoding: 'binary' })
  const binary = { encoding: 'binary', keyEncoding: 'uint32' } as const
  const blocks = root.openDB<Buffer, number>('blocks', binary)
  const directories = root.openDB<Buffer, string>('directories', { encoding: 'binary' })
  const dictionary = new Dictionary(
    root.openDB('numbers', { encoding: 'ordered-binary' }),
    root.openDB('texts', { encoding: 'json', keyEncoding: 'uint32' }),
    root.openDB('checksums', binary),
  )
  const options = { name: 'change', maxDeltaEntries: 0, growsAtEnd: true }
  const log = new ChangeLog({ directories, blocks, hasChecksums: true }, dictionary, options)
  let version = 0
  return {
    add: (changes: readonly StoredChange[]) => root.transactionSync(() => log.update(LIST, [], changes, ++version)),
    truncateBefore: (instant: number) =>
      root.transactionSync(() => log.truncateBefore(parseChangeListName(LIST), instant, ++version)),
    scan: () => [...log.scanAscending(parseChangeListName(LIST), version, instantSortKey(0))],
    blocks: () =>
      log.store.directory(LIST, version).blocks.map(({ number, count }) => ({
        count,
        bytes: (blocks.getBinary(number) as Buffer).length,
      })),
  }
}

/** Changes of shows in a row, with links of which little repeats. */
function someChanges(first: number, count: number, timestamp: number, linkLength = 12): StoredChange[] {
  return Array.from({ length: count }, (_, i) => {
    const id = first + i
    const path = (Math.imul(id, 0x9e37_79b1) >>> 0).toString(36).repeat(8).slice(0, linkLength)
    const link = `https://streaming.example/title/${path}`
    return new StoredChange(parseChangeListName(LIST), id, timestamp, id, 'movie', 0, 0, 'netflix', 'buy', '', link)
  })
}

const keysOf = (changes: readonly StoredChange[]) =>
  changes.map(({ timestamp, showId, link }) => [timestamp, showId, link])

describe('past changes', () => {
  it.each([0, 4, 12, 40])(
    'fill blocks of one page with many that are added behind the others, with %i characters of a link',
    (length) => {
      const log = createLog()
      const changes = [1, 2, 3].flatMap((time) => someChanges(time * 10_000, 3_000, time, length))
      for (const time of [1, 2, 3]) log.add(changes.filter(({ timestamp }) => timestamp === time))
      expect(keysOf(log.scan())).toEqual(keysOf(changes))
      const blocks = log.blocks()
      const onePage = blocks.filter(({ bytes }) => bytes <= PAGE_BYTES)
      expect(onePage.length).toBeGreaterThan(0.9 * blocks.length)
      // As far as the most entries of a block allow.
      const full = blocks.filter(({ bytes, count }) => bytes > 0.8 * PAGE_BYTES || count === 512)
      expect(full.length).toBeGreaterThan(0.9 * blocks.length)
    },
  )

  it('fill blocks also when they come a few at a time', () => {
    const log = createLog()
    const changes = Array.from({ length: 150 }, (_, day) => someChanges(1_000, 25, day + 1)).flat()
    for (let day = 1; day <= 150; day++) log.add(changes.filter(({ timestamp }) => timestamp === day))
    expect(keysOf(log.scan())).toEqual(keysOf(changes))
    const counts = log.blocks().map(({ count }) => count)
    expect(counts.length).toBeGreaterThan(3)
    const largest = Math.max(...counts)
    for (const count of counts.slice(0, -1)) expect(count).toBeGreaterThan(0.7 * largest)
  })

  it('are divided evenly where some are added between others', () => {
    const log = createLog()
    const changes = someChanges(10_000, 2_000, 5)
    log.add(changes)
    const before = log.blocks()
    const between = someChanges(10_100, 40, 5, 30)
    log.add(between)
    const replaced = new Set(between.map(({ showId }) => showId))
    const all = [...changes.filter(({ showId }) => !replaced.has(showId)), ...between]
    expect(keysOf(log.scan())).toEqual(keysOf(all.sort((a, b) => a.showId - b.showId)))
    const after = log.blocks()
    expect(after.slice(-3)).toEqual(before.slice(-3))
    expect(Math.min(...after.slice(0, -1).map(({ count }) => count))).toBeGreaterThan(40)
  })

  it('that are before an instant are deleted, in the middle of a block too', () => {
    const log = createLog()
    const changes = [1, 2, 3, 4].flatMap((time) => someChanges(1_000, 300, time))
    log.add(changes)
    log.truncateBefore(3)
    expect(keysOf(log.scan())).toEqual(keysOf(changes.filter(({ timestamp }) => timestamp >= 3)))
  })
})
