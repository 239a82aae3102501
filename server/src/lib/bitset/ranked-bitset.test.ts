import { expect, it } from 'vitest'
import { Random } from '../../demo/random.ts'
import { addNumbers, wordCount } from './bitset.ts'
import { RankedBitset } from './ranked-bitset.ts'

it('tells the place of each number in ascending order, and its neighbours', () => {
  const random = new Random(3)
  for (const [limit, chance] of [
    [1, 1],
    [32, 0.5],
    [33, 0.9],
    [5_000, 0.02],
    [5_000, 0.5],
    [5_000, 1],
  ] as const) {
    const numbers = Array.from({ length: limit }, (_, number) => number).filter(() => random.chance(chance))
    const set = new RankedBitset(limit)
    for (const number of numbers.toReversed()) set.add(number)
    set.count()
    const places = new Map(numbers.map((number, place) => [number, place]))
    for (let number = 0; number < limit + 40; number++) expect(set.placeOf(number)).toBe(places.get(number) ?? -1)
    expect(set.size).toBe(numbers.length)
    for (let number = 0; number < limit; number += 7) {
      const upTo = numbers.filter((other) => other <= number)
      expect(set.countUpTo(number)).toBe(upTo.length)
      expect(set.highestUpTo(number)).toBe(upTo.at(-1) ?? -1)
      expect(set.lowestFrom(number)).toBe(numbers.find((other) => other >= number))
    }
    expect(set.lowestFrom(limit)).toBeUndefined()
  }
})

it('counts again after more were added', () => {
  const set = new RankedBitset(100)
  set.add(70)
  set.count()
  set.add(3)
  set.count()
  expect([set.placeOf(3), set.placeOf(70)]).toEqual([0, 1])
})

it('visits the numbers that another set has, with their places', () => {
  const set = new RankedBitset(200)
  for (const number of [0, 3, 31, 32, 64, 190]) set.add(number)
  set.count()
  const others = new Uint32Array(wordCount(100))
  addNumbers(others, Uint32Array.of(1, 3, 31, 33, 64, 99))
  const visited: number[][] = []
  set.forEachIn(others, (number, place) => visited.push([number, place]))
  expect(visited).toEqual([
    [3, 1],
    [31, 2],
    [64, 4],
  ])
})
