import { describe, expect, it } from 'vitest'
import { matchName, otherDivisions, TIERS } from './name-match.ts'

const match = (query: string, name: string) => matchName(query.split(' '), name.split(' '))

describe('a name matches', () => {
  it('better the more of it is as it is written', () => {
    expect(match('al pacino', 'al pacino')).toBe(TIERS.same)
    expect(match('pacino al', 'al pacino')).toBe(TIERS.otherOrder)
    expect(match('samuel jackson', 'samuel l jackson')).toBe(TIERS.allWords)
    expect(match('samuel jack', 'samuel l jackson')).toBe(TIERS.unfinished)
    expect(match('sam jackson', 'samuel l jackson')).toBe(TIERS.shortened)
    expect(match('samuel jakson', 'samuel l jackson')).toBe(TIERS.misspelt)
  })

  it('by initials', () => {
    expect(match('a pacino', 'al pacino')).toBe(TIERS.shortened)
    expect(match('p t anderson', 'paul thomas anderson')).toBe(TIERS.shortened)
    expect(match('b pacino', 'al pacino')).toBeUndefined()
    expect(match('alejandro gonzalez inarritu', 'alejandro g inarritu')).toBe(TIERS.mostWords)
  })

  it('without one of three words or more', () => {
    expect(match('robert de niro jr', 'robert de niro')).toBe(TIERS.mostWords)
    expect(match('sir ian mckellen', 'ian mckellen')).toBe(TIERS.mostWords)
    expect(match('mary smith', 'john smith')).toBeUndefined()
    expect(match('paul thomas smith', 'paul thomas anderson')).toBeUndefined()
    expect(match('sir john smith', 'ian mckellen smith')).toBeUndefined()
  })
})

describe('a name in other divisions', () => {
  const known = new Set(['di', 'de', 'niro', 'dicaprio', 'day', 'lewis', 'lew', 'j', 'k'])
  const divide = (name: string) =>
    [...otherDivisions(name.split(' '), (word) => known.has(word))].map((one) => one.join(' '))

  it('has words joined, and split where both parts are known', () => {
    expect(divide('leonardo di caprio')).toContain('leonardo dicaprio')
    expect(divide('deniro')).toEqual(['de niro'])
    expect(divide('daylewis x')).toContain('day lewis x')
  })

  it('may have an unfinished word at the end only', () => {
    expect(divide('deninian')).toEqual(['de ninian'])
    expect(divide('deninian jones')).not.toContain('de ninian jones')
    expect(divide('denin')).toEqual(['de nin'])
    expect(divide('den')).toContain('d e n')
    expect(divide('den')).not.toContain('de n')
  })

  it('has a word in three parts, if the rest behind the first is not known', () => {
    expect(divide('didaylewis')).toContain('di day lewis')
    expect(divide('didaylewisde')).not.toContain('di day lewis de')
  })

  it('has initials apart', () => {
    expect(divide('jk simmons')).toContain('j k simmons')
    expect(divide('grr martin')).toContain('g r r martin')
  })
})
