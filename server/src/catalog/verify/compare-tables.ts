import type { Database } from 'lmdb'
import type { BlockStore } from '../sorted/block-store.ts'
import type { BlockInfo } from '../sorted/block-table.ts'
import { describeDamage } from '../storage/environment.ts'
import type { CatalogPart, ProblemCollector } from './catalog-problems.ts'

/** Two tables of one name: as it should be, and as it is. */
export interface TablePair<V, K extends string | number> {
  readonly part: CatalogPart
  readonly expected: Database<V, K>
  readonly found: Database<V, K>
  /** Whether two values mean the same. */
  isSame(expected: V, found: V): boolean
  describe(key: K, expected: V | undefined, found: V | undefined): string
}

/**
 * Compares two tables by point reads, as readers make them: each expected entry is looked up among those that are there,
 * and each that is there among the expected ones.
 */
export function compareTables<V, K extends string | number>(
  { part, expected, found, isSame, describe }: TablePair<V, K>,
  problems: ProblemCollector,
): void {
  problems.attempt(part, () => {
    for (const { key, value } of expected.getRange({})) {
      try {
        const stored = found.get(key)
        if (stored === undefined) problems.add(part, 'missing', describe(key, value, undefined))
        else if (!isSame(value, stored)) problems.add(part, 'different', describe(key, value, stored))
      } catch (error) {
        problems.add(part, 'unreadable', `${describe(key, value, undefined)}: ${describeDamage(error)}`)
      }
    }
  })
  problems.attempt(part, () => {
    for (const key of found.getKeys({})) {
      if (!expected.doesExist(key)) problems.add(part, 'unexpected', describe(key, undefined, undefined))
    }
  })
}

/** Two block stores of one name: as it should be, and as it is. */
export interface ListPair<Key, Entry extends Key, Block> {
  readonly part: CatalogPart
  readonly expected: BlockStore<Key, Entry, Block>
  readonly found: BlockStore<Key, Entry, Block>
  isSame(expected: Entry, found: Entry): boolean
  describe(list: string, entry: Entry): string
}

/** Compares all lists of two block stores, entry by entry, and checks the blocks of the one that is there. */
export function compareLists<Key, Entry extends Key, Block>(
  pair: ListPair<Key, Entry, Block>,
  versions: { readonly expected: number; readonly found: number },
  problems: ProblemCollector,
): void {
  const { part, expected, found } = pair
  const ignored = { add: () => {} }
  const check = new BlockCheck(found, part, problems)
  problems.attempt(part, () => {
    for (const list of new Set([...expected.names(), ...found.names()])) {
      const wanted = new BlockCheck(expected, part, ignored).entries(list, versions.expected)
      mergeEntries(pair, list, wanted, check.entries(list, versions.found), problems)
    }
  })
  problems.attempt(part, () => check.checkUnused())
}

/** Walks two sorted sequences side by side. */
function mergeEntries<Key, Entry extends Key, Block>(
  { part, expected: { format }, isSame, describe }: ListPair<Key, Entry, Block>,
  list: string,
  wanted: Iterable<Entry>,
  stored: Iterable<Entry>,
  problems: ProblemCollector,
): void {
  const [left, right] = [wanted[Symbol.iterator](), stored[Symbol.iterator]()]
  let [a, b] = [left.next(), right.next()]
  while (a.done !== true || b.done !== true) {
    const order = a.done === true ? 1 : b.done === true ? -1 : format.compare(a.value, b.value)
    if (order < 0) problems.add(part, 'missing', describe(list, a.value as Entry))
    else if (order > 0) problems.add(part, 'unexpected', describe(list, b.value as Entry))
    else if (!isSame(a.value as Entry, b.value as Entry)) {
      problems.add(part, 'different', describe(list, a.value as Entry))
    }
    if (order <= 0) a = left.next()
    if (order >= 0) b = right.next()
  }
}

/** Reads the lists of a block store block by block, and checks each block against its directory. */
export class BlockCheck<Key, Entry extends Key, Block> {
  private readonly store: BlockStore<Key, Entry, Block>
  private readonly part: CatalogPart
  private readonly problems: Pick<ProblemCollector, 'add'>
  private readonly used = new Set<number>()

  constructor(store: BlockStore<Key, Entry, Block>, part: CatalogPart, problems: Pick<ProblemCollector, 'add'>) {
    this.store = store
    this.part = part
    this.problems = problems
  }

  /** The entries of all readable blocks of a list. */
  *entries(list: string, version: number): Iterable<Entry> {
    let blocks: readonly BlockInfo<Key>[]
    try {
      blocks = this.store.directory(list, version).blocks
    } catch {
      this.problems.add(this.part, 'unreadable', `the directory of ${list}`)
      return
    }
    let last: Key | undefined
    for (const info of blocks) {
      const entries = this.readBlock(list, info)
      for (const entry of entries) {
        if (last !== undefined && this.store.format.compare(last, entry) >= 0) {
          this.problems.add(this.part, 'different', `block ${info.number} of ${list} is out of order`)
        }
        last = entry
        yield entry
      }
    }
  }

  /** Blocks that no directory names, and a counter that would use a number again. */
  checkUnused(): void {
    const { next, numbers } = this.store.storedNumbers()
    let highest = 0
    for (const number of numbers) {
      highest = Math.max(highest, number)
      if (!this.used.has(number)) this.problems.add(this.part, 'unexpected', `block ${number}, which no list has`)
    }
    if (next <= highest) {
      this.problems.add(this.part, 'different', `the next block would be ${next}, and there is a block ${highest}`)
    }
  }

  private readBlock(list: string, info: BlockInfo<Key>): Entry[] {
    const { format } = this.store
    const { number, delta } = info
    for (const one of delta === undefined ? [number] : [number, delta.number]) {
      if (this.used.has(one)) this.problems.add(this.part, 'different', `block ${one} is used twice`)
      this.used.add(one)
    }
    try {
      const block = this.store.readBlock(list, info)
      const entries = format.entries(block)
      if (entries.length > info.count || (delta === undefined && entries.length < info.count)) {
        const sizes = `${entries.length} entries, its directory says ${info.count}`
        this.problems.add(this.part, 'different', `block ${number} of ${list} has ${sizes}`)
      }
      if (entries[0] === undefined || format.compare(entries[0], info.first) !== 0) {
        this.problems.add(this.part, 'different', `block ${number} of ${list} starts elsewhere than its directory says`)
      }
      return entries
    } catch (error) {
      this.problems.add(this.part, 'unreadable', `block ${number} of ${list}: ${describeDamage(error)}`)
      return []
    }
  }
}
