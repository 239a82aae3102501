import { describe, expect, it } from 'vitest'
import { fold, titleVariants, tokenize } from './analyzer.ts'

describe('fold', () => {
  it('removes case and accents', () => {
    expect(fold('Amélie')).toBe('amelie')
    expect(fold('ÇALIKUŞU')).toBe('calikusu')
    expect(fold('İstanbul')).toBe('istanbul')
    expect(fold('ılık')).toBe('ilik')
    expect(fold('Straße')).toBe('strasse')
  })

  it('folds a Latin letter the same way with and without non-Latin neighbours', () => {
    const letters = Array.from({ length: 0x250 - 0xa0 }, (_, i) => String.fromCharCode(0xa0 + i))
    for (const letter of letters) expect(fold(`${letter}я`), letter).toBe(`${fold(letter)}я`)
    expect(fold(`${letters.join('')}я`)).toBe(`${fold(letters.join(''))}я`)
  })

  it('keeps Hangul syllables composed', () => {
    expect(fold('기생충')).toBe('기생충')
  })
})

describe('tokenize', () => {
  it('splits at everything but letters and digits', () => {
    expect(tokenize("The Queen's Gambit: 2nd")).toEqual(['the', 'queen', 's', 'gambit', '2nd'])
  })

  it('splits ASCII text the same way as other text', () => {
    const ascii = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)).join('a')
    expect(tokenize(`${ascii} я`)).toEqual([...tokenize(ascii), 'я'])
  })

  it('makes each character of a script without spaces a token', () => {
    expect(tokenize('千と千尋 A')).toEqual(['千', 'と', '千', '尋', 'a'])
  })
})

describe('titleVariants', () => {
  it('replaces punctuation by a space, and removes it', () => {
    expect(titleVariants('Spider-Man')).toEqual(['spider man', 'spiderman'])
    expect(titleVariants('The Godfather')).toEqual(['the godfather'])
  })

  it('keeps a title of punctuation only', () => {
    expect(titleVariants('…!')).toEqual(['...!'])
    expect(titleVariants('   ')).toEqual([])
  })
})
