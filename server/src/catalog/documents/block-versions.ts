import type { MetaStore } from '../storage/meta.ts'

/** The count of documents in a block. */
export const DOCS_PER_BLOCK = 256

/**
 * For each block of documents the catalog version at which one of them was last written. Whoever decodes documents into
 * memory decodes only those blocks again that have changed. Catalogs of older programs do not have the list.
 */
export class BlockVersions {
  private readonly versions: readonly number[]
  private readonly fallback: number

  /** @param version the catalog version; that of all blocks where the catalog does not have the list */
  constructor(meta: MetaStore, version: number) {
    const stored = meta.get('blockVersions')
    this.versions = stored ?? []
    this.fallback = stored === undefined ? version : 0
  }

  get(block: number): number {
    return this.versions[block] ?? this.fallback
  }
}

/** Sets the version of the blocks that hold the documents. Only within a write transaction. */
export function updateBlockVersions(meta: MetaStore, docs: Iterable<number>, version: number): void {
  const blocks = new Set<number>()
  for (const doc of docs) blocks.add(Math.floor(doc / DOCS_PER_BLOCK))
  if (blocks.size === 0) return
  const versions = [...(meta.get('blockVersions') ?? [])]
  for (const block of blocks) {
    while (versions.length < block) versions.push(0)
    versions[block] = version
  }
  meta.put('blockVersions', versions)
}
