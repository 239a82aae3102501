import { describe, expect, it, vi } from 'vitest'
import {
  createPreferencesCookie,
  guessViewer,
  readPreferences,
  readTimeZone,
  resolveViewer,
  savePreferences,
} from './viewer.ts'

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

const COOKIE = createPreferencesCookie(false)
const LANGUAGES = ['en', 'fr']
const OWN = { host: 'marquee.test', 'sec-fetch-site': 'same-origin' }

/** Sends the form, and the cookie back. */
function saved(query: string) {
  const [, location, , cookie = ''] =
    savePreferences(COOKIE, { url: `/settings?${query}`, headers: OWN }, LANGUAGES) ?? []
  const headers = { cookie: cookie.split(';', 1)[0] as string }
  return { location, cookie, preferences: readPreferences(COOKIE, { headers }, LANGUAGES) }
}

it('saves what the form says, and reads it again', () => {
  const form = 'save=1&country=DE&lang=fr&titles=ja&theme=dark&services=netflix&services=prime&services=netflix'
  const { location, cookie, preferences } = saved(form)
  expect(preferences).toEqual({
    country: 'de',
    language: 'fr',
    titles: 'ja',
    theme: 'dark',
    services: ['netflix', 'prime'],
  })
  expect(location).toBe('/settings?saved=1')
  expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/i)
})

it('leaves out what makes no sense', () => {
  const form = 'save=1&country=deu&lang=xx&titles=toString&theme=pink&services=a%0d%0ab,%3Cb%3E,ok'
  expect(saved(form).preferences).toEqual({ services: ['ok'] })
  expect(saved(`save=1&services=${Array.from({ length: 99 }, (_, i) => `s${i}`)}`).preferences?.services).toHaveLength(
    60,
  )
  expect(readPreferences(COOKIE, { headers: { cookie: 'marquee_preferences=%E0%A4%A' } }, LANGUAGES)?.services).toEqual(
    [],
  )
})

it('remembers that the viewer skipped it, and goes back to the start page', () => {
  const { location, preferences } = saved('save=skip')
  expect(location).toBe('/')
  expect(preferences).toEqual({ services: [] })
  expect(readPreferences(COOKIE, { headers: {} }, LANGUAGES)).toBeUndefined()
})

it('saves nothing for another site, for another page, and without the form', () => {
  const url = '/settings?save=1&country=de'
  expect(
    savePreferences(COOKIE, { url, headers: { ...OWN, 'sec-fetch-site': 'cross-site' } }, LANGUAGES),
  ).toBeUndefined()
  expect(savePreferences(COOKIE, { url, headers: { host: 'marquee.test' } }, LANGUAGES)).toBeUndefined()
  expect(savePreferences(COOKIE, { url: '/browse?save=1', headers: OWN }, LANGUAGES)).toBeUndefined()
  expect(savePreferences(COOKIE, { url: '/settings?country=de', headers: OWN }, LANGUAGES)).toBeUndefined()
})

it('believes a time zone that exists', () => {
  const zone = (text: string) => readTimeZone({ headers: { cookie: `marquee_time_zone=${encodeURIComponent(text)}` } })
  expect(zone('Europe/Berlin')).toBe('Europe/Berlin')
  for (const text of ['', 'Mars/Olympus', '"><b>']) expect(zone(text)).toBeUndefined()
})
