import type { Database } from 'lmdb'
import { LRUCache } from 'lru-cache'
import {
  type DocSet,
  decodeDocList,
  decodeDocSet,
  docSetVersion,
  EMPTY_SET,
  encodeDocList,
  encodeDocSet,
  MAX_LIST_SIZE,
  RoaringBitmap32,
} from './doc-set.ts'

/** Past every character that a term can continue with. */
const MAX_CODE_POINT = '\u{10ffff}'

interface CachedSet {
  /** The version at which the set last changed, and the newest version at which that was checked. */
  readonly changedAt: number
  checkedAt: number
  readonly set: DocSet
}

/** Terms and the sets of documents that have them. CachedSet sets are kept until the stored ones change. */
export class Postings {
  private readonly table: Database<Buffer, string>
  private readonly decoded = new LRUCache<string, CachedSet>({
    maxSize: 128 * 1024 * 1024,
    sizeCalculation: ({ set }) => 200 + set.getSerializationSizeInBytes('portable'),
  })

  constructor(table: Database<Buffer, string>) {
    this.table = table
  }

  /** The documents that have the term, as of the given catalog version. The set must not be changed. */
  get(term: string, version: number): DocSet {
    const known = this.decoded.get(term)
    if (known !== undefined && known.checkedAt === version) return known.set
    const stored = this.table.getBinaryFast(term)
    if (stored === undefined) return EMPTY_SET
    const changedAt = docSetVersion(stored as Buffer)
    if (known !== undefined && known.changedAt === changedAt) {
      known.checkedAt = version
      return known.set
    }
    const set = decodeDocSet(stored as Buffer)
    set.freeze()
    this.decoded.set(term, { changedAt, checkedAt: version, set })
    return set
  }

  /** Forgets what a transaction that was rolled back may have left in memory. */
  invalidate(): void {
    this.decoded.clear()
  }

  /** The documents that have any term that starts so. */
  docsWithPrefix(prefix: string): DocSet {
    const sets: DocSet[] = []
    for (const { value } of this.table.getRange({ start: prefix, end: prefix + MAX_CODE_POINT })) {
      sets.push(decodeDocSet(value as Buffer))
    }
    return sets.length === 1 ? (sets[0] as DocSet) : RoaringBitmap32.orMany(sets)
  }

  /** Terms that start so, in order. */
  *termsWithPrefix(prefix: string): Iterable<string> {
    yield* this.table.getKeys({ start: prefix, end: prefix + MAX_CODE_POINT })
  }

  /**
   * Takes documents out of a term's set and puts others in. Only within a write transaction. Returns whether the
   * term came into being (1), ceased to be (-1) or neither (0).
   */
  update(term: string, removed: readonly number[], added: Uint32Array, version: number): -1 | 0 | 1 {
    const stored = this.table.getBinaryFast(term) as Buffer | undefined
    if (removed.length === 0 && added.length <= MAX_LIST_SIZE) {
      // Most terms have few documents, and most of those none before: no need for a bitmap.
      const list = stored === undefined ? [] : decodeDocList(stored)
      if (list !== undefined && list.length + added.length <= MAX_LIST_SIZE) {
        for (let i = 0; i < added.length; i++) {
          const doc = added[i] as number
          if (!list.includes(doc)) list.push(doc)
        }
        this.table.putSync(term, encodeDocList(list, version))
        return stored === undefined ? 1 : 0
      }
    }
    const set = stored === undefined ? new RoaringBitmap32() : decodeDocSet(stored)
    const before = set.size
    for (const doc of removed) set.delete(doc)
    set.addMany(added)
    if (set.size === 0) {
      if (before > 0) this.table.removeSync(term)
      return before > 0 ? -1 : 0
    }
    this.table.putSync(term, encodeDocSet(set, version))
    return before === 0 ? 1 : 0
  }
}
