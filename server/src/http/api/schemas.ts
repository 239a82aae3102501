import Type, { type TProperties, type TSchema } from '../../lib/json-schema.ts'
import { CHANGE_TYPES } from '../../model/change.ts'
import { OFFER_TYPES, QUALITIES } from '../../model/offer.ts'
import { GRANULARITIES, HORIZONTAL_WIDTHS, ITEM_TYPES, SHOW_TYPES, VERTICAL_WIDTHS } from '../../model/show.ts'
import { API_ERRORS } from '../exchange/errors.ts'

/** The names of the schemas; client libraries name their models after them. */
type SchemaName =
  | 'Show'
  | 'Movie'
  | 'Series'
  | 'Season'
  | 'Episode'
  | 'ShowType'
  | 'ItemType'
  | 'StreamingOption'
  | 'StreamingOptionType'
  | 'Price'
  | 'Provenance'
  | 'Popularity'
  | 'Locale'
  | 'Subtitle'
  | 'ShowImageSet'
  | 'VerticalImage'
  | 'HorizontalImage'
  | 'ServiceInfo'
  | 'Addon'
  | 'Service'
  | 'ServiceImageSet'
  | 'StreamingOptionTypes'
  | 'Country'
  | 'Countries'
  | 'Genre'
  | 'Person'
  | 'Change'
  | 'ChangeType'
  | 'SearchResult'
  | 'ShowCount'
  | 'Facets'
  | 'FacetCount'
  | 'StepCount'
  | 'ShowHistory'
  | 'PlaceHistory'
  | 'Span'
  | 'PriceSpan'
  | 'ChangesResult'
  | 'StreamedChange'
  | 'ExportLine'
  | 'ExportHead'
  | 'ExportRemoval'
  | 'ExportCheckpoint'
  | 'ExportEnd'
  | 'Error'
  | 'Problem'

/** A `$ref` to a schema. */
export function refTo(name: SchemaName): TSchema {
  return Type.Unsafe({ $ref: `#/components/schemas/${name}` })
}

const optional = Type.Optional
const text = (description: string, options: object = {}) => Type.String({ description, ...options })
/** An address; empty where the source gave none. */
const url = (description: string) => Type.String({ description })
const integer = (description: string, options: object = {}) => Type.Integer({ description, ...options })
const timestamp = (description: string) => integer(`${description} (Unix seconds).`, { format: 'int64' })
const flag = (description: string) => Type.Boolean({ description })
const constant = (value: string) => Type.Literal(value, { description: `Always \`${value}\`.` })
const choice = (values: readonly string[], description: string) =>
  Type.Enum([...values], { type: 'string', description })
const texts = (description: string) => Type.Array(Type.String(), { description })
const list = (name: SchemaName, description: string) => Type.Array(refTo(name), { description })
const object = (description: string, properties: TProperties) =>
  Type.Object(properties, { description, additionalProperties: false })

/** An object that maps keys of a pattern to values of one schema. */
const map = (description: string, keys: string, values: TSchema) =>
  Type.Unsafe({ type: 'object', description, propertyNames: { pattern: keys }, additionalProperties: values })

const streamingOptions = map(
  'Streaming options by lower-case country code; a country without options has no entry.',
  '^[a-z]{2}$',
  Type.Array(refTo('StreamingOption'), { minItems: 1 }),
)

const image = (description: string, widths: readonly string[]) =>
  object(description, Object.fromEntries(widths.map((w) => [w, url(`The image, ${w.slice(1)} pixels wide.`)])))

const tmdbProviderIds = optional(
  Type.Array(Type.Integer(), {
    description: 'Its ids in the provider lists of TMDB, ascending. Only with `include=tmdbProviderIds`.',
    examples: [[8, 175]],
  }),
)

