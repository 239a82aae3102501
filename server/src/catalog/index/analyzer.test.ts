import { describe, expect, it } from 'vitest'
import { fold, titleVariants, tokenize } from './analyzer.ts'

describe('fold', () => {
  it('takes away case and accents', () => {
    expect(fold('Amélie')).toBe('amelie')
    expect(fold('ÇALIKUŞU')).toBe('calikusu')
    expect(fold('İstanbul')).toBe('istanbul')
    expect(fold('ılık')).toBe('ilik')
    expect(fold('Straße')).toBe('strasse')
  })

  it('folds a letter alone as it does beside others that are not Latin', () => {
    const letters = Array.from({ length: 0x250 - 0xa0 }, (_, i) => String.fromCharCode(0xa0 + i))
    for (const letter of letters) expect(fold(`${letter}я`), letter).toBe(`${fold(letter)}я`)
    expect(fold(`${letters.join('')}я`)).toBe(`${fold(letters.join(''))}я`)
  })

  it('keeps syllables of Hangul whole', () => {
    expect(fold('기생충')).toBe('기생충')
  })
})

describe('wordsOf', () => {
  it('splits at anything that is no letter or digit', () => {
    expect(tokenize("The Queen's Gambit: 2nd")).toEqual(['the', 'queen', 's', 'gambit', '2nd'])
  })

  it('splits plain text as it does text with other letters beside it', () => {
    const ascii = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)).join('a')
    expect(tokenize(`${ascii} я`)).toEqual([...tokenize(ascii), 'я'])
  })

  it('takes each letter of a script without spaces as a word', () => {
    expect(tokenize('千と千尋 A')).toEqual(['千', 'と', '千', '尋', 'a'])
  })
})

describe('titleForms', () => {
  it('holds punctuation as a space and as nothing', () => {
    expect(titleVariants('Spider-Man')).toEqual(['spider man', 'spiderman'])
    expect(titleVariants('The Godfather')).toEqual(['the godfather'])
  })

  it('lets a title of punctuation stand for itself', () => {
    expect(titleVariants('…!')).toEqual(['...!'])
    expect(titleVariants('   ')).toEqual([])
  })
})
