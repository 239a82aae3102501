import type { Database } from 'lmdb'
import { LRUCache } from 'lru-cache'
import { ByteReader } from './codec/byte-reader.ts'
import { ByteWriter } from './codec/byte-writer.ts'

/** What is known of a block without reading it. */
export interface BlockInfo<Place> {
  readonly number: number
  readonly count: number
  readonly first: Place
}

export interface Directory<Place> {
  readonly changedAt: number
  readonly blocks: readonly BlockInfo<Place>[]
}

/** What makes entries of one kind into blocks: their order, and their form in memory and on disk. */
export interface BlockFormat<Place, Entry extends Place, Block> {
  compare(a: Place, b: Place): number
  count(block: Block): number
  first(block: Block): Place
  places(block: Block): Place[]
  /** Roughly how much memory a decoded block takes. */
  size(block: Block): number
  /** The blocks that come of one (or of none) when places are taken out and entries put in, both in order. */
  merge(block: Block | undefined, removed: readonly Place[], added: readonly Entry[]): Iterable<Block>
  encode(out: ByteWriter, block: Block, list: string): void
  decode(input: ByteReader, list: string): Block
  /** Makes the bytes of a block smaller, where that is worth the time. */
  pack?(bytes: Buffer): Buffer
  unpack?(packed: Buffer): Buffer
  encodePlace(out: ByteWriter, place: Place): void
  decodePlace(input: ByteReader): Place
}

/** Blocks are cut so that they hold this many entries at most, and have room to grow. */
const LARGEST_BLOCK = 512

/** How many runs to cut so many entries into: one while it fits into a block, else so that each has room to grow. */
export function runsOf(count: number): number {
  return count === 0 ? 0 : count <= LARGEST_BLOCK ? 1 : Math.ceil(count / (LARGEST_BLOCK * 0.7))
}

/**
 * Sorted lists on disk, by name: for each a directory of blocks, and the blocks. A block never changes: a changed run
 * of entries is a new block under a new number, so decoded ones can be kept.
 */
export class SortedBlocks<Place, Entry extends Place, Block> {
  private readonly format: BlockFormat<Place, Entry, Block>
  private readonly directoryTable: Database<Buffer, string>
  private readonly blockTable: Database<Buffer, number>
  private readonly directories = new LRUCache<string, Directory<Place> & { checkedAt: number }>({ max: 2_000 })
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
    this.decoded = new LRUCache({ maxSize: cacheBytes, sizeCalculation: ({ block }) => format.size(block) })
  }

  /** The names of all lists, in order. */
  names(): string[] {
    return [...this.directoryTable.getKeys({})]
  }

  /** The blocks of a list as of the given catalog version. */
  directory(list: string, version: number): Directory<Place> {
    const known = this.directories.get(list)
    if (known !== undefined && known.checkedAt === version) return known
    const stored = this.directoryTable.getBinaryFast(list) as Buffer | undefined
    if (stored === undefined) return NOTHING as Directory<Place>
    if (known !== undefined && known.changedAt === stored.readUInt32LE(0)) {
      known.checkedAt = version
      return known
    }
    const directory = { ...this.decodeDirectory(stored), checkedAt: version }
    this.directories.set(list, directory)
    return directory
  }

  block(list: string, number: number): Block {
    const known = this.decoded.get(number)
    if (known !== undefined) return known.block
    const block = this.read(list, number)
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
    this.rewrite(list, version, (old, keep, put) => {
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
        else put(info, removals.slice(rStart, r), additions.slice(aStart, a))
      }
    })
  }

  /** Drops everything of a list that stands before a place. Only within a write transaction. */
  dropBefore(list: string, place: Place, version: number): void {
    const { compare } = this.format
    this.rewrite(list, version, (old, keep, put) => {
      old.forEach((info, b) => {
        const next = old[b + 1]
        if (compare(info.first, place) >= 0) keep(info)
        else if (next !== undefined && compare(next.first, place) <= 0) this.blockTable.removeSync(info.number)
        else
          put(
            info,
            this.format.places(this.read(list, info.number)).filter((one) => compare(one, place) < 0),
            [],
          )
      })
    })
  }

  /** Forgets what a transaction that was rolled back may have left in memory. */
  forget(): void {
    this.decoded.clear()
    this.directories.clear()
  }

  /** Makes the directory of a list anew, block by block: each is kept as it is, or merged into others. */
  private rewrite(
    list: string,
    version: number,
    each: (
      old: readonly BlockInfo<Place>[],
      keep: (info: BlockInfo<Place>) => void,
      put: (info: BlockInfo<Place> | undefined, removed: readonly Place[], added: readonly Entry[]) => void,
    ) => void,
  ): void {
    const { format } = this
    const stored = this.directoryTable.getBinaryFast(list) as Buffer | undefined
    const old = stored === undefined ? [] : this.decodeDirectory(stored).blocks
    const blocks: BlockInfo<Place>[] = []
    const firstFree = this.firstFree()
    let number = firstFree
    const put = (info: BlockInfo<Place> | undefined, removed: readonly Place[], added: readonly Entry[]) => {
      const block = info === undefined ? undefined : this.read(list, info.number)
      if (info !== undefined) this.blockTable.removeSync(info.number)
      for (const one of format.merge(block, removed, added)) {
        format.encode(this.out.reset(), one, list)
        const bytes = this.out.finish()
        this.blockTable.putSync(number, format.pack === undefined ? bytes : format.pack(bytes))
        blocks.push({ number: number++, count: format.count(one), first: format.first(one) })
      }
    }
    each(old, (info) => blocks.push(info), put)
    if (number > firstFree) this.blockTable.putSync(0, uint32(number))
    if (blocks.length === 0) this.directoryTable.removeSync(list)
    else this.directoryTable.putSync(list, this.encodeDirectory(blocks, version))
  }

  /** Number 0 holds the next number, so that none is given twice, not even after its block is gone. */
  private firstFree(): number {
    const counter = this.blockTable.getBinaryFast(0) as Buffer | undefined
    return counter === undefined ? 1 : counter.readUInt32LE(0)
  }

  private read(list: string, number: number): Block {
    const stored = this.blockTable.getBinary(number) as Buffer | undefined
    if (stored === undefined) throw new Error(`The catalog lacks block ${number}`)
    const { format } = this
    return format.decode(new ByteReader(format.unpack === undefined ? stored : format.unpack(stored)), list)
  }

  private encodeDirectory(blocks: readonly BlockInfo<Place>[], version: number): Buffer {
    const out = this.out.reset()
    out.uint32(version)
    out.varint(blocks.length)
    for (const { number, count, first } of blocks) {
      out.varint(number)
      out.varint(count)
      this.format.encodePlace(out, first)
    }
    return out.finish()
  }

  private decodeDirectory(buffer: Buffer): Directory<Place> {
    const input = new ByteReader(buffer)
    const changedAt = input.uint32()
    const blocks = Array.from({ length: input.varint() }, (): BlockInfo<Place> => {
      const number = input.varint()
      const count = input.varint()
      return { number, count, first: this.format.decodePlace(input) }
    })
    return { changedAt, blocks }
  }
}

const NOTHING: Directory<never> = { changedAt: 0, blocks: [] }

function uint32(value: number): Buffer {
  const buffer = Buffer.allocUnsafe(4)
  buffer.writeUInt32LE(value)
  return buffer
}
