import type { Change, Country, Genre, Show, StreamingOption } from 'marquee-client'

/** The most offers of one show that a list of shows names. */
const MAX_LISTED_OFFERS = 3

/** A list of shows, one a line, each with its first offers in the country, or in each of several. */
export function describeShows(shows: readonly Show[], country: unknown, nextCursor?: string): string {
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
export function describeShow(show: Show, countries: readonly string[], services: readonly string[]): string {
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
export function describeChanges(
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
