import { describe, expect, it } from 'vitest'
import { otherReadings, withoutFirstNumber } from './readings.ts'

const read = (phrase: string) => otherReadings(phrase, phrase.split(' ')).map(({ words }) => words.join(' '))

describe('the number of a first part', () => {
  it.each([
    ['rocky 1', 'rocky'],
    ['shrek one', 'shrek'],
    ['dune part one', 'dune'],
    ['it chapter 1', 'it'],
    ['guardians of the galaxy vol i', 'guardians of the galaxy'],
  ])('is left out: %s', (phrase, title) => {
    expect(withoutFirstNumber(phrase.split(' '))?.join(' ')).toBe(title)
  })

  it.each(['rocky 2', '1', 'part one', 'one piece'])('is not there, or all there is: %s', (phrase) => {
    expect(withoutFirstNumber(phrase.split(' '))).toBeUndefined()
  })
})

describe('words around a title are left out', () => {
  it.each([
    ['the tv show friends', 'friends'],
    ['do you have ratatouille', 'ratatouille'],
    ['horror movie hereditary', 'hereditary'],
    ['blade runner directors cut', 'blade runner'],
    ['luther series 2', 'luther'],
    ['where can i watch the wire season 3 episode 4 online free', 'the wire'],
  ])('%s', (phrase, title) => {
    expect(read(phrase)).toContain(title)
  })
})

describe('kana are read in Latin letters', () => {
  it.each([
    ['ナルト', 'naruto'],
    ['ﾅﾙﾄ', 'naruto'],
    ['ドラゴンボールZ', 'doragonboru z'],
    ['ゴジラ-1.0', 'gojira 1 0'],
    ['スター・ウォーズ', 'suta wozu'],
  ])('with the rest of the phrase: %s', (phrase, reading) => {
    expect(read(phrase)).toContain(reading)
  })

  it('without Han, for which a title in Latin letters has other words', () => {
    expect(read('ナルト 疾風伝').at(-1)).toBe('naruto')
    expect(read('進撃の巨人')).toEqual([])
  })
})
