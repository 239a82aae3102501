import type { Database } from 'lmdb'
import { LRUCache } from 'lru-cache'
import { ByteReader, ByteWriter } from '../storage/byte-stream.ts'

/** What is known of a block without reading it. */
export interface BlockInfo<Place> {
  readonly number: number
  /** How many entries it holds; while some wait, they count even if they replace others. */
  readonly count: number
  readonly first: Place
  /** Entries that wait beside the block until there are enough of them to write it anew; undefined: none. */
  readonly delta?: { readonly number: number; readonly count: number }
}

export interface BlockDirectory<Place> {
  readonly changedAt: number
  readonly blocks: readonly BlockInfo<Place>[]
}

/** What makes entries of one kind into blocks: their order, and their form in memory and on disk. */
export interface BlockFormat<Place, Entry extends Place, Block> {
  compare(a: Place, b: Place): number
  count(block: Block): number
  first(block: Block): Place
  entries(block: Block): Entry[]
  /** Roughly how much memory a decoded block takes. */
  estimateBytes(block: Block): number
  /** What comes of a block (or of none) when places are taken out and entries put in, both in order. */
  merge(block: Block | undefined, removed: readonly Place[], added: readonly Entry[]): Block
  slice(block: Block, start: number, end: number): Block
  /** So many entries may wait beside a block; with 0, blocks can be counted without being read. */
  readonly maxDeltaEntries: number
  encode(out: ByteWriter, block: Block, list: string): void
  decode(input: ByteReader, list: string): Block
  /** Makes the bytes of a block smaller, where that is worth the time. */
  pack?(bytes: Buffer): Buffer
  unpack?(packed: Buffer): Buffer
  encodeKey(out: ByteWriter, place: Place): void
  decodeKey(input: ByteReader): Place
}

/** Blocks are cut so that they hold this many entries at most, and have room to grow. */
const MAX_BLOCK_ENTRIES = 512

/** To let entries wait is worth it only where a block is so spared from being written for at least so many commits. */
const MIN_COMMITS_PER_REWRITE = 4

/** How many runs to cut so many entries into: one while it fits into a block, else so that each has room to grow. */
function countRuns(count: number): number {
  return count === 0 ? 0 : count <= MAX_BLOCK_ENTRIES ? 1 : Math.ceil(count / (MAX_BLOCK_ENTRIES * 0.7))
}

/**
 * Sorted lists on disk, by name: for each a directory of blocks, and the blocks. A block never changes: a changed run
 * of entries is a new block under a new number, so decoded ones can be kept. In a long list, the entries of a commit
 * fall into every block, a few into each; so that not all of the list is written each time, they wait in a small block
 * of their own beside the large one. Whoever reads the list finds the two as one.
 */
export class BlockStore<Place, Entry extends Place, Block> {
  private readonly format: BlockFormat<Place, Entry, Block>
  private readonly directoryTable: Database<Buffer, string>
  private readonly blockTable: Database<Buffer, number>
  private readonly directories = new LRUCache<string, BlockDirectory<Place> & { checkedAt: number }>({ max: 2_000 })
  private readonly decoded: LRUCache<number, { readonly block: Block }>
  private readonly out = new ByteWriter(16 * 1024)

  constructor(
    format: BlockFormat<Place, Entry, Block>,
    tables: { readonly directories: Database<Buffer, string>; readonly blocks: Database<Buffer, number> },
    cacheBytes: number,
  ) {
    this.format = format
    this.directoryTable = tables.directories
    this.blockTable = tables.blocks
    this.decoded = new LRUCache({ maxSize: cacheBytes, sizeCalculation: ({ block }) => format.estimateBytes(block) })
  }

  /** The names of all lists, in order. */
  names(): string[] {
    return [...this.directoryTable.getKeys({})]
  }

