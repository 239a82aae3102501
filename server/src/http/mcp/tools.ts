import type { Change, Country, Genre, Show, StreamingOption } from 'marquee-client'
import { getChanges } from '../api/change-endpoints.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { searchShowsByFilters, searchShowsByTitle } from '../api/search-endpoints.ts'
import { getShow, getSimilarShows, getTopShows } from '../api/show-endpoints.ts'

/** A request to the API, with the key of the caller: the path without its base, and the parameters. Throws what it says. */
export type CallApi = (path: string, parameters: URLSearchParams) => Promise<unknown>

/** The arguments that an assistant sends. The API validates them. */
export type ToolArguments = Readonly<Record<string, unknown>>

/** A tool of an assistant: a request to the API whose answer is told in a few lines. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: InputSchema
  run(given: ToolArguments, call: CallApi): Promise<string>
}

/** A JSON Schema of arguments. */
interface InputSchema {
  readonly [member: string]: unknown
  readonly type: 'object'
  readonly properties: { readonly [name: string]: object }
  readonly required: string[]
}

const FILTER_ARGUMENTS = 'country catalogs show_type genres genres_relation show_original_language year_min year_max'
const CHANGE_ARGUMENTS = 'country catalogs show_type from to cursor output_language'

/** All tools, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'search_titles',
    title: 'Search titles',
    description:
      'Finds movies and series by title, typing errors included, with where they can be watched in a country.',
    inputSchema: inputSchema(
      searchShowsByTitle,
      'title country show_type genres year_min year_max limit output_language',
    ),
    run: async (given, call) =>
      describeShows((await call('/shows/search/title', encode(given))) as Show[], given.country),
  },
  {
    name: 'filter_shows',
    title: 'Filter shows',
    description:
      'Lists shows that can be watched in a country, by service, genre, year, rating, people or words. Order by ' +
      'popularity_1week for what is popular, by rating for what is good.',
    inputSchema: inputSchema(
      searchShowsByFilters,
      `${FILTER_ARGUMENTS} rating_min rating_max keyword people order_by order_direction cursor output_language`,
    ),
    async run(given, call) {
      const page = (await call('/shows/search/filters', encode(given))) as { shows: Show[]; nextCursor?: string }
      return describeShows(page.shows, given.country, page.nextCursor)
    },
  },
  {
    name: 'where_to_watch',
    title: 'Where to watch',
    description:
      'Says on which services one show can be watched, with links and prices: in all countries or in some, and if asked ' +
      'only on the services that the viewer has.',
    inputSchema: whereSchema(),
    run: runWhereToWatch,
  },
  {
    name: 'similar_shows',
    title: 'Similar shows',
    description: 'Lists shows that can be watched in a country and resemble one, the most similar first.',
    inputSchema: inputSchema(getSimilarShows, 'id country catalogs show_type limit output_language'),
    async run({ id, ...rest }, call) {
      const path = `/shows/${encodeURIComponent(String(id ?? ''))}/similar`
      return describeShows((await call(path, encode(rest))) as Show[], rest.country)
    },
  },
  changesTool(
    'whats_new',
    "What's new",
    'new',
    'Lists what came to the services of a country in the last 31 days, newest first.',
  ),
  changesTool(
    'whats_leaving',
    "What's leaving",
    'expiring',
    'Lists what leaves the services of a country in the next 31 days.',
  ),
  changesTool(
    'whats_coming',
    "What's coming",
    'upcoming',
    'Lists what is announced on the services of a country for the next 31 days.',
  ),
  {
    name: 'top_list',
    title: 'Top list',
    description: "A service's own official top list in a country, in its order.",
    inputSchema: inputSchema(getTopShows, 'country service show_type output_language'),
    run: async (given, call) => describeShows((await call('/shows/top', encode(given))) as Show[], given.country),
  },
]

function changesTool(name: string, title: string, changeType: string, description: string): Tool {
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(getChanges, CHANGE_ARGUMENTS),
    async run(given, call) {
      const parameters = encode({ ...given, change_type: changeType, item_type: 'show' })
      if (changeType === 'new') parameters.set('order_direction', 'desc')
      const page = (await call('/changes', parameters)) as {
        changes: Change[]
        shows: Record<string, Show>
        nextCursor?: string
      }
      return describeChanges(page.changes, page.shows, page.nextCursor)
    },
  }
}

async function runWhereToWatch({ id, countries, services, ...rest }: ToolArguments, call: CallApi): Promise<string> {
  const wanted = toList(countries).map((country) => country.toLowerCase())
  const parameters = encode({ ...rest, series_granularity: 'show' })
  if (wanted.length > 0) parameters.set('country', wanted.join(','))
  const show = (await call(`/shows/${encodeURIComponent(String(id ?? ''))}`, parameters)) as Show
  return describeShow(show, wanted, toList(services))
}

/** The arguments of a tool as a schema: some of the parameters of an endpoint, in its own words. */
function inputSchema({ parameters, pathParameters }: Endpoint, names: string): InputSchema {
  const all = { ...pathParameters.properties, ...parameters.properties } as Record<string, object>
  const needed = [...(pathParameters.required ?? []), ...(parameters.required ?? [])] as string[]
  const chosen = names.split(' ')
  return {
    type: 'object',
    properties: Object.fromEntries(chosen.map((name) => [name, toPlainSchema(all[name] as object)])),
    required: chosen.filter((name) => needed.includes(name)),
    additionalProperties: false,
  }
}

