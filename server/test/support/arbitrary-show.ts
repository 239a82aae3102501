import fc from 'fast-check'
import { type Locale, normalizeAudios, normalizeSubtitles } from '../../src/model/language.ts'
import { OFFER_TYPES, type Offer, QUALITIES } from '../../src/model/offer.ts'
import { averageRating, type Season, type Show } from '../../src/model/show.ts'
import { anImageSet, NOW } from './builders.ts'

/** Plain objects without the members that are undefined, as the model has them. */
function present<T extends object>(object: T): T {
  return JSON.parse(JSON.stringify(object)) as T
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const year = fc.integer({ min: 0, max: 2030 })

const locale: fc.Arbitrary<Locale> = fc
  .record({ language: fc.constantFrom('eng', 'spa', 'tur'), region: maybe(fc.constantFrom('419', 'USA')) })
  .map((locale) => present(locale) as Locale)

/** An offer of one of two sources, live or announced. */
export const anyOffer: fc.Arbitrary<Offer> = fc
  .record({
    source: fc.constantFrom('one', 'two'),
    service: fc.constantFrom('netflix', 'prime'),
    type: fc.constantFrom(...OFFER_TYPES),
    link: fc.webUrl(),
    videoLink: maybe(fc.webUrl()),
    quality: maybe(fc.constantFrom(...QUALITIES)),
    audios: fc.array(locale, { maxLength: 3 }).map(normalizeAudios),
    subtitles: fc.array(fc.record({ closedCaptions: fc.boolean(), locale }), { maxLength: 3 }).map(normalizeSubtitles),
    price: maybe(fc.constantFrom({ amount: '2.99', currency: 'USD' }, { amount: '3.99', currency: 'EUR' })),
    startsOn: maybe(fc.constantFrom('unknown' as const, NOW + 1_000, NOW + 100_000)),
    expiresOn: maybe(fc.constantFrom(NOW + 200_000, NOW + 10_000_000, 253_368_063_900)),
    imminent: maybe(fc.constant(true as const)),
    availableSince: fc.integer({ min: 0, max: NOW }),
  })
  .map((offer) =>
    present({
      ...offer,
      addon: offer.type === 'addon' ? 'starz' : undefined,
      price: offer.type === 'rent' || offer.type === 'buy' ? offer.price : undefined,
      imminent: offer.expiresOn === undefined ? offer.imminent : undefined,
    } as Offer),
  )

const offers = fc
  .record({ us: fc.array(anyOffer, { maxLength: 3 }), gb: fc.array(anyOffer, { maxLength: 2 }) })
  .map((byCountry) => Object.fromEntries(Object.entries(byCountry).filter(([, list]) => list.length > 0)))

const season: fc.Arbitrary<Season> = fc
  .record({
    title: text,
    firstAirYear: year,
    lastAirYear: year,
    offers,
    episodes: maybe(
      fc.array(fc.record({ title: text, overview: maybe(text), airYear: year, offers }).map(present), { maxLength: 3 }),
    ),
  })
  .map((season) => present(season) as Season)

const popularity = fc.record({ alltime: fc.nat(100), '1week': fc.nat(100) })

/** A show of the given id with every field that can be there sometimes there. */
export function anyShow(id: string): fc.Arbitrary<Show> {
  return fc
    .record({
      showType: fc.constantFrom('movie' as const, 'series' as const),
      title: text,
      overview: text,
      originalTitle: text,
      originalLanguage: maybe(fc.constantFrom('en', 'tr', 'ja')),
      translations: fc.dictionary(fc.constantFrom('es', 'fr', 'tr'), fc.record({ title: text, overview: text })),
      aliases: maybe(
        fc.uniqueArray(
          text.filter((alias) => alias.trim() === alias && alias !== ''),
          { minLength: 1, maxLength: 2 },
        ),
      ),
      year: maybe(year),
      genres: fc.uniqueArray(fc.constantFrom('drama', 'comedy', 'crime')),
      people: maybe(fc.array(text, { maxLength: 2 })),
      cast: fc.array(text, { maxLength: 3 }),
      ratings: fc.dictionary(fc.constantFrom('a', 'b'), fc.integer({ min: 1, max: 100 })),
      count: maybe(fc.nat(200)),
      popularity: fc.dictionary(fc.constantFrom('us', 'gb'), popularity),
      offers,
      seasons: maybe(fc.array(season, { maxLength: 3 })),
    })
    .map(({ people, count, seasons, ...show }) => {
      const movie = show.showType === 'movie'
      return present({
        id,
        imdbId: `tt${id}`,
        tmdbId: `${movie ? 'movie' : 'tv'}/${id}`,
        imageSet: anImageSet(id),
        ...show,
        rating: averageRating(show.ratings),
        lastAirYear: movie ? undefined : show.year,
        ...(movie
          ? { directors: people, runtime: count }
          : { creators: people, seasonCount: count, episodeCount: count }),
        seasons: movie ? undefined : seasons,
      } as unknown as Show)
    })
}