  /** The blocks of a list as of the given catalog version. */
  directory(list: string, version: number): BlockDirectory<Place> {
    const known = this.directories.get(list)
    if (known !== undefined && known.checkedAt === version) return known
    const stored = this.directoryTable.getBinaryFast(list) as Buffer | undefined
    if (stored === undefined) return EMPTY_DIRECTORY as BlockDirectory<Place>
    if (known !== undefined && known.changedAt === stored.readUInt32LE(0)) {
      known.checkedAt = version
      return known
    }
    const directory = { ...this.decodeDirectory(stored), checkedAt: version }
    this.directories.set(list, directory)
    return directory
  }

  block(list: string, info: BlockInfo<Place>): Block {
    // What waits beside a block has a number of its own, which stands for the two of them.
    const number = info.delta?.number ?? info.number
    const known = this.decoded.get(number)
    if (known !== undefined) return known.block
    const block = this.readMerged(list, info)
    this.decoded.set(number, { block })
    return block
  }

  /**
   * Takes places out of a list and puts entries in, rewriting only the blocks that they fall into. An entry at a place
   * that is taken replaces what stood there. Only within a write transaction.
   */
  update(list: string, removed: readonly Place[], added: readonly Entry[], version: number): void {
    const { compare } = this.format
    const removals = removed.length > 1 ? [...removed].sort(compare) : removed
    const additions = added.length > 1 ? [...added].sort(compare) : added
    this.rewrite(list, version, (old, { keep, put, add }) => {
      let r = 0
      let a = 0
      for (let b = 0; b < Math.max(old.length, 1); b++) {
        const info = old[b]
        const end = old[b + 1]?.first
        const rStart = r
        const aStart = a
        while (r < removals.length && (end === undefined || compare(removals[r] as Place, end) < 0)) r++
        while (a < additions.length && (end === undefined || compare(additions[a] as Entry, end) < 0)) a++
        if (info !== undefined && r === rStart && a === aStart) keep(info)
        else if (info !== undefined && r === rStart && this.fitsDelta(info, a - aStart)) {
          add(info, additions.slice(aStart, a))
        } else put(info, removals.slice(rStart, r), additions.slice(aStart, a))
      }
    })
  }

  /** Drops everything of a list that stands before a place. Only within a write transaction. */
  truncateBefore(list: string, place: Place, version: number): void {
    const { compare } = this.format
    this.rewrite(list, version, (old, { keep, put, drop }) => {
      old.forEach((info, b) => {
        const next = old[b + 1]
        if (compare(info.first, place) >= 0) keep(info)
        else if (next !== undefined && compare(next.first, place) <= 0) drop(info)
        else
          put(
            info,
            this.format.entries(this.readMerged(list, info)).filter((one) => compare(one, place) < 0),
            [],
          )
      })
    })
  }

  /** Forgets what a transaction that was rolled back may have left in memory. */
  invalidate(): void {
    this.decoded.clear()
    this.directories.clear()
  }

  private fitsDelta({ delta }: BlockInfo<Place>, added: number): boolean {
    const { maxDeltaEntries } = this.format
    return added <= maxDeltaEntries / MIN_COMMITS_PER_REWRITE && (delta?.count ?? 0) + added <= maxDeltaEntries
  }

