/**
 * Numbered things as a list in which each stands at its number: seasons and episodes are known by their place. Where
 * the numbers are no count but a year, or go on from season to season, the order alone decides.
 */
export function inPlaces<T>(things: readonly T[], numberOf: (thing: T) => number): (T | undefined)[] {
  const sorted = [...things].sort((a, b) => numberOf(a) - numberOf(b))
  const highest = Math.max(0, ...sorted.map(numberOf))
  const lowest = Math.min(...sorted.map(numberOf))
  if (lowest < 1 || highest > things.length * 2 + 2) return sorted
  const places: (T | undefined)[] = Array.from({ length: highest }, () => undefined)
  for (const thing of sorted) places[numberOf(thing) - 1] ??= thing
  return places
}
