/** The known name that takes the fewest edits to reach, the first of those that are equally near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  // Beyond this length nothing is a typing error, and the table would only cost time.
  const compared = name.slice(0, 40)
  let nearest: string | undefined
  let least = Infinity
  for (const candidate of known) {
    const distance = editDistance(compared, candidate)
    if (distance < least) {
      least = distance
      nearest = candidate
    }
  }
  return nearest
}

/** Insertions, deletions and replacements of single letters that turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = above[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, above[column]! + 1, current[column - 1]! + 1))
    }
    above = current
  }
  return above[b.length] as number
}
