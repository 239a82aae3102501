/** A text as it is compared: without case, accents and punctuation, one space between words. */
export function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The different words of some texts. */
export function wordsOf(...texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => plain(text).split(' ')))].filter((word) => word !== '')
}

/** Whether two words are the same but for as many typing errors as their length allows. */
export function alike(asked: string, word: string): boolean {
  const allowed = asked.length < 4 ? 0 : asked.length < 8 ? 1 : 2
  return Math.abs(asked.length - word.length) <= allowed && editDistance(asked, word) <= allowed
}

/** Letters to add, drop, change or swap with the next to get from one word to the other. */
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