/** Opt-in members of shows. */
const includedMembers = {
  aliases: optional(texts('Its alternative titles. Only with `include=aliases`.')),
  originalLanguage: optional(
    text('ISO 639-1 code of the original language, if it is known. Only with `include=originalLanguage`.', {
      pattern: '^[a-z]{2}$',
    }),
  ),
  popularity: optional(
    map('Its popularity by country. Only with `include=popularity`.', '^[a-z]{2}$', refTo('Popularity')),
  ),
  bestOffer: optional(
    map(
      'The cheapest option by country: on a subscription of `services`, else free, else the cheapest rental, else the ' +
        'cheapest purchase. Of several currencies, in the one that most of them have. Only with `include=bestOffer`.',
      '^[a-z]{2}$',
      refTo('StreamingOption'),
    ),
  ),
  history: optional(
    map(
      'When it was live, by country: its places as in `/shows/{id}/history`, as far down as the seasons and episodes of ' +
        'the answer. Only with `include=history`.',
      '^[a-z]{2}$',
      Type.Array(refTo('PlaceHistory'), { minItems: 1 }),
    ),
  ),
}

const number = (of: string) => optional(integer(`Number of the ${of}, from 1. Only with \`include=numbers\`.`))

const brand = (of: 'service' | 'addon') => ({
  id: text(`Id of the ${of}.`, { minLength: 1 }),
  name: text(`Name of the ${of}.`),
  homePage: text('Address of its home page.'),
  themeColorCode: text('Its colour as a hex code.', { pattern: '^#[0-9A-Fa-f]{6}$', examples: ['#e50914'] }),
  imageSet: refTo('ServiceImageSet'),
})

const showHead = (showType: 'movie' | 'series') => ({
  itemType: constant('show'),
  showType: constant(showType),
  id: text('Id of the show.', { pattern: '^\\d+$' }),
  imdbId: text('IMDb id; empty if there is none.', { pattern: '^(tt\\d+)?$' }),
  tmdbId: text('TMDB id.', { pattern: showType === 'movie' ? '^(movie/\\d+)?$' : '^(tv/\\d+)?$' }),
  title: text('Title in the output language.'),
  overview: text('What it is about.'),
})

const nextCursor = optional(text('The cursor of the next page; there only if there is one.', { minLength: 1 }))
const hasMore = flag('Whether there is a next page.')
const quality = optional(choice(QUALITIES, 'The best video quality.'))
const rating = integer('Average rating; 0 means unknown.', { minimum: 0, maximum: 100 })

/** The properties of a change. */
const change = {
  changeType: refTo('ChangeType'),
  itemType: refTo('ItemType'),
  showId: text('Id of the show; the show itself is under it in `shows`.', { pattern: '^\\d+$' }),
  showType: refTo('ShowType'),
  season: optional(integer('Number of the season, of seasons and episodes.')),
  episode: optional(integer('Number of the episode, of episodes.')),
  service: refTo('ServiceInfo'),
  streamingOptionType: refTo('StreamingOptionType'),
  addon: optional(refTo('Addon')),
  timestamp: optional(timestamp('When; left out only of future changes whose date is not known')),
  link: optional(text('Deep link; left out only of upcoming changes whose link is not known.')),
  country: optional(
    text('The country; only in answers to requests for several countries, or for `any`.', { pattern: '^[a-z]{2}$' }),
  ),
}

