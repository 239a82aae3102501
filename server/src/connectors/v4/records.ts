import { findServiceInCountry, type Reference } from '../../catalog/storage/reference.ts'
import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { OFFER_TYPES, type OfferType, UNKNOWN_START } from '../../model/offer.ts'
import type { ServiceInCountry } from '../../model/service.ts'
import { numberField, objectField, objectListField, textField, toObjects, toText } from '../records/values.ts'

/** Countries and genres of a service by output language, as printed. Stored as JSON with the run. */
export interface RemoteReference {
  readonly countries: Readonly<Record<string, readonly JsonObject[]>>
  readonly genres: Readonly<Record<string, readonly JsonObject[]>>
}

/** The code of a printed country, in lower case. */
export function countryCode(country: JsonObject): string {
  return toText(country.countryCode).toLowerCase()
}

/** The native records of the reference data: genres, then the wanted countries with their services in full. */
export function buildReferenceRecords(
  remote: RemoteReference,
  countries: readonly string[],
  reference: Reference,
): object[] {
  const genres = (remote.genres.en ?? []).map((genre) => ({
    kind: 'genre',
    id: genre.id,
    name: genre.name,
    ...namesField(remote.genres, 'id', genre),
  }))
  const printed = (remote.countries.en ?? []).filter((country) => countries.includes(countryCode(country)))
  return [
    ...genres,
    ...printed.map((country) => ({
      kind: 'country',
      countryCode: countryCode(country),
      name: country.name,
      ...namesField(remote.countries, 'countryCode', country),
      services: objectListField(country, 'services').map((service) => {
        const code = countryCode(country)
        const translated = Object.entries(remote.countries).map(([language, all]) => {
          const same = all.find((one) => countryCode(one) === code)
          return [language, same === undefined ? [] : objectListField(same, 'services')] as const
        })
        const known = findServiceInCountry(reference, toText(service.id), code)
        return buildService(service, Object.fromEntries(translated), known)
      }),
    })),
  ]
}

/** A service in a country. Option types and addons that other sources have there stay, since their offers need them. */
function buildService(
  service: JsonObject,
  translated: Readonly<Record<string, readonly JsonObject[]>>,
  known: ServiceInCountry | undefined,
): object {
  const types = objectField(service, 'streamingOptionTypes')
  const addons = objectListField(service, 'addons').map((addon) => {
    const inLanguages = Object.entries(translated).map(([language, services]) => {
      const same = services.find(({ id }) => id === service.id)
      return [language, same === undefined ? [] : objectListField(same, 'addons')]
    })
    return { ...addon, ...namesField(Object.fromEntries(inLanguages), 'id', addon) }
  })
  const ids = new Set(objectListField(service, 'addons').map(({ id }) => id))
  return {
    ...service,
    ...namesField(translated, 'id', service),
    streamingOptionTypes: Object.fromEntries(
      OFFER_TYPES.map((type) => [type, types[type] === true || known?.optionTypes.includes(type) === true]),
    ),
    addons: [...addons, ...(known?.addons ?? []).filter(({ id }) => !ids.has(id))],
  }
}

/** `names` in the languages in which an item is called differently than in English. */
function namesField(
  byLanguage: Readonly<Record<string, readonly JsonObject[]>>,
  idField: string,
  item: JsonObject,
): { names?: Record<string, string> } {
  const names = Object.entries(byLanguage).flatMap(([language, items]) => {
    const same = items.find((one) => one[idField] === item[idField])
    const name = same === undefined ? undefined : textField(same, 'name')
    return language === 'en' || name === undefined || name === item.name ? [] : [[language, name]]
  })
  return names.length === 0 ? {} : { names: Object.fromEntries(names) }
}

/** Which services, addons and genres the printed reference data has. */
export function createReferenceIndex(remote: RemoteReference): Omit<RecordContext, 'filter'> {
  const known = new Set<string>()
  for (const country of remote.countries.en ?? []) {
    const code = countryCode(country)
    for (const service of objectListField(country, 'services')) {
      known.add(`${code} ${service.id}`)
      for (const addon of objectListField(service, 'addons')) known.add(`${code} ${service.id} ${addon.id}`)
    }
  }
  const genres = new Set((remote.genres.en ?? []).map(({ id }) => id))
  return {
    hasService: (service, country) => known.has(`${country} ${service}`),
    hasAddon: (service, addon, country) => known.has(`${country} ${service} ${addon}`),
    hasGenre: (genre) => genres.has(genre),
  }
}

