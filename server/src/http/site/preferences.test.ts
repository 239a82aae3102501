import { expect, it } from 'vitest'
import { createPreferencesCookie, readPreferences, readTimeZone, savePreferences } from './preferences.ts'

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
