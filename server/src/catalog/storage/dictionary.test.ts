import { join } from 'node:path'
import { open } from 'lmdb'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { Dictionary } from './dictionary.ts'

function createDictionary() {
  const root = open({ path: join(temporaryFolder(), 'dictionary'), encoding: 'binary' })
  const dictionary = new Dictionary(
    root.openDB('numbers', { encoding: 'ordered-binary' }),
    root.openDB('texts', { encoding: 'json', keyEncoding: 'uint32' }),
  )
  const write = <T>(work: () => T): T => root.transactionSync(work)
  const stats = () =>
    dictionary
      .caches()
      .find((cache) => cache.stats().name === 'dictionary_entries')
      ?.stats()
  return { dictionary, write, stats }
}

it('gives a text one number, and finds it in every form', () => {
  const { dictionary, write } = createDictionary()
  const [first, again, other] = write(() => [
    dictionary.intern('["en"]'),
    dictionary.internJson(['en']),
    dictionary.intern('netflix'),
  ])
  expect(again).toBe(first)
  expect(other).not.toBe(first)
  expect(dictionary.text(other)).toBe('netflix')
  expect(dictionary.utf8(other).toString()).toBe('netflix')
  expect(dictionary.json(first)).toEqual(['en'])
  expect(dictionary.json(first)).toBe(dictionary.json(first))
})

it('keeps the first text of a name', () => {
  const { dictionary, write } = createDictionary()
  const [first, second] = write(() => [
    dictionary.internNamed('link us netflix', 'https://a.example/1'),
    dictionary.internNamed('link us netflix', 'https://a.example/2'),
  ])
  expect(second).toBe(first)
  expect(dictionary.text(first)).toBe('https://a.example/1')
})

it('keeps no more entries in memory than its limit, and still finds the others', () => {
  const { dictionary, write, stats } = createDictionary()
  const long = (i: number) => `${i} ${'x'.repeat(100_000)}`
  const numbers = write(() => Array.from({ length: 100 }, (_, i) => dictionary.intern(long(i))))
  for (const [i, number] of numbers.entries()) expect(dictionary.text(number)).toBe(long(i))
  for (const [i, number] of numbers.entries()) expect(dictionary.text(number)).toBe(long(i))
  expect(stats()?.bytes).toBeLessThanOrEqual(stats()?.maxBytes as number)
  expect(stats()?.evictions).toBeGreaterThan(0)
})
