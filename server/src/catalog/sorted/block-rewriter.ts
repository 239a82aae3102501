import type { BlockFormat, BlockInfo } from './block-format.ts'
import type { BlockTable } from './block-table.ts'

/** The most entries of a block. */
const MAX_BLOCK_ENTRIES = 512

/** A block that is split is filled to this part, so that it has room to grow. */
const SPLIT_FILL = 0.7

/** A delta block pays only where it saves the block from being rewritten for at least this many commits. */
const MIN_COMMITS_PER_REWRITE = 4

/** Builds the new directory of a list block by block. Old blocks are replaced by new ones under new numbers. */
export class BlockRewriter<Key, Entry extends Key, Block> {
  /** The blocks of the new directory so far. */
  readonly blocks: BlockInfo<Key>[] = []
  private readonly format: BlockFormat<Key, Entry, Block>
  private readonly table: BlockTable<Key, Entry, Block>
  private readonly list: string
  private readonly firstNumber: number
  private nextNumber: number

  constructor(format: BlockFormat<Key, Entry, Block>, table: BlockTable<Key, Entry, Block>, list: string) {
    this.format = format
    this.table = table
    this.list = list
    this.firstNumber = table.nextNumber()
    this.nextNumber = this.firstNumber
  }

  /** Keeps a block as it is. */
  keep(info: BlockInfo<Key>): void {
    this.blocks.push(info)
  }

  delete({ number, delta }: BlockInfo<Key>): void {
    this.table.delete(number)
    if (delta !== undefined) this.table.delete(delta.number)
  }

  /** Adds and removes entries of a block; few that are only added go into its delta block. */
  update(info: BlockInfo<Key> | undefined, removed: readonly Key[], added: readonly Entry[]): void {
    if (info !== undefined && removed.length === 0 && this.fitsDelta(info, added.length)) this.addToDelta(info, added)
    else this.rewrite(info, removed, added)
  }

  /** Writes a block again (without one: the first), merged with its delta block, and split where it is too large. */
  rewrite(info: BlockInfo<Key> | undefined, removed: readonly Key[], added: readonly Entry[]): void {
    const { format, table, list } = this
    const merged = format.merge(info === undefined ? undefined : table.readMerged(list, info), removed, added)
    if (info !== undefined) this.delete(info)
    const count = format.count(merged)
    const parts = count <= MAX_BLOCK_ENTRIES ? Math.min(count, 1) : Math.ceil(count / (MAX_BLOCK_ENTRIES * SPLIT_FILL))
    for (let part = 0; part < parts; part++) {
      const [start, end] = [Math.floor((part * count) / parts), Math.floor(((part + 1) * count) / parts)]
      const block = parts === 1 ? merged : format.slice(merged, start, end)
      const number = this.nextNumber++
      table.write(list, number, block)
      this.blocks.push({ number, count: end - start, first: format.first(block) })
    }
  }

  /** Saves the number counter. To be called once, at the end. */
  finish(): void {
    if (this.nextNumber > this.firstNumber) this.table.setNextNumber(this.nextNumber)
  }

  private fitsDelta({ delta }: BlockInfo<Key>, added: number): boolean {
    const { maxDeltaEntries } = this.format
    return added <= maxDeltaEntries / MIN_COMMITS_PER_REWRITE && (delta?.count ?? 0) + added <= maxDeltaEntries
  }

  private addToDelta(info: BlockInfo<Key>, added: readonly Entry[]): void {
    const { format, table, list } = this
    const { delta } = info
    const merged = format.merge(delta && table.readDelta(list, delta.number), [], added)
    if (delta !== undefined) table.delete(delta.number)
    const number = this.nextNumber++
    table.writeDelta(list, number, merged)
    const first = format.first(merged)
    this.blocks.push({
      number: info.number,
      count: info.count + added.length,
      first: format.compare(first, info.first) < 0 ? first : info.first,
      delta: { number, count: format.count(merged) },
    })
  }
}
