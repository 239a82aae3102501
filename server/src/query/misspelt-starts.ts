const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')

/**
 * The starts, of so many letters, of the words that a word may be a misspelling of, with one of its first letters wrong: one too
 * many, two swapped, another one, or one missing. The start as it is typed is among them.
 */
export function misspeltStarts(word: string, wrongLetters: number, startLength: number): ReadonlySet<string> {
  const letters = Array.from(word)
  const starts = new Set<string>()
  const add = (start: readonly string[]) => starts.add(start.slice(0, startLength).join(''))
  for (let i = 0; i < wrongLetters; i++) {
    add(letters.toSpliced(i, 1))
    add(letters.toSpliced(i, 2, ...letters.slice(i, i + 2).reverse()))
    for (const other of LETTERS) {
      add(letters.toSpliced(i, 1, other))
      add(letters.toSpliced(i, 0, other))
    }
  }
  return starts
}