function whereSchema(): InputSchema {
  const { properties, required, ...rest } = inputSchema(getShow, 'id output_language')
  const { id, output_language } = properties as Record<string, object>
  const { country } = inputSchema(getTopShows, 'country').properties
  return {
    ...rest,
    properties: {
      id: id as object,
      countries: { type: 'array', items: country, description: 'Only these countries; all if left out.' },
      services: {
        type: 'array',
        items: { type: 'string' },
        description: 'Only these services, by id, such as those that the viewer pays for.',
      },
      output_language: output_language as object,
    },
    required,
  }
}

/** Schemas of the API carry members that only its own library reads. */
function toPlainSchema(schema: object): object {
  return JSON.parse(JSON.stringify(schema, (name, value) => (name.startsWith('~') ? undefined : value)))
}

/** Arguments as parameters of the query string: lists are joined by commas. */
function encode(given: ToolArguments): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && value !== null) parameters.set(name, toList(value).join(','))
  }
  return parameters
}

function toList(value: unknown): string[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.map(String) : [String(value)]
}

/** The most offers of one show that a list of shows names. */
const MAX_LISTED_OFFERS = 3

/** A list of shows, one a line, each with its first offers in the country, or in each of several. */
function describeShows(shows: readonly Show[], country: unknown, nextCursor?: string): string {
  if (shows.length === 0) return 'No show was found.'
  const asked = String(country).toLowerCase()
  const lines = shows.map((show, i) => {
    const places = Object.entries(show.streamingOptions).map(([code, all = []]) => {
      const offers = distinctOffers(all)
      const more = offers.length > MAX_LISTED_OFFERS ? `; ${offers.length - MAX_LISTED_OFFERS} more` : ''
      const listed = offers.slice(0, MAX_LISTED_OFFERS).map(describeOffer).join('; ') + more
      return code === asked ? listed : `in ${code}: ${listed}`
    })
    return `${i + 1}. ${describeTitle(show)}: ${places.length === 0 ? `not in ${asked}` : places.join('; ')}`
  })
  return [...lines, ...describeNextPage(nextCursor)].join('\n')
}

