/** How the cell of a field is read. */
export type CellKind =
  | 'text'
  | 'count'
  | 'texts'
  | 'genres'
  | 'time'
  | 'year'
  | 'rating'
  | 'minutes'
  | 'duration'
  | 'showType'
  | 'offerType'
  | 'quality'
  | 'countries'
  | 'locales'
  | 'language'
  | 'price'
  | 'imdbId'
  | 'tmdbId'
  | 'url'

/** All fields that a column can be mapped to. */
export const CSV_FIELDS = {
  id: 'text',
  imdbId: 'imdbId',
  tmdbId: 'tmdbId',
  showType: 'showType',
  title: 'text',
  originalTitle: 'text',
  originalLanguage: 'language',
  overview: 'text',
  year: 'year',
  lastAirYear: 'year',
  genres: 'genres',
  directors: 'texts',
  creators: 'texts',
  cast: 'texts',
  rating: 'rating',
  runtime: 'minutes',
  duration: 'duration',
  seasonCount: 'count',
  episodeCount: 'count',
  poster: 'url',
  season: 'count',
  episode: 'count',
  seasonTitle: 'text',
  episodeTitle: 'text',
  country: 'countries',
  service: 'text',
  type: 'offerType',
  addon: 'text',
  link: 'url',
  videoLink: 'url',
  quality: 'quality',
  audios: 'locales',
  subtitles: 'locales',
  price: 'price',
  currency: 'text',
  startsOn: 'time',
  expiresOn: 'time',
  availableSince: 'time',
} as const satisfies Record<string, CellKind>

export type CsvField = keyof typeof CSV_FIELDS

/** Fields without which a row says nothing: an offer of a title. */
export const REQUIRED_FIELDS = ['title', 'showType', 'country', 'service', 'type', 'link'] as const
