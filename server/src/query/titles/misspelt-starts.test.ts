import { describe, expect, it } from 'vitest'
import { misspeltStarts } from './misspelt-starts.ts'

describe('the starts that a misspelt title may have', () => {
  const title = 'thedarkknightrises'
  const start = title.slice(0, 8)

  it.each([
    ['thledarkknightrises', 'a letter too many'],
    ['htedarkknightrises', 'two letters swapped'],
    ['tjedarkknightrises', 'another letter'],
    ['hedarkknightrises', 'the first letter missing'],
    ['thdarkknightrises', 'a letter missing'],
    ['thearkknightrises', 'the fourth letter missing'],
  ])('%s: %s', (key) => {
    expect(misspeltStarts(key)).toContain(start)
  })

  it('do not have the start as it is, and are all of one length', () => {
    const starts = [...misspeltStarts(title)]
    expect(starts).not.toContain(start)
    expect(new Set(starts.map(({ length }) => length))).toEqual(new Set([8]))
  })

  it('are not looked for in short keys, very long ones, and other scripts', () => {
    for (const key of ['darkkn', 'a'.repeat(65), '千と千尋の神隠し千と千尋']) expect(misspeltStarts(key).size).toBe(0)
  })
})
