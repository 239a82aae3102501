import type { Database } from 'lmdb'
import { type MeteredCache, VersionedCache } from '../../lib/cache.ts'
import { ByteWriter } from '../storage/byte-stream.ts'
import { decodeStored } from '../storage/environment.ts'
import {
  type BlockDirectory,
  type BlockFormat,
  type BlockInfo,
  BlockRewriter,
  BlockTable,
  decodeDirectory,
  directoryVersion,
  encodeDirectory,
} from './block-table.ts'

/** The two tables of a block store. */
export interface BlockTables {
  /** List name to encoded directory. */
  readonly directories: Database<Buffer, string>
  /** Block number to encoded block. */
  readonly blocks: Database<Buffer, number>
  /** Whether blocks end in a checksum. */
  readonly hasChecksums: boolean
}

/** The caches of a block store: their names in the metrics, and their limits. */
export interface BlockCacheOptions {
  readonly name: string
  readonly blockBytes: number
  readonly directoryBytes: number
}

/** A decoded directory, with the newest catalog version at which it was seen to be current. */
interface CachedDirectory<Key> {
  readonly directory: BlockDirectory<Key>
  checkedAt: number
}

/** The memory that an entry of a decoded directory takes, about. */
const BLOCK_INFO_BYTES = 120

/**
 * Sorted lists on disk, by name: each is a directory and blocks of up to 512 entries. Blocks are immutable; a changed
 * range of entries is written as a new block, so decoded blocks stay valid in the cache. In a long list, the entries of
 * a commit are spread over all blocks. LSM-style delta blocks take them: a delta block of few entries belongs to its
 * block, both are merged on reading, and written as one block when the delta block is full.
 */
export class BlockStore<Key, Entry extends Key, Block> {
  readonly format: BlockFormat<Key, Entry, Block>
  /** Its name in errors. */
  private readonly table: string
  private readonly directoryTable: Database<Buffer, string>
  private readonly blockTable: BlockTable<Key, Entry, Block>
  private readonly directories: VersionedCache<string, CachedDirectory<Key>>
  private readonly blocks: VersionedCache<number, Block>
  private readonly out = new ByteWriter(16 * 1024)

  constructor(format: BlockFormat<Key, Entry, Block>, tables: BlockTables, cache: BlockCacheOptions) {
    this.format = format
    this.table = `${cache.name}s`
    this.directoryTable = tables.directories
    this.blockTable = new BlockTable(format, tables)
    this.directories = new VersionedCache({
      name: `${cache.name}_directories`,
      maxBytes: cache.directoryBytes,
      sizeOf: ({ directory }) => 100 + directory.blocks.length * BLOCK_INFO_BYTES,
    })
    this.blocks = new VersionedCache({
      name: `${cache.name}_blocks`,
      maxBytes: cache.blockBytes,
      sizeOf: (block) => format.estimateBytes(block),
    })
  }

  caches(): readonly MeteredCache[] {
    return [this.directories, this.blocks]
  }

  /** The names of all lists, in order. */
  names(): string[] {
    return [...this.directoryTable.getKeys({})]
  }

  /** The directory of a list as of the given catalog version. */
  directory(list: string, version: number): BlockDirectory<Key> {
    const cached = this.directories.get(list)
    if (cached !== undefined && cached.checkedAt === version) return cached.directory
    const stored = this.directoryTable.getBinaryFast(list) as Buffer | undefined
    if (stored === undefined) return EMPTY_DIRECTORY as BlockDirectory<Key>
    if (cached !== undefined && cached.directory.changedAt === directoryVersion(stored)) {
      cached.checkedAt = version
      return cached.directory
    }
    const directory = decodeStored(
      this.table,
      () => `the directory of ${list}`,
      () => decodeDirectory(stored, this.format),
    )
    if (cached !== undefined) this.dropReplacedBlocks(cached.directory, directory)
    this.directories.set(list, { directory, checkedAt: version })
    return directory
  }

  /** Drops cached blocks that a newer directory no longer names: nothing will read them again. */
  private dropReplacedBlocks(older: BlockDirectory<Key>, newer: BlockDirectory<Key>): void {
    const current = new Set(newer.blocks.map(blockKey))
    for (const info of older.blocks) {
      const key = blockKey(info)
      if (!current.has(key)) this.blocks.delete(key)
    }
  }