/** The schemas of all responses, properties in the order in which responses print them. */
export const SCHEMAS: Readonly<Record<SchemaName, TSchema>> = {
  Show: Type.Unsafe({
    description: 'A movie or a series.',
    oneOf: [refTo('Movie'), refTo('Series')],
    discriminator: {
      propertyName: 'showType',
      mapping: { movie: '#/components/schemas/Movie', series: '#/components/schemas/Series' },
    },
  }),
  Movie: object('A movie.', {
    ...showHead('movie'),
    releaseYear: optional(integer('Year of release.')),
    originalTitle: text('Title in the original language.'),
    genres: list('Genre', 'Its genres.'),
    directors: optional(texts('Its directors.')),
    cast: texts('Its cast.'),
    rating,
    runtime: optional(integer('Length in minutes.')),
    imageSet: refTo('ShowImageSet'),
    streamingOptions,
    ...includedMembers,
  }),
  Series: object('A series.', {
    ...showHead('series'),
    firstAirYear: optional(integer('First year on air.')),
    lastAirYear: optional(integer('Last year on air.')),
    originalTitle: text('Title in the original language.'),
    genres: list('Genre', 'Its genres.'),
    creators: optional(texts('Its creators.')),
    cast: texts('Its cast.'),
    rating,
    seasonCount: optional(integer('Seasons aired or announced.')),
    episodeCount: optional(integer('Episodes aired or announced.')),
    imageSet: refTo('ShowImageSet'),
    streamingOptions,
    seasons: optional(list('Season', 'Its seasons, at granularity `season` or `episode`.')),
    ...includedMembers,
  }),
  Season: object('A season of a series.', {
    itemType: constant('season'),
    title: text('Title of the season.'),
    firstAirYear: integer('First year on air.'),
    lastAirYear: integer('Last year on air.'),
    streamingOptions,
    episodes: optional(list('Episode', 'Its episodes, at granularity `episode`.')),
    number: number('season'),
  }),
  Episode: object('An episode of a season.', {
    itemType: constant('episode'),
    title: text('Title of the episode.'),
    overview: optional(text('What it is about.')),
    airYear: integer('Year on air.'),
    streamingOptions,
    number: number('episode'),
  }),
  ShowType: choice(SHOW_TYPES, 'A movie or a series.'),
  ItemType: choice(ITEM_TYPES, 'A whole show, a season or an episode.'),
  StreamingOption: object('One way to watch something in one country.', {
    service: refTo('ServiceInfo'),
    type: refTo('StreamingOptionType'),
    addon: optional(refTo('Addon')),
    link: text("Deep link to it in the service's web app."),
    videoLink: optional(text('Deep link to the player.')),
    quality,
    audios: list('Locale', 'Audio languages.'),
    subtitles: list('Subtitle', 'Subtitles.'),
    price: optional(refTo('Price')),
    expiresSoon: flag('Whether it ends within 31 days, or shortly on a day that is not known.'),
    expiresOn: optional(timestamp('When it ends, if that is known')),
    availableSince: timestamp('When it was first seen'),
    provenance: optional(list('Provenance', 'The sources that state it. Only with `include=provenance`.')),
  }),
  Provenance: object('A source that states an option.', {
    source: text('Name of the source.', { examples: ['example-feed'] }),
    firstConfirmed: timestamp('Since when it states the option'),
    lastConfirmed: optional(
      timestamp(
        "When its last complete feed for the option's country and service was imported, if there was one since",
      ),
    ),
  }),
  Popularity: object('Popularity in a country by span of time: higher is more popular.', {
    alltime: optional(Type.Number({ description: 'Of all time.' })),
    '1year': optional(Type.Number({ description: 'Of the last year.' })),
    '1month': optional(Type.Number({ description: 'Of the last month.' })),
    '1week': optional(Type.Number({ description: 'Of the last week.' })),
  }),
  StreamingOptionType: choice(OFFER_TYPES, 'How a service lets something be watched.'),
  Price: object('What renting or buying costs.', {
    amount: text('The amount as a decimal number.', { pattern: '^\\d+(\\.\\d+)?$', examples: ['2.99'] }),
    currency: text('ISO 4217 code of the currency.', { pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
    formatted: text('Amount and currency.', { examples: ['2.99 EUR'] }),
  }),
  Locale: object('A language, and where it is spoken if that matters.', {
    language: text('ISO 639-2 or 639-3 code.', { pattern: '^[a-z]{3}$', examples: ['eng'] }),
    region: optional(
      text('ISO 3166-1 alpha-3 or UN M49 code.', { pattern: '^([A-Z]{3}|\\d{3})$', examples: ['BRA', '419'] }),
    ),
  }),
  Subtitle: object('A subtitle track.', {
    closedCaptions: flag('Whether it describes sounds too.'),
    locale: refTo('Locale'),
  }),
  ShowImageSet: object('Posters carry the title; backdrops carry no text.', {
    verticalPoster: refTo('VerticalImage'),
    horizontalPoster: refTo('HorizontalImage'),
    verticalBackdrop: optional(refTo('VerticalImage')),
    horizontalBackdrop: optional(refTo('HorizontalImage')),
  }),
  VerticalImage: image('A vertical image by width.', VERTICAL_WIDTHS),
  HorizontalImage: image('A horizontal image by width.', HORIZONTAL_WIDTHS),
  ServiceInfo: object('A streaming service as it is in a country.', { ...brand('service'), tmdbProviderIds }),
  Addon: object('A channel that is subscribed to through a service.', brand('addon')),
  Service: object('A streaming service in a country, with all that it offers there.', {
    ...brand('service'),
    streamingOptionTypes: refTo('StreamingOptionTypes'),
    addons: list('Addon', 'Its addons in this country.'),
    tmdbProviderIds,
  }),
  ServiceImageSet: object('Logos.', {
    lightThemeImage: url('For light backgrounds.'),
    darkThemeImage: url('For dark backgrounds.'),
    whiteImage: url('All white.'),
  }),
  StreamingOptionTypes: object(
    'Which option types a service has in a country.',
    Object.fromEntries(
      ['addon', 'buy', 'rent', 'free', 'subscription'].map((type) => [type, flag(`Has \`${type}\`.`)]),
    ),
  ),
  Country: object('A country of the catalog.', {
    countryCode: text('ISO 3166-1 alpha-2 code in lower case.', { pattern: '^[a-z]{2}$', examples: ['us'] }),
    name: text('Name in the output language.'),
    services: list('Service', 'Its services, the most popular first.'),
  }),
  Countries: list('Country', 'All countries.'),
  Genre: object('A genre.', {
    id: text('Id of the genre.', { examples: ['action'] }),
    name: text('Name in the output language.', { examples: ['Action'] }),
  }),
  Person: object('Somebody in the cast of a show, or its director or creator.', {
    name: text('Name.', { examples: ['Al Pacino'] }),
    showCount: integer('In how many shows of the catalog.', { minimum: 1 }),
  }),
  Change: object('Something that happened, or will, to the options of one item on one service.', change),
  StreamedChange: object('The data of an event of a stream: a change with its show.', {
    ...change,
    show: refTo('Show'),
  }),
  ChangeType: choice(CHANGE_TYPES, 'What happened or will happen.'),
  SearchResult: object('A page of shows.', { shows: list('Show', 'The shows.'), hasMore, nextCursor }),
  ShowCount: object('How many shows pass filters.', {
    count: integer('How many shows.', { minimum: 0 }),
    facets: refTo('Facets'),
    steps: optional(
      list('StepCount', 'Counts with other values of filters, in the order of `steps`, if that was given.'),
    ),
  }),
  Facets: object(
    'Counts by value, the highest first. Values that no show has are left out, and so are facets that were not asked for.',
    {
      services: optional(list('FacetCount', 'By service.')),
      showTypes: optional(list('FacetCount', 'By type of show.')),
      genres: optional(list('FacetCount', 'By genre.')),
      years: optional(list('FacetCount', 'By release year of movies and first air year of series.')),
      languages: optional(list('FacetCount', 'By original language.')),
    },
  ),
  FacetCount: object('How many shows have a value.', {
    value: text('Id of a service or genre, a type of show, a year, or an ISO 639-1 code.', { examples: ['netflix'] }),
    count: integer('How many shows.', { minimum: 1 }),
  }),
  StepCount: object('How many shows there are with another value of a filter.', {
    filter: text('Name of the filter.', { examples: ['runtime_max'] }),
    value: text('Its value.', { examples: ['90'] }),
    count: integer('How many shows.', { minimum: 0 }),
  }),
  ShowHistory: object('When a show was live in a country.', {
    showId: text('Id of the show.', { pattern: '^\\d+$' }),
    country: text('The country.', { pattern: '^[a-z]{2}$' }),
    places: list('PlaceHistory', 'By season, episode, service, option type and addon.'),
  }),
  PlaceHistory: object('When a show, a season or an episode was live on a service, by option type and addon.', {
    itemType: refTo('ItemType'),
    season: optional(integer('Number of the season, of seasons and episodes.')),
    episode: optional(integer('Number of the episode, of episodes.')),
    service: refTo('ServiceInfo'),
    streamingOptionType: refTo('StreamingOptionType'),
    addon: optional(refTo('Addon')),
    spans: Type.Array(refTo('Span'), { minItems: 1, description: 'The spans, the earliest first.' }),
  }),
  Span: object('A time in which something was live without a break.', {
    from: timestamp('When it began'),
    to: optional(timestamp('When it ended; absent while it is live')),
    prices: list('PriceSpan', 'Its prices, the earliest first; empty where there are none.'),
  }),
  PriceSpan: object('A price, and when it held.', {
    from: timestamp('Since when'),
    to: optional(timestamp('Until when; absent while it holds')),
    quality,
    price: refTo('Price'),
  }),
  ChangesResult: object('A page of changes.', {
    changes: list('Change', 'The changes, by date.'),
    shows: map('The shows that the changes are about, by id.', '^\\d+$', refTo('Show')),
    hasMore,
    nextCursor,
    since: optional(
      text('The token of the answer: with `since`, what happens after it. Only in answers to requests with `since`.'),
    ),
  }),
  ExportLine: Type.Unsafe({
    description: 'A line of an export: a show, or an object whose `kind` says what it is.',
    oneOf: [refTo('Show'), refTo('ExportHead'), refTo('ExportRemoval'), refTo('ExportCheckpoint'), refTo('ExportEnd')],
  }),
  ExportHead: object('The first line of an export.', {
    kind: constant('export'),
    country: text('The country.', { pattern: '^[a-z]{2}$' }),
    seriesGranularity: choice(GRANULARITIES, 'How much of a series the lines have.'),
    outputLanguage: text('The language of the lines.'),
    from: optional(text('The token that was asked for: the export has what was altered after it.')),
    since: text('The token of the export, for the next one.'),
  }),
  ExportRemoval: object('A show that can no longer be watched in the country.', {
    kind: constant('remove'),
    id: text('Id of the show.', { pattern: '^\\d+$' }),
  }),
  ExportCheckpoint: object('A place from which the export can go on after it was cut off.', {
    kind: constant('checkpoint'),
    cursor: text('For the parameter `cursor`.'),
  }),
  ExportEnd: object('The last line of an export.', {
    kind: constant('end'),
    complete: flag('Whether this is all; otherwise the rest follows at the cursor.'),
    shows: integer('How many shows came in this part.'),
    cursor: optional(text('For the parameter `cursor`.')),
  }),
  Error: object('What went wrong. The headers `X-Error-Code` and `X-Error-Parameter` say it to programs.', {
    message: text('For people.'),
  }),
  Problem: object('What went wrong, as problem details (RFC 9457): for requests that accept them.', {
    type: text('Address of the documentation of the error.', { format: 'uri-reference' }),
    title: text('What the code means.'),
    status: integer('The status of the response.'),
    detail: text('What is wrong with this request, for people.'),
    code: choice(Object.keys(API_ERRORS), 'For programs.'),
    parameter: optional(text('The parameter at fault.')),
    retryAfter: optional(integer('Seconds after which it is worth trying again.')),
    requestId: text('Finds the request in the log of the service.'),
    base: optional(text('The base address that the key belongs to.')),
    header: optional(text('The header that the key belongs in.')),
  }),
}

/** The schema of `/countries` with MARQUEE_COUNTRIES=map, which some generated clients expect. */
export const COUNTRIES_AS_MAP: TSchema = map('All countries by code.', '^[a-z]{2}$', refTo('Country'))