/** The attributions that the service passes on, as those of one source. */
export function readAttributions(answer: unknown): JsonObject[] {
  if (!Array.isArray(answer)) return []
  return answer.flatMap((entry) => (isObject(entry) ? objectListField(entry, 'attribution') : []))
}

/** An announced offer, from `/changes`: answers print only live offers. Stored as JSON. */
export interface UpcomingOffer {
  readonly season?: number
  readonly episode?: number
  readonly service: string
  readonly type: string
  readonly addon?: string
  /** Absent if the start is announced without a date. */
  readonly startsOn?: number
  readonly link?: string
}

/** What the record of a show depends on beside the answer. */
export interface RecordContext {
  readonly filter: CatalogFilter
  /** Whether the reference data of the service has it in a country; anything else is stated in full. */
  readonly hasService: (service: string, country: string) => boolean
  readonly hasAddon: (service: string, addon: string, country: string) => boolean
  readonly hasGenre: (genre: string) => boolean
}

/** The fields of a show that are taken as they are printed. */
const SHOW_FIELDS = [
  'showType',
  'id',
  'imdbId',
  'tmdbId',
  'title',
  'overview',
  'releaseYear',
  'firstAirYear',
  'lastAirYear',
  'originalTitle',
  'directors',
  'creators',
  'cast',
  'rating',
  'seasonCount',
  'episodeCount',
  'runtime',
  'imageSet',
] as const

/** The native record of a show in one country: its details, its live offers there, and the announced ones. */
export function buildShowRecord(
  show: JsonObject,
  country: string,
  upcoming: readonly UpcomingOffer[],
  context: RecordContext,
): object {
  const items = new OptionsOfItems(upcoming)
  const buildOptions = (item: JsonObject, season?: number, episode?: number) => {
    const live = Object.entries(objectField(item, 'streamingOptions'))
      .filter(([code]) => code.toLowerCase() === country)
      .flatMap(([, list]) => toObjects(list).flatMap((option) => buildOption(option, country, context) ?? []))
    const options = [...live, ...items.take(season, episode)]
    return options.length === 0 ? {} : { [country]: options }
  }
  const own = buildOptions(show)
  const seasons = toObjects(show.seasons).map((season, s) => ({
    ...pick(season, ['title', 'firstAirYear', 'lastAirYear']),
    streamingOptions: buildOptions(season, s + 1),
    ...(Array.isArray(season.episodes) && {
      episodes: toObjects(season.episodes).map((episode, e) => ({
        ...pick(episode, ['title', 'overview', 'airYear']),
        streamingOptions: buildOptions(episode, s + 1, e + 1),
      })),
    }),
  }))
  return {
    kind: 'show',
    ...pick(show, SHOW_FIELDS),
    genres: toObjects(show.genres).map((genre) => (context.hasGenre(toText(genre.id)) ? genre.id : genre)),
    streamingOptions: own,
    ...(Array.isArray(show.seasons) && { seasons: [...seasons, ...items.rest(seasons.length, country)] }),
  }
}

/** The announced offers of a show by season and episode. */
class OptionsOfItems {
  private readonly left: Set<UpcomingOffer>

  constructor(upcoming: readonly UpcomingOffer[]) {
    this.left = new Set(upcoming)
  }

  take(season?: number, episode?: number): object[] {
    const taken = [...this.left].filter((offer) => offer.season === season && offer.episode === episode)
    for (const offer of taken) this.left.delete(offer)
    return taken.map(({ season: _season, episode: _episode, startsOn = UNKNOWN_START, ...offer }) => ({
      ...offer,
      startsOn,
    }))
  }

  /** Seasons that are announced and not printed yet; seasons are identified by their position. */
  rest(seasonCount: number, country: string): object[] {
    const last = Math.max(seasonCount, ...[...this.left].map(({ season = 0 }) => season))
    return Array.from({ length: last - seasonCount }, (_, i) => {
      const number = seasonCount + i + 1
      const episodes = Math.max(0, ...[...this.left].map((one) => (one.season === number ? (one.episode ?? 0) : 0)))
      const inCountry = (options: object[]) => (options.length === 0 ? {} : { [country]: options })
      return {
        streamingOptions: inCountry(this.take(number)),
        ...(episodes > 0 && {
          episodes: Array.from({ length: episodes }, (_, e) => ({
            streamingOptions: inCountry(this.take(number, e + 1)),
          })),
        }),
      }
    })
  }
}