  /** A block with its delta block merged in. */
  getBlock(list: string, info: BlockInfo<Key>): Block {
    const key = blockKey(info)
    const cached = this.blocks.get(key)
    if (cached !== undefined) return cached
    const block = this.readBlock(list, info)
    this.blocks.set(key, block)
    return block
  }

  /** As `getBlock`, from the table itself. */
  readBlock(list: string, info: BlockInfo<Key>): Block {
    return decodeStored(
      this.table,
      () => `block ${info.number} of ${list}`,
      () => this.blockTable.readMerged(list, info),
    )
  }

  /** The bytes of a block as they are stored, valid until the next are read: for scans of all blocks. */
  storedBytes(number: number): Buffer {
    return this.blockTable.view(number)
  }

  /** The next free block number, and the numbers of all stored blocks: what a verification compares with directories. */
  storedNumbers(): { readonly next: number; readonly numbers: Iterable<number> } {
    return { next: this.blockTable.nextNumber(), numbers: this.blockTable.numbers() }
  }

  /**
   * Removes keys from a list and adds entries, writing only the blocks that they fall into. An entry replaces the one
   * with the same key. Only within a write transaction.
   */
  update(list: string, removed: readonly Key[], added: readonly Entry[], version: number): void {
    const { compare } = this.format
    const removals = removed.length > 1 ? [...removed].sort(compare) : removed
    const additions = added.length > 1 ? [...added].sort(compare) : added
    this.rewrite(list, version, (blocks, rewriter) => {
      let r = 0
      let a = 0
      for (let b = 0; b < Math.max(blocks.length, 1); b++) {
        const info = blocks[b]
        const end = blocks[b + 1]?.first
        const rStart = r
        const aStart = a
        while (r < removals.length && (end === undefined || compare(removals[r] as Key, end) < 0)) r++
        while (a < additions.length && (end === undefined || compare(additions[a] as Entry, end) < 0)) a++
        if (info !== undefined && r === rStart && a === aStart) rewriter.keep(info)
        else {
          const position = end === undefined ? 'last' : 'inner'
          rewriter.update(info, removals.slice(rStart, r), additions.slice(aStart, a), position)
        }
      }
    })
  }

  /** Deletes the entries of a list that are before a key. Only within a write transaction. */
  truncateBefore(list: string, key: Key, version: number): void {
    const { compare, entries } = this.format
    this.rewrite(list, version, (blocks, rewriter) => {
      blocks.forEach((info, b) => {
        const next = blocks[b + 1]
        if (compare(info.first, key) >= 0) rewriter.keep(info)
        else if (next !== undefined && compare(next.first, key) <= 0) rewriter.delete(info)
        else {
          const all = entries(this.blockTable.readMerged(list, info))
          rewriter.rewrite(
            info,
            all.filter((entry) => compare(entry, key) < 0),
            [],
            'inner',
          )
        }
      })
    })
  }

  /** Clears the caches. A transaction that was rolled back may have left its blocks in them. */
  invalidate(): void {
    this.blocks.clear()
    this.directories.clear()
  }

  private rewrite(
    list: string,
    version: number,
    rewriteBlocks: (blocks: readonly BlockInfo<Key>[], rewriter: BlockRewriter<Key, Entry, Block>) => void,
  ): void {
    const stored = this.directoryTable.getBinaryFast(list) as Buffer | undefined
    const old = stored === undefined ? [] : decodeDirectory(stored, this.format).blocks
    const rewriter = new BlockRewriter(this.format, this.blockTable, list)
    rewriteBlocks(old, rewriter)
    rewriter.finish()
    if (rewriter.blocks.length === 0) {
      this.directoryTable.removeSync(list)
      return
    }
    encodeDirectory(this.out.reset(), { changedAt: version, blocks: rewriter.blocks }, this.format)
    this.directoryTable.putSync(list, this.out.toBuffer())
  }
}

/** What identifies a merged block in the cache: a delta block is immutable too, and belongs to one block. */
function blockKey({ number, delta }: Pick<BlockInfo<unknown>, 'number' | 'delta'>): number {
  return delta?.number ?? number
}

const EMPTY_DIRECTORY: BlockDirectory<never> = { changedAt: 0, blocks: [] }
