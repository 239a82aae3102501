const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** FNV-1a over UTF-16 code units: 32 bits, as keys of LMDB. It can go on from the hash of a text before. */
export function hashText(text: string, before = FNV_OFFSET): number {
  let hash = before
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME)
  return hash >>> 0
}