/** One show with all its offers, by country; only those of some services, if any are named. */
function describeShow(show: Show, countries: readonly string[], services: readonly string[]): string {
  const codes = countries.length > 0 ? countries : Object.keys(show.streamingOptions).sort()
  const lines = codes.map((code) => {
    const all = show.streamingOptions[code] ?? []
    const wanted = services.length === 0 ? all : all.filter(({ service }) => services.includes(service.id))
    if (wanted.length > 0) return `${code}: ${distinctOffers(wanted).map(describeOffer).join('; ')}`
    const others = [...new Set(all.map(({ service }) => service.name))]
    return `${code}: ${others.length === 0 ? 'nowhere' : `not on these services, but on ${others.join(', ')}`}`
  })
  const overview = show.overview === '' ? [] : [show.overview]
  return [describeTitle(show), ...overview, ...(lines.length === 0 ? ['It can be watched nowhere.'] : lines)].join('\n')
}

/** Changes, one a line. */
function describeChanges(
  changes: readonly Change[],
  shows: Readonly<Record<string, Show>>,
  nextCursor?: string,
): string {
  if (changes.length === 0) return 'There is nothing.'
  const lines = changes.map((change) => {
    const show = shows[change.showId]
    const day = change.timestamp === undefined ? 'no date' : formatDay(change.timestamp)
    const type = change.addon === undefined ? change.streamingOptionType : `addon ${change.addon.name}`
    const title = show === undefined ? `show ${change.showId}` : describeTitle(show)
    const place = change.country === undefined ? '' : `, in ${change.country}`
    return `${day}: ${title}: ${change.service.name} (${type}${place})${change.link === undefined ? '' : ` ${change.link}`}`
  })
  return [...lines, ...describeNextPage(nextCursor)].join('\n')
}

/** All countries, one a line, with the number of services. */
export function describeCountries(countries: readonly Country[]): string {
  return countries
    .map(({ countryCode, name, services }) => `${countryCode}: ${name}, ${services.length} services`)
    .join('\n')
}

/** The services of a country, one a line, as they are named in `catalogs` and `service`. */
export function describeServices({ services }: Country): string {
  return services
    .map(({ id, name, homePage, streamingOptionTypes, addons }) => {
      const types = Object.entries(streamingOptionTypes).flatMap(([type, has]) => (has ? [type] : []))
      const extra =
        addons.length === 0 ? '' : `; addons: ${addons.map((addon) => `${addon.id} (${addon.name})`).join(', ')}`
      return `${id}: ${name} (${types.join(', ')}) ${homePage}${extra}`
    })
    .join('\n')
}

/** All genres, one a line. */
export function describeGenres(genres: readonly Genre[]): string {
  return genres.map(({ id, name }) => `${id}: ${name}`).join('\n')
}

function describeTitle(show: Show): string {
  const year = show.showType === 'movie' ? show.releaseYear : show.firstAirYear
  const facts = [
    year,
    show.showType,
    show.rating > 0 ? `rating ${show.rating}` : undefined,
    `id ${show.imdbId || show.id}`,
  ]
  return `${show.title} (${facts.filter((fact) => fact !== undefined).join(', ')})`
}

function describeOffer({ service, type, addon, price, expiresSoon, expiresOn, link }: StreamingOption): string {
  const what = addon === undefined ? type : `addon ${addon.name}`
  const cost = price === undefined ? '' : ` ${price.formatted}`
  const end = expiresOn === undefined ? ', leaves soon' : `, until ${formatDay(expiresOn)}`
  return `${service.name} (${what}${cost}${expiresSoon ? end : ''}) ${link}`
}

/** The first offer of each service, type and addon: qualities and prices of the same one would only make the answer long. */
function distinctOffers(offers: readonly StreamingOption[]): StreamingOption[] {
  const byPlace = new Map<string, StreamingOption>()
  for (const offer of offers) {
    const place = `${offer.service.id} ${offer.type} ${offer.addon?.id ?? ''}`
    if (!byPlace.has(place)) byPlace.set(place, offer)
  }
  return [...byPlace.values()]
}

function describeNextPage(cursor: string | undefined): string[] {
  return cursor === undefined
    ? []
    : [`There is more: call again with the same arguments and cursor ${JSON.stringify(cursor)}.`]
}

function formatDay(timestamp: number): string {
  return new Date(timestamp * 1000).toISOString().slice(0, 10)
}
