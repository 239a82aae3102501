import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anOption, aService, aSnapshot, DAY, NOW } from '../../../test/support/builders.ts'
import { anyImageSet, anyUrl } from '../../../test/support/image-sets.ts'
import { aTestService } from '../../../test/support/test-service.ts'
import { normalizeAudios, normalizeSubtitles } from '../../model/language.ts'
import {
  formatPrice,
  isRepeated,
  isSameOffer,
  OFFER_TYPES,
  type Offer,
  type OffersByCountry,
  QUALITIES,
} from '../../model/offer.ts'
import type { Granularity, Show } from '../../model/show.ts'
import { CatalogStateReader } from '../catalog-state.ts'
import type { RenderOptions } from '../render-options.ts'
import { createUncachedPrinter } from './show-printer.ts'

const service = await aTestService(
  aSnapshot(aService('netflix', { name: 'Netflix' }), aService('prime', { name: 'Prime' })),
)
const { catalog } = service.ledger
const { reference } = new CatalogStateReader(catalog).get()
const printer = createUncachedPrinter(catalog)

/** Texts in every script, that JSON escapes, and empty ones. */
const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constantFrom('', '"quoted"\\', 'a'.repeat(600)))

const locale = fc.constantFrom({ language: 'eng' }, { language: 'spa', region: '419' }, { language: 'jpn' })
const instant = fc.oneof(fc.integer({ min: NOW - 90 * DAY, max: NOW + 90 * DAY }), fc.constantFrom(0, 253_368_063_900))
const offer = fc.record(
  {
    source: fc.constantFrom('a', 'b'),
    service: fc.constantFrom('netflix', 'prime', 'unknown'),
    type: fc.constantFrom(...OFFER_TYPES),
    addon: fc.constantFrom('x', 'apple.addon.1'),
    link: anyUrl,
    videoLink: anyUrl,
    quality: fc.constantFrom(...QUALITIES),
    audios: fc.array(locale, { maxLength: 3 }).map(normalizeAudios),
    subtitles: fc.array(fc.record({ closedCaptions: fc.boolean(), locale }), { maxLength: 3 }).map(normalizeSubtitles),
    price: fc.constantFrom({ amount: '2.99', currency: 'EUR' }, { amount: '14', currency: 'JPY' }),
    startsOn: fc.oneof(instant, fc.constant('unknown' as const)),
    expiresOn: instant,
    imminent: fc.constant(true as const),
    availableSince: instant,
  },
  { requiredKeys: ['source', 'service', 'type', 'link', 'audios', 'subtitles', 'availableSince'] },
) as fc.Arbitrary<Offer>
const offers: fc.Arbitrary<OffersByCountry> = fc
  .record(
    {
      de: fc.array(offer, { maxLength: 4, minLength: 1 }),
      fr: fc.array(offer, { maxLength: 2, minLength: 1 }),
      us: fc.array(offer, { maxLength: 3, minLength: 1 }),
    },
    { requiredKeys: [] },
  )
  .map((byCountry) => byCountry as OffersByCountry)

const year = fc.integer({ min: 1900, max: 2030 })
const episode = fc.record(
  { title: text, overview: text, airYear: year, offers },
  { requiredKeys: ['title', 'airYear', 'offers'] },
)
const season = fc.record(
  { title: text, firstAirYear: year, lastAirYear: year, offers, episodes: fc.array(episode, { maxLength: 3 }) },
  { requiredKeys: ['title', 'firstAirYear', 'lastAirYear', 'offers'] },
)
const translation = fc.record(
  { title: text, overview: text, imageSet: anyImageSet },
  { requiredKeys: ['title', 'overview'] },
)
const details = {
  title: text,
  overview: text,
  imageSet: anyImageSet,
  originalTitle: text,
  originalLanguage: fc.constantFrom('en', 'fr', 'ja'),
  translations: fc.record({ de: translation, fr: translation, ja: translation }, { requiredKeys: [] }),
  year,
  genres: fc.uniqueArray(fc.constantFrom('drama', 'crime', 'no-such-genre')),
  cast: fc.array(text, { maxLength: 3 }),
  rating: fc.nat(100),
  offers,
}
const required = [
  'title',
  'overview',
  'imageSet',
  'originalTitle',
  'translations',
  'genres',
  'cast',
  'rating',
  'offers',
] as const
const movie = fc.record(
  {
    ...details,
    showType: fc.constant('movie' as const),
    directors: fc.array(text, { maxLength: 2 }),
    runtime: fc.nat(300),
  },
  { requiredKeys: [...required, 'showType'] },
)
const series = fc.record(
  {
    ...details,
    showType: fc.constant('series' as const),
    lastAirYear: year,
    creators: fc.array(text, { maxLength: 2 }),
    seasonCount: fc.nat(20),
    episodeCount: fc.nat(500),
    seasons: fc.array(season, { maxLength: 3 }),
  },
  { requiredKeys: [...required, 'showType'] },
)
const show = fc
  .oneof(movie, series)
  .map((fields) => ({ imdbId: '', tmdbId: '', ratings: {}, popularity: {}, ...fields }) as unknown as Omit<Show, 'id'>)

