import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { ExternalSort, MAX_GROUP_LENGTH, ScratchFolder, type SortEntry } from './external-sort.ts'

describe('ExternalSort', () => {
  const scratch = new ScratchFolder()
  afterEach(() => scratch.remove())

  const sorted = (entries: readonly SortEntry[], runSize: number) => {
    const sort = new ExternalSort(scratch, runSize)
    for (const { key, text } of entries) sort.add(key, text)
    return [...sort.sorted()]
  }

  it('is a stable sort by key, with runs of any size', () => {
    const key = fc.constantFrom('a', 'b', 'ä', 'zz', '語')
    const entries = fc.array(fc.record({ key, text: fc.string({ unit: fc.constantFrom('x', 'é', '\t', '"') }) }))
    fc.assert(
      fc.property(entries, fc.constantFrom(1, 150, 500, 1 << 20), (all, runSize) => {
        const expected = [...all].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
        expect(sorted(all, runSize)).toEqual(expected)
      }),
    )
  })

  it('can be read several times, also after a read was abandoned', () => {
    const sort = new ExternalSort(scratch, 300)
    for (let i = 0; i < 100; i++) sort.add(String(i % 10), `text ${i}`)
    for (const _ of sort.sorted()) break
    expect([...sort.groups()].map(({ key, texts }) => [key, texts.length])).toEqual(
      Array.from({ length: 10 }, (_, i) => [String(i), 10]),
    )
    expect([...sort.sorted()]).toHaveLength(100)
  })

  it('drops the texts of a group that is too large, and returns its size', () => {
    const sort = new ExternalSort(scratch)
    const text = 'x'.repeat(1 << 20)
    for (let i = 0; i < 70; i++) sort.add('one', text)
    sort.add('two', 'y')
    const [one, two] = [...sort.groups()]
    expect(one?.size).toBe(70 << 20)
    expect((one?.texts.length ?? 0) << 20).toBeLessThanOrEqual(MAX_GROUP_LENGTH)
    expect(two).toEqual({ key: 'two', texts: ['y'], size: 1 })
  })
})
