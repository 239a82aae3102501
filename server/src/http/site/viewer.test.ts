import { describe, expect, it, vi } from 'vitest'
import { guessViewer, resolveViewer } from './viewer.ts'

const CHOICES = { countries: ['de', 'gb', 'us'], languages: ['en', 'es', 'fr', 'tr'] }

describe('the guess by the languages of a browser', () => {
  it.each([
    ['en-GB,en;q=0.9', 'gb', 'en'],
    ['en', 'us', 'en'],
    ['de-AT,de;q=0.9,tr;q=0.8', 'de', 'tr'],
    ['fr;q=0.2, en-GB;q=0.7', 'gb', 'en'],
    ['tr-TR', 'us', 'tr'],
    ['zh-Hant-TW, *;q=0.5', 'us', 'en'],
    ['*', 'us', 'en'],
    [';;q=,,--', 'us', 'en'],
    [undefined, 'us', 'en'],
  ])('takes %s for %s and %s', (accepted, country, language) => {
    expect(guessViewer(accepted, CHOICES)).toEqual({ country, language })
  })

  it('looks at no tag that is longer than one can be', () => {
    const long = ['en', 'x'.repeat(8_000), `en-${'a1-'.repeat(2_000)}a1`, 'de-AT'].join()
    const tags: string[] = []
    class RecordingLocale extends Intl.Locale {
      constructor(tag: string) {
        super(tag)
        tags.push(tag)
      }
    }
    const spy = vi.spyOn(Intl, 'Locale').mockImplementation(RecordingLocale as never)
    expect(guessViewer(long, CHOICES)).toEqual({ country: 'us', language: 'en' })
    spy.mockRestore()
    expect(tags).toEqual(['en', 'de-AT'])
  })

  it('is the first country of the catalog where nothing fits, and any country while it is empty', () => {
    expect(guessViewer('tr', { ...CHOICES, countries: ['de', 'gb'] }).country).toBe('de')
    expect(guessViewer('tr', { ...CHOICES, countries: [] }).country).toBe('tr')
    expect(guessViewer(undefined, { ...CHOICES, countries: [] }).country).toBe('us')
  })
})

it('is overruled by the address, as far as that makes sense', () => {
  const guess = { country: 'gb', language: 'en' }
  expect(resolveViewer('/?country=US&lang=tr', guess, CHOICES)).toEqual({ country: 'us', language: 'tr' })
  expect(resolveViewer('/browse?country=zz', guess, CHOICES)).toEqual({ country: 'zz', language: 'en' })
  expect(resolveViewer('/?country=usa&lang=toString', guess, CHOICES)).toEqual(guess)
  expect(resolveViewer('/', guess, CHOICES)).toEqual(guess)
})
