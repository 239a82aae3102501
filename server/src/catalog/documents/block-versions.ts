import type { MetaStore } from '../storage/meta.ts'

/** The count of documents in a block. */
export const DOCS_PER_BLOCK = 256

/**
 * For each block of documents the catalog version at which one of them was last written. Whoever decodes documents into
 * memory decodes only those blocks again that have changed.
 */
export function readBlockVersions(meta: MetaStore): readonly number[] {
  return meta.get('blockVersions') ?? []
}

/** Sets the version of the blocks that hold the documents. Only within a write transaction. */
export function updateBlockVersions(meta: MetaStore, docs: Iterable<number>, version: number): void {
  const blocks = new Set<number>()
  for (const doc of docs) blocks.add(Math.floor(doc / DOCS_PER_BLOCK))
  if (blocks.size === 0) return
  const versions = [...readBlockVersions(meta)]
  for (const block of blocks) {
    while (versions.length < block) versions.push(0)
    versions[block] = version
  }
  meta.put('blockVersions', versions)
}
