/** Builders of native feed records: valid by default, with fields that a test overrides. */

type Json = Record<string, unknown>

export const NOW = Date.UTC(2026, 2, 15, 12) / 1000
export const DAY = 86_400

const widths = (names: readonly string[], url: string) => Object.fromEntries(names.map((w) => [w, `${url}/${w}.jpg`]))

/** An image set with all four kinds. */
export function anImageSet(name = 'show'): Json {
  const vertical = ['w240', 'w360', 'w480', 'w600', 'w720']
  const horizontal = ['w360', 'w480', 'w720', 'w1080', 'w1440']
  const url = `https://images.test/${name}`
  return {
    verticalPoster: widths(vertical, `${url}/vp`),
    horizontalPoster: widths(horizontal, `${url}/hp`),
    verticalBackdrop: widths(vertical, `${url}/vb`),
    horizontalBackdrop: widths(horizontal, `${url}/hb`),
  }
}

export function aLogoSet(name: string): Json {
  return {
    lightThemeImage: `https://images.test/${name}/light.svg`,
    darkThemeImage: `https://images.test/${name}/dark.svg`,
    whiteImage: `https://images.test/${name}/white.svg`,
  }
}

/** A subscription on Netflix that has been there for ten days. */
export function anOption(fields: Json = {}): Json {
  return {
    service: 'netflix',
    type: 'subscription',
    link: 'https://netflix.test/title/1',
    quality: 'hd',
    audios: [{ language: 'eng' }],
    subtitles: [{ closedCaptions: false, locale: { language: 'eng' } }],
    expiresSoon: false,
    availableSince: NOW - 10 * DAY,
    ...fields,
  }
}

let nextId = 1_000

/** A movie on Netflix in the United States. */
export function aMovie(fields: Json = {}): Json {
  const id = String(fields.id ?? nextId++)
  return {
    kind: 'show',
    itemType: 'show',
    showType: 'movie',
    id,
    imdbId: `tt${id.padStart(7, '0')}`,
    tmdbId: `movie/${id}`,
    title: `Movie ${id}`,
    overview: `What happens in movie ${id}.`,
    releaseYear: 2001,
    originalTitle: `Movie ${id}`,
    genres: ['drama'],
    directors: ['Ada Director'],
    cast: ['Ben Actor', 'Cleo Actor'],
    rating: 70,
    runtime: 100,
    imageSet: anImageSet(id),
    streamingOptions: { us: [anOption({ link: `https://netflix.test/title/${id}` })] },
    originalLanguage: 'en',
    ...fields,
  }
}

/** A series of two seasons with two episodes each, on Netflix in the United States. */
export function aSeries(fields: Json = {}): Json {
  const id = String(fields.id ?? nextId++)
  const link = (path: string) => ({ us: [anOption({ link: `https://netflix.test/title/${id}${path}` })] })
  const season = (number: number) => ({
    itemType: 'season',
    title: `Season ${number}`,
    firstAirYear: 2009 + number,
    lastAirYear: 2009 + number,
    streamingOptions: link(`/s${number}`),
    episodes: [1, 2].map((episode) => ({
      itemType: 'episode',
      title: `Episode ${episode}`,
      overview: `What happens in episode ${episode}.`,
      airYear: 2009 + number,
      streamingOptions: link(`/s${number}/e${episode}`),
    })),
  })
  return {
    kind: 'show',
    itemType: 'show',
    showType: 'series',
    id,
    imdbId: `tt${id.padStart(7, '0')}`,
    tmdbId: `tv/${id}`,
    title: `Series ${id}`,
    overview: `What happens in series ${id}.`,
    firstAirYear: 2010,
    lastAirYear: 2011,
    originalTitle: `Series ${id}`,
    genres: ['comedy'],
    creators: ['Dora Creator'],
    cast: ['Eli Actor'],
    rating: 80,
    seasonCount: 2,
    episodeCount: 4,
    imageSet: anImageSet(id),
    streamingOptions: link(''),
    seasons: [season(1), season(2)],
    originalLanguage: 'en',
    ...fields,
  }
}

export function aService(id: string, fields: Json = {}): Json {
  return {
    kind: 'service',
    id,
    name: id.charAt(0).toUpperCase() + id.slice(1),
    homePage: `https://${id}.test`,
    themeColorCode: '#123456',
    imageSet: aLogoSet(id),
    streamingOptionTypes: { addon: false, buy: false, rent: false, free: false, subscription: true },
    addons: [],
    ...fields,
  }
}

export function anAddon(id: string, fields: Json = {}): Json {
  return {
    id,
    name: id.charAt(0).toUpperCase() + id.slice(1),
    homePage: `https://${id}.test`,
    themeColorCode: '#654321',
    imageSet: aLogoSet(id),
    ...fields,
  }
}

export function aCountry(countryCode: string, services: readonly string[]): Json {
  return { kind: 'country', countryCode, services }
}

const EVERY_TYPE = { addon: true, buy: true, rent: true, free: true, subscription: true }

/** Services, countries and genres that the builders above refer to, and a few more. */
export function referenceRecords(): Json[] {
  return [
    ...['action', 'comedy', 'crime', 'drama', 'horror', 'scifi'].map((id) => ({ kind: 'genre', id })),
    aService('netflix', { hasTopList: true, hasUpcoming: true }),
    aService('prime', {
      hasTopList: true,
      hasUpcoming: true,
      streamingOptionTypes: EVERY_TYPE,
      addons: [anAddon('starz'), anAddon('mgm')],
    }),
    aService('mubi', { hasTopList: false, hasUpcoming: true }),
    aService('tubi', {
      hasTopList: false,
      hasUpcoming: false,
      streamingOptionTypes: { ...EVERY_TYPE, subscription: false },
    }),
    aCountry('us', ['netflix', 'prime', 'tubi', 'mubi']),
    aCountry('gb', ['prime', 'netflix']),
    aCountry('tr', ['netflix', 'mubi']),
  ]
}

/** A snapshot of the test source: header, reference data, then the given records. */
export function aSnapshot(...records: readonly Json[]): Json[] {
  return [{ kind: 'feed', source: 'test', mode: 'snapshot' }, ...referenceRecords(), ...records]
}

/** A delta of the test source. */
export function aDelta(...records: readonly Json[]): Json[] {
  return [{ kind: 'feed', source: 'test', mode: 'delta' }, ...records]
}

/** Ids in the order in which an answer holds the shows. */
export function idsOf(shows: readonly { readonly id: string }[]): string[] {
  return shows.map(({ id }) => id)
}

/** An instant of the calendar in UTC, as Unix seconds. */
export function utc(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number {
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000
}