/** A printed option with ids in place of known services and addons; undefined if it is of no wanted catalog. */
function buildOption(option: JsonObject, country: string, context: RecordContext): object | undefined {
  const service = readId(option.service)
  const addon = readId(option.addon)
  // Without a service it is passed on, and the importer reports it.
  if (service === undefined) return option
  if (!context.filter.includes(service, option.type, addon)) return undefined
  const { price, ...rest } = option
  return {
    ...rest,
    service: context.hasService(service, country) ? service : option.service,
    ...(addon !== undefined && { addon: context.hasAddon(service, addon, country) ? addon : option.addon }),
    ...(isObject(price) && { price: pick(price, ['amount', 'currency']) }),
  }
}

/** An announced offer of a change; undefined if it is of no wanted catalog. */
export function readUpcoming(change: JsonObject, filter: CatalogFilter): UpcomingOffer | undefined {
  const [service, addon] = [readId(change.service), readId(change.addon)]
  const type = textField(change, 'streamingOptionType')
  if (service === undefined || type === undefined || !filter.includes(service, type, addon)) return undefined
  const [season, episode] = [numberField(change, 'season'), numberField(change, 'episode')]
  const [startsOn, link] = [numberField(change, 'timestamp'), textField(change, 'link')]
  return {
    ...(season !== undefined && { season }),
    ...(episode !== undefined && { episode }),
    service,
    type,
    ...(addon !== undefined && { addon }),
    ...(startsOn !== undefined && { startsOn }),
    ...(link !== undefined && { link }),
  }
}

/** The id by which a show is found in any catalog: the show's own id may belong to another one there. */
export function pickShowId(show: JsonObject): string {
  return textField(show, 'imdbId') ?? textField(show, 'tmdbId') ?? toText(show.id)
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]])))
}

/** An entry of `catalogs`: a service, an option type of it, or an addon. */
export interface CatalogEntry {
  readonly service: string
  readonly type?: OfferType
  readonly addon?: string
}

/** The limit of the contract on `catalogs`. */
const MAX_ENTRIES = 32

/** Parses `netflix,prime.rent,apple.addon.tvs.sbd.1000579`; returns the first entry that is invalid as a text. */
export function parseCatalogs(text: string): readonly CatalogEntry[] | string {
  const entries: CatalogEntry[] = []
  for (const entry of text.split(',').map((one) => one.trim())) {
    const match = /^([\w-]+)(?:\.([a-z]+)(?:\.([\w.-]+))?)?$/.exec(entry)
    const [, service, typeText, addon] = match ?? []
    const type = OFFER_TYPES.find((one) => one === typeText)
    if (service === undefined || (typeText !== undefined && type === undefined)) return entry
    if (addon !== undefined && type !== 'addon') return entry
    entries.push({ service, ...(type !== undefined && { type }), ...(addon !== undefined && { addon }) })
  }
  return entries
}

/** The offers that a sync takes: those of some catalogs, or all. */
export class CatalogFilter {
  private readonly entries: readonly CatalogEntry[]

  /** @param entries none for all catalogs */
  constructor(entries: readonly CatalogEntry[]) {
    this.entries = entries
  }

  /** The values of `catalogs` that together select all entries; one undefined value for all catalogs. */
  parameters(): (string | undefined)[] {
    if (this.entries.length === 0) return [undefined]
    const texts = this.entries.map(({ service, type, addon }) =>
      [service, type, addon].filter((part) => part !== undefined).join('.'),
    )
    const count = Math.ceil(texts.length / MAX_ENTRIES)
    return Array.from({ length: count }, (_, i) => texts.slice(i * MAX_ENTRIES, (i + 1) * MAX_ENTRIES).join(','))
  }

  /** Whether any offers of a service are of these catalogs. */
  includesService(service: string): boolean {
    return this.entries.length === 0 || this.entries.some((entry) => entry.service === service)
  }

  /** Whether an option, or a change, is of these catalogs. */
  includes(service: string, type: unknown, addon: string | undefined): boolean {
    if (this.entries.length === 0) return true
    return this.entries.some(
      (entry) =>
        entry.service === service &&
        (entry.type === undefined || entry.type === type) &&
        (entry.addon === undefined || entry.addon === addon),
    )
  }
}

/** The id of a service or addon, which answers print as an object. */
function readId(value: unknown): string | undefined {
  const id = isObject(value) ? value.id : value
  return typeof id === 'string' ? id : undefined
}
