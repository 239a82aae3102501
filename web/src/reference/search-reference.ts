/** Something that can be found in the documentation. */
export interface SearchEntry {
  readonly title: string
  /** What it belongs to. */
  readonly place: string
  readonly href: string
  readonly text: string
}

const MAX_FOUND = 15

/**
 * The entries that have all words, in any case: those whose title begins with the text first, then titles with all words,
 * then the rest.
 */
export function searchReference(entries: readonly SearchEntry[], text: string): SearchEntry[] {
  const phrase = text.trim().toLowerCase()
  const words = phrase.split(/\s+/)
  if (phrase === '') return []
  const ranked = entries.flatMap((entry) => {
    const title = entry.title.toLowerCase()
    const all = `${title} ${entry.text.toLowerCase()}`
    if (!words.every((word) => all.includes(word))) return []
    const rank = title.startsWith(phrase) ? 0 : words.every((word) => title.includes(word)) ? 1 : 2
    return { entry, rank }
  })
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_FOUND)
    .map(({ entry }) => entry)
}