const request = fc.record({
  countries: fc.oneof(fc.subarray(['de', 'fr', 'us', 'xx']), fc.constant(undefined)),
  language: fc.constantFrom('en', 'de', 'fr', 'ja'),
  granularity: fc.constantFrom<Granularity[]>('show', 'season', 'episode'),
}) as fc.Arbitrary<Pick<RenderOptions, 'countries' | 'language' | 'granularity'>>

type Request = Pick<RenderOptions, 'countries' | 'language' | 'granularity'>

const SOON_SECONDS = 31 * DAY

/** The options of an item as the contract has them, from the model. */
function optionsOf(byCountry: OffersByCountry, { countries, language }: Request): object {
  const printed = Object.keys(byCountry)
    .sort()
    .filter((country) => countries?.includes(country) !== false)
    .map((country) => {
      const all = byCountry[country] as readonly Offer[]
      const live = all.filter((one, i) => one.startsOn === undefined && !isRepeated(all, i, isPrintedAlike))
      return [country, live.map((one) => optionOf(one, country, language))] as const
    })
  return Object.fromEntries(printed.filter(([, options]) => options.length > 0))
}

function isPrintedAlike(a: Offer, b: Offer): boolean {
  return a.availableSince === b.availableSince && isSameOffer(a, b)
}

function optionOf(one: Offer, country: string, language: RenderOptions['language']): object {
  const { price, expiresOn } = one
  const addon = one.addon === undefined ? undefined : reference.addon(one.addon, one.service, country, language)
  return {
    service: JSON.parse(reference.service(one.service, country, language).toString()),
    type: one.type,
    ...(addon !== undefined && { addon: JSON.parse(addon.toString()) }),
    link: one.link,
    ...(one.videoLink !== undefined && { videoLink: one.videoLink }),
    ...(one.quality !== undefined && { quality: one.quality }),
    audios: one.audios,
    subtitles: one.subtitles,
    ...(price !== undefined && { price: { ...price, formatted: formatPrice(price) } }),
    expiresSoon: one.imminent === true || (expiresOn !== undefined && NOW >= expiresOn - SOON_SECONDS),
    ...(expiresOn !== undefined && { expiresOn }),
    availableSince: one.availableSince,
  }
}

