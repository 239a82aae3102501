import { describe, expect, it } from 'vitest'
import { misspeltStarts } from './misspelt-starts.ts'

describe('the starts that a misspelt word may have', () => {
  const title = 'thedarkknightrises'
  const start = title.slice(0, 8)

  it.each([
    ['thledarkknightrises', 'a letter too many'],
    ['htedarkknightrises', 'two letters swapped'],
    ['tjedarkknightrises', 'another letter'],
    ['hedarkknightrises', 'the first letter missing'],
    ['thdarkknightrises', 'a letter missing'],
    ['thearkknightrises', 'the fourth letter missing'],
  ])('%s: %s', (word) => {
    expect(misspeltStarts(word, 4, 8)).toContain(start)
  })

  it('have the start as it is, and are all of one length', () => {
    const starts = [...misspeltStarts(title, 4, 8)]
    expect(starts).toContain(start)
    expect(new Set(starts.map(({ length }) => length))).toEqual(new Set([8]))
  })

  it('have right letters behind the first ones', () => {
    const starts = misspeltStarts('pacino', 2, 3)
    for (const one of ['bac', 'xpa', 'pxc', 'pxa', 'aci', 'apc', 'pci']) expect(starts).toContain(one)
    expect(starts).not.toContain('pax')
  })

  it('have no half of a letter that is two code units', () => {
    for (const start of misspeltStarts('𞤀𞤁𞤂𞤃', 2, 3)) expect(start.isWellFormed()).toBe(true)
  })
})
