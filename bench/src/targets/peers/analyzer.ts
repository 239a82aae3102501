/** Normalizes a text: lower case, no accents, no punctuation, single spaces. */
export function normalize(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The distinct normalized words of some texts. */
export function tokenize(...texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => normalize(text).split(' ')))].filter((word) => word !== '')
}

/** The edit distance that is allowed for the length of a query word. */
export function maxEdits(query: string): number {
  return query.length < 4 ? 0 : query.length < 8 ? 1 : 2
}

/** Whether a word is within the edit distance that is allowed for the query word. */
export function isFuzzyMatch(query: string, word: string): boolean {
  const allowed = maxEdits(query)
  return Math.abs(query.length - word.length) <= allowed && editDistance(query, word) <= allowed
}

/** Damerau-Levenshtein distance (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, before[j - 2]! + 1)
      row.push(best)
    }
    before = last
    last = row
  }
  return last[b.length]!
}