  /** Makes the directory of a list anew, block by block. */
  private rewrite(
    list: string,
    version: number,
    each: (old: readonly BlockInfo<Place>[], fates: BlockRewriter<Place, Entry>) => void,
  ): void {
    const { format, blockTable } = this
    const stored = this.directoryTable.getBinaryFast(list) as Buffer | undefined
    const old = stored === undefined ? [] : this.decodeDirectory(stored).blocks
    const blocks: BlockInfo<Place>[] = []
    const nextBlockNumber = this.firstFree()
    let number = nextBlockNumber
    const write = (block: Block, pack: boolean) => {
      format.encode(this.out.reset(), block, list)
      const bytes = this.out.view()
      blockTable.putSync(number, pack && format.pack !== undefined ? format.pack(bytes) : bytes)
      return number++
    }
    const drop = ({ number, delta }: BlockInfo<Place>) => {
      blockTable.removeSync(number)
      if (delta !== undefined) blockTable.removeSync(delta.number)
    }
    each(old, {
      keep: (info) => blocks.push(info),
      drop,
      put: (info, removed, added) => {
        const merged = format.merge(info === undefined ? undefined : this.readMerged(list, info), removed, added)
        if (info !== undefined) drop(info)
        const count = format.count(merged)
        const runs = countRuns(count)
        for (let run = 0; run < runs; run++) {
          const [start, end] = [Math.floor((run * count) / runs), Math.floor(((run + 1) * count) / runs)]
          const one = runs === 1 ? merged : format.slice(merged, start, end)
          blocks.push({ number: write(one, true), count: end - start, first: format.first(one) })
        }
      },
      add: (info, added) => {
        const { delta } = info
        const together = format.merge(delta && this.readBlock(list, delta.number, false), [], added)
        if (delta !== undefined) blockTable.removeSync(delta.number)
        const first = format.first(together)
        blocks.push({
          number: info.number,
          count: info.count + added.length,
          first: format.compare(first, info.first) < 0 ? first : info.first,
          delta: { number: write(together, false), count: format.count(together) },
        })
      },
    })
    if (number > nextBlockNumber) blockTable.putSync(0, uint32(number))
    if (blocks.length === 0) this.directoryTable.removeSync(list)
    else this.directoryTable.putSync(list, this.encodeDirectory(blocks, version))
  }

  /** Number 0 holds the next number, so that none is given twice, not even after its block is gone. */
  private firstFree(): number {
    const counter = this.blockTable.getBinaryFast(0) as Buffer | undefined
    return counter === undefined ? 1 : counter.readUInt32LE(0)
  }

  /** A block, together with what waits beside it. */
  private readMerged(list: string, { number, delta }: BlockInfo<Place>): Block {
    const { format } = this
    const block = this.readBlock(list, number, true)
    if (delta === undefined) return block
    return format.merge(block, [], format.entries(this.readBlock(list, delta.number, false)))
  }

  private readBlock(list: string, number: number, packed: boolean): Block {
    const stored = this.blockTable.getBinary(number) as Buffer | undefined
    if (stored === undefined) throw new Error(`The catalog lacks block ${number}`)
    const { format } = this
    return format.decode(new ByteReader(packed && format.unpack !== undefined ? format.unpack(stored) : stored), list)
  }

  private encodeDirectory(blocks: readonly BlockInfo<Place>[], version: number): Buffer {
    const out = this.out.reset()
    out.uint32(version)
    out.varint(blocks.length)
    for (const { number, count, first, delta } of blocks) {
      out.varint(number)
      out.varint(count)
      this.format.encodeKey(out, first)
      out.varint(delta?.count ?? 0)
      if (delta !== undefined) out.varint(delta.number)
    }
    return out.toBuffer()
  }

  private decodeDirectory(buffer: Buffer): BlockDirectory<Place> {
    const input = new ByteReader(buffer)
    const changedAt = input.uint32()
    const blocks = Array.from({ length: input.varint() }, (): BlockInfo<Place> => {
      const [number, count, first] = [input.varint(), input.varint(), this.format.decodeKey(input)]
      const waiting = input.varint()
      return waiting === 0
        ? { number, count, first }
        : { number, count, first, delta: { count: waiting, number: input.varint() } }
    })
    return { changedAt, blocks }
  }
}

/** What can become of a block. */
interface BlockRewriter<Place, Entry> {
  keep(info: BlockInfo<Place>): void
  drop(info: BlockInfo<Place>): void
  /** It is written anew, in as many blocks as it takes. */
  put(info: BlockInfo<Place> | undefined, removed: readonly Place[], added: readonly Entry[]): void
  /** It stays, and entries wait beside it. */
  add(info: BlockInfo<Place>, added: readonly Entry[]): void
}

const EMPTY_DIRECTORY: BlockDirectory<never> = { changedAt: 0, blocks: [] }

function uint32(value: number): Buffer {
  const buffer = Buffer.allocUnsafe(4)
  buffer.writeUInt32LE(value)
  return buffer
}