/** A show as the contract has it, from the model. */
function print(whole: Show, request: Request): string {
  const { language, granularity } = request
  const own = language === 'en' ? undefined : whole.translations[language]
  const original = whole.translations[whole.originalLanguage ?? '']
  const overview = own?.overview || whole.overview || original?.overview || ''
  const { id, imdbId, tmdbId, originalTitle, directors, creators, cast, rating } = whole
  const isMovie = whole.showType === 'movie'
  const seasons = whole.seasons?.map((one) => ({
    itemType: 'season',
    ...{ title: one.title, firstAirYear: one.firstAirYear, lastAirYear: one.lastAirYear },
    streamingOptions: optionsOf(one.offers, request),
    ...(granularity === 'episode' &&
      one.episodes !== undefined && {
        episodes: one.episodes.map((part) => ({
          ...{ itemType: 'episode', title: part.title, overview: part.overview, airYear: part.airYear },
          streamingOptions: optionsOf(part.offers, request),
        })),
      }),
  }))
  return JSON.stringify({
    ...{ itemType: 'show', showType: whole.showType, id, imdbId, tmdbId, title: own?.title ?? whole.title, overview },
    ...(isMovie ? { releaseYear: whole.year } : { firstAirYear: whole.year, lastAirYear: whole.lastAirYear }),
    originalTitle,
    genres: whole.genres.map((genre) => JSON.parse(reference.genre(genre, language))),
    ...(isMovie ? { directors } : { creators }),
    cast,
    rating,
    ...(isMovie ? { runtime: whole.runtime } : { seasonCount: whole.seasonCount, episodeCount: whole.episodeCount }),
    imageSet: own?.imageSet ?? whole.imageSet,
    streamingOptions: optionsOf(whole.offers, request),
    ...(!isMovie && granularity !== 'show' && { seasons: seasons ?? [] }),
  })
}

let nextDoc = 0

/** Stores a show in a document of its own. */
function store(fields: Omit<Show, 'id'>): { readonly doc: number; readonly stored: Show } {
  const doc = nextDoc++
  const stored = { ...fields, id: String(doc + 1) }
  catalog.environment.root.transactionSync(() => catalog.documents.put(doc, undefined, stored))
  return { doc, stored }
}

/** Prints a document, seasons in slices of about a size. */
function printDoc(doc: number, request: Request, sliceBytes: number): string {
  printer.setOptions({ ...request, now: NOW, reference })
  printer.truncate(0)
  let printed = ''
  for (let isWhole = printer.beginShow(doc); ; isWhole = printer.printSeasons(sliceBytes)) {
    printed += printer.view().toString()
    if (isWhole === true) return printed
    printer.truncate(0)
  }
}

it('prints any show in any language, for any countries, as the contract has it', () => {
  fc.assert(
    fc.property(
      show,
      fc.array(request, { minLength: 1, maxLength: 4 }),
      fc.nat(400),
      (fields, requests, sliceBytes) => {
        const { doc, stored } = store(fields)
        for (const request of requests) expect(printDoc(doc, request, sliceBytes)).toBe(print(stored, request))
      },
    ),
    { numRuns: 300 },
  )
})

it('tells until when what it printed is valid: the first instant at which an offer expires soon', () => {
  const at = (expiresOn: number) => ({ ...(anOption() as object), source: 'a', expiresOn }) as unknown as Offer
  const [example] = fc.sample(movie, { numRuns: 1, seed: 1 })
  const { doc } = store({
    ...{ imdbId: '', tmdbId: '', ratings: {}, popularity: {}, ...example },
    offers: { de: [at(NOW + 50 * DAY)], us: [at(NOW + 20 * DAY), at(NOW + 40 * DAY)] },
  } as unknown as Omit<Show, 'id'>)
  const validUntil = (countries: readonly string[]) => {
    printDoc(doc, { countries, language: 'en', granularity: 'show' }, 0)
    return printer.validUntil
  }
  expect(validUntil(['de'])).toBe(NOW + 19 * DAY)
  expect(validUntil(['us'])).toBe(NOW + 9 * DAY)
  expect(validUntil(['de', 'us'])).toBe(NOW + 9 * DAY)
  expect(validUntil(['fr'])).toBe(Number.POSITIVE_INFINITY)
})

it('loads the texts that shows share once, and again when the dictionary may have others', () => {
  const [example] = fc.sample(show, { numRuns: 1, seed: 2 })
  const { doc, stored } = store({ ...example, genres: ['drama'] } as Omit<Show, 'id'>)
  const request = { countries: undefined, language: 'en', granularity: 'episode' } as const
  const expected = print(stored, request)
  expect(printDoc(doc, request, 0)).toBe(expected)
  const loaded = printer.strings.misses
  expect(printDoc(doc, request, 0)).toBe(expected)
  expect(printer.strings.misses).toBe(loaded)
  catalog.dictionary.invalidate()
  expect(printDoc(doc, request, 0)).toBe(expected)
  expect(printer.strings.misses).toBeGreaterThan(loaded)
})
