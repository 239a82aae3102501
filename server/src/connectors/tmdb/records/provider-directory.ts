import { findServiceInCountry, type Reference } from '../../../catalog/reference.ts'
import { isObject, type JsonObject } from '../../../ingest/parse/fields.ts'
import { OFFER_TYPES } from '../../../model/offer.ts'
import { isServiceId, type ServiceInCountry } from '../../../model/service.ts'
import { slugify } from '../../records/ids.ts'
import { numberField, objectListField, textField } from '../../records/json-fields.ts'
import { buildLogoSet, IMAGE_BASE_URL } from './images.ts'

/** A service of a country, as TMDB's provider lists show it. */
export interface ListedService {
  readonly id: string
  readonly name: string
  readonly homePage: string
  readonly themeColorCode: string
  readonly imageSet: ReturnType<typeof buildLogoSet>
}

/** Channels that are subscribed to through another service say so in their names. */
const CHANNEL_SUFFIXES = [
  { service: 'prime', suffix: / amazon channel\s*$/i },
  { service: 'apple', suffix: / apple tv(\+)? channel\s*$/i },
]

/**
 * Which service a provider is. The operator's mapping comes first, then the table that ships, then channels by their
 * names; a provider that none of them knows becomes a service of its own, with an id made from its name.
 */
export class ProviderDirectory {
  private readonly mapping: ProviderMapping

  constructor(mapping: ProviderMapping = new Map()) {
    this.mapping = mapping
  }

  /** What a provider is in the catalog; undefined where it is to be left out. */
  find(provider: JsonObject): MappedProvider | undefined {
    const id = numberField(provider, 'provider_id')
    const name = textField(provider, 'provider_name')
    if (id === undefined || name === undefined) return undefined
    const mapped = this.mapping.get(id)
    if (mapped !== undefined) return mapped === null ? undefined : { name, ...mapped }
    const listed = PROVIDER_TABLE.get(id)
    if (listed !== undefined && name.toLowerCase().includes(listed.word)) return withKnownName(listed.service, name)
    for (const { service, suffix } of CHANNEL_SUFFIXES) {
      const channel: string = name.replace(suffix, '')
      if (channel !== name) return { service, addon: toServiceId(channel, id), name: channel.trim() }
    }
    return withKnownName(toServiceId(name, id), name)
  }

  /** The services of a country in the order in which TMDB shows them, from its lists of movie and series providers. */
  listServices(country: string, lists: readonly JsonObject[]): ListedService[] {
    const code = country.toUpperCase()
    const providers = lists
      .flatMap((list) => objectListField(list, 'results'))
      .map((provider) => ({ provider, place: displayPriority(provider, code) }))
      .sort((a, b) => a.place - b.place)
    const services = new Map<string, ListedService>()
    for (const { provider } of providers) {
      const found = this.find(provider)
      if (found === undefined || services.has(found.service)) continue
      // A channel tells that its service is there, but its logo is not the service's.
      if (found.addon === undefined)
        services.set(found.service, toListedService(found, textField(provider, 'logo_path')))
    }
    return [...services.values()]
  }
}

/** A service as it is stated for the first time. */
function toListedService(found: MappedProvider, logoPath: string | undefined): ListedService {
  const known = KNOWN_SERVICES.get(found.service)
  return {
    id: found.service,
    name: findServiceName(found),
    homePage: known?.homePage ?? '',
    themeColorCode: known?.color ?? '#000000',
    imageSet: buildLogoSet(logoPath),
  }
}

/** What the service of a provider is called; the name of a channel is not that of its service. */
export function findServiceName({ service, addon, name }: MappedProvider): string {
  return (addon === undefined ? name : undefined) ?? KNOWN_SERVICES.get(service)?.name ?? service
}

function withKnownName(service: string, name: string): MappedProvider {
  return { service, name: KNOWN_SERVICES.get(service)?.name ?? name }
}

function displayPriority(provider: JsonObject, country: string): number {
  const places = provider.display_priorities
  const place = typeof places === 'object' && places !== null ? (places as JsonObject)[country] : undefined
  return typeof place === 'number' ? place : (numberField(provider, 'display_priority') ?? Number.MAX_SAFE_INTEGER)
}

/** An id from a name: `Paramount+` becomes `paramountplus`, `Lantern Lane` becomes `lantern-lane`. */
function toServiceId(name: string, provider: number): string {
  return slugify(name.replaceAll('+', 'plus')) ?? `provider-${provider}`
}

/** What a provider of TMDB is in the catalog: a service, or an addon of one. */
export interface MappedProvider {
  readonly service: string
  readonly addon?: string
  /** What the service, or the addon, is called; default: what TMDB calls the provider. */
  readonly name?: string
}

/** The operator's own part of the mapping: provider id to what it is, or to null where it is to be left out. */
export type ProviderMapping = ReadonlyMap<number, MappedProvider | null>

/** Thrown when a mapping cannot be used; the message has a line for each problem. */
export class ProviderMappingError extends Error {
  override readonly name = 'ProviderMappingError'
}

/** Reads a mapping such as `{"9001":{"service":"lantern"},"582":{"service":"prime","addon":"paramountplus"},"3":null}`. */
export function parseProviderMapping(value: unknown): ProviderMapping {
  if (!isObject(value)) throw new ProviderMappingError('an object from provider ids to services is needed')
  const problems: string[] = []
  const mapping = new Map<number, MappedProvider | null>()
  for (const [id, to] of Object.entries(value)) {
    const problem = findMappingProblem(id, to)
    if (problem !== undefined) problems.push(problem)
    else mapping.set(Number(id), to as MappedProvider | null)
  }
  if (problems.length > 0) throw new ProviderMappingError(problems.join('\n'))
  return mapping
}

function findMappingProblem(id: string, to: unknown): string | undefined {
  if (!/^\d{1,9}$/.test(id)) return `"${id}" is no provider id; a whole number such as "8" is needed`
  if (to === null) return undefined
  if (!isObject(to)) return `"${id}" is mapped to ${JSON.stringify(to)}; {"service": …} or null is needed`
  const { service, addon, name, ...others } = to
  if (typeof service !== 'string' || !isServiceId(service)) {
    return `"${id}" has the service ${JSON.stringify(service)}; an id such as "netflix" is needed`
  }
  if (addon !== undefined && (typeof addon !== 'string' || !isServiceId(addon))) {
    return `"${id}" has the addon ${JSON.stringify(addon)}; an id such as "paramountplus" is needed`
  }
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    return `"${id}" has the name ${JSON.stringify(name)}; a text is needed`
  }
  const [unknown] = Object.keys(others)
  return unknown === undefined ? undefined : `"${id}" has "${unknown}"; only service, addon and name are known`
}

/** A service that TMDB's providers are known under: what it is called, its home page and its colour. */
export interface KnownService {
  readonly name: string
  readonly homePage: string
  readonly color: string
}

/** Services by the ids that catalogs use for them. */
export const KNOWN_SERVICES: ReadonlyMap<string, KnownService> = new Map(
  Object.entries({
    netflix: { name: 'Netflix', homePage: 'https://www.netflix.com', color: '#e50914' },
    prime: { name: 'Prime Video', homePage: 'https://www.primevideo.com', color: '#00a8e1' },
    disney: { name: 'Disney+', homePage: 'https://www.disneyplus.com', color: '#01137c' },
    apple: { name: 'Apple TV', homePage: 'https://tv.apple.com', color: '#000000' },
    hbo: { name: 'HBO Max', homePage: 'https://www.hbomax.com', color: '#5822b4' },
    mubi: { name: 'MUBI', homePage: 'https://mubi.com', color: '#001489' },
    hulu: { name: 'Hulu', homePage: 'https://www.hulu.com', color: '#1ce783' },
    paramount: { name: 'Paramount+', homePage: 'https://www.paramountplus.com', color: '#0064ff' },
    peacock: { name: 'Peacock', homePage: 'https://www.peacocktv.com', color: '#6e2db8' },
    crunchyroll: { name: 'Crunchyroll', homePage: 'https://www.crunchyroll.com', color: '#f47521' },
    tubi: { name: 'Tubi', homePage: 'https://tubitv.com', color: '#7408ff' },
    plutotv: { name: 'Pluto TV', homePage: 'https://pluto.tv', color: '#1f1f2e' },
    starz: { name: 'STARZ', homePage: 'https://www.starz.com', color: '#101820' },
    britbox: { name: 'BritBox', homePage: 'https://www.britbox.com', color: '#0f1d5c' },
    curiosity: { name: 'Curiosity Stream', homePage: 'https://curiositystream.com', color: '#f2a900' },
    discovery: { name: 'discovery+', homePage: 'https://www.discoveryplus.com', color: '#2175d9' },
    iplayer: { name: 'BBC iPlayer', homePage: 'https://www.bbc.co.uk/iplayer', color: '#ff4c98' },
    itvx: { name: 'ITVX', homePage: 'https://www.itv.com', color: '#0a5c63' },
    all4: { name: 'Channel 4', homePage: 'https://www.channel4.com', color: '#00a34a' },
    now: { name: 'NOW', homePage: 'https://www.nowtv.com', color: '#00818a' },
    stan: { name: 'Stan', homePage: 'https://www.stan.com.au', color: '#0072fb' },
    binge: { name: 'BINGE', homePage: 'https://binge.com.au', color: '#ff2d78' },
    crave: { name: 'Crave', homePage: 'https://www.crave.ca', color: '#0099cc' },
    rakuten: { name: 'Rakuten TV', homePage: 'https://www.rakuten.tv', color: '#bf0000' },
    zee5: { name: 'ZEE5', homePage: 'https://www.zee5.com', color: '#8230c6' },
    sonyliv: { name: 'SonyLIV', homePage: 'https://www.sonyliv.com', color: '#d68a00' },
    arte: { name: 'ARTE', homePage: 'https://www.arte.tv', color: '#fa481c' },
    rtlplus: { name: 'RTL+', homePage: 'https://plus.rtl.de', color: '#2d2a8c' },
    joyn: { name: 'Joyn', homePage: 'https://www.joyn.de', color: '#4b4be0' },
    raiplay: { name: 'RaiPlay', homePage: 'https://www.raiplay.it', color: '#0e3a7d' },
    canalplus: { name: 'Canal+', homePage: 'https://www.canalplus.com', color: '#1a1a1a' },
    filmin: { name: 'Filmin', homePage: 'https://www.filmin.es', color: '#00a58e' },
    videoland: { name: 'Videoland', homePage: 'https://www.videoland.com', color: '#d9232e' },
    viaplay: { name: 'Viaplay', homePage: 'https://viaplay.com', color: '#c2185b' },
    skyshowtime: { name: 'SkyShowtime', homePage: 'https://www.skyshowtime.com', color: '#4a2bd1' },
    globoplay: { name: 'Globoplay', homePage: 'https://globoplay.globo.com', color: '#fb0234' },
    unext: { name: 'U-NEXT', homePage: 'https://video.unext.jp', color: '#00569f' },
    wavve: { name: 'wavve', homePage: 'https://www.wavve.com', color: '#1351f9' },
    watcha: { name: 'WATCHA', homePage: 'https://watcha.com', color: '#f82f62' },
  }),
)

/**
 * Provider ids of TMDB, by service, with a word that the provider's name has to hold: an id that has come to mean
 * somebody else is then not taken for the service.
 */
const PROVIDER_ROWS: readonly (readonly [service: string, word: string, ...ids: readonly number[]])[] = [
  ['netflix', 'netflix', 8, 175, 1796],
  ['prime', 'amazon', 9, 10, 119, 613, 2100],
  ['disney', 'disney', 337],
  ['apple', 'apple', 2, 350],
  ['hbo', 'max', 384, 1899],
  ['mubi', 'mubi', 11],
  ['hulu', 'hulu', 15],
  ['paramount', 'paramount', 531, 1770, 2303, 2304],
  ['peacock', 'peacock', 386, 387],
  ['crunchyroll', 'crunchyroll', 283],
  ['tubi', 'tubi', 73],
  ['plutotv', 'pluto', 300],
  ['starz', 'starz', 43],
  ['britbox', 'britbox', 151],
  ['curiosity', 'curiosity', 190],
  ['discovery', 'discovery', 520, 524],
  ['iplayer', 'iplayer', 38],
  ['itvx', 'itv', 41],
  ['all4', '4', 103],
  ['now', 'now', 39],
  ['stan', 'stan', 21],
  ['binge', 'binge', 385],
  ['crave', 'crave', 230],
  ['rakuten', 'rakuten', 35],
  ['zee5', 'zee5', 232],
  ['sonyliv', 'sony', 237],
  ['arte', 'arte', 234],
  ['rtlplus', 'rtl', 298],
  ['joyn', 'joyn', 304],
  ['raiplay', 'rai', 222],
  ['canalplus', 'canal', 381],
  ['filmin', 'filmin', 63],
  ['videoland', 'videoland', 72],
  ['viaplay', 'viaplay', 76],
  ['skyshowtime', 'skyshowtime', 1773],
  ['globoplay', 'globoplay', 307],
  ['unext', 'next', 84],
  ['wavve', 'wavve', 356],
  ['watcha', 'watcha', 97],
]

/** Provider id to service, and the word that the provider's name has to hold, in lower case. */
export const PROVIDER_TABLE: ReadonlyMap<number, { readonly service: string; readonly word: string }> = new Map(
  PROVIDER_ROWS.flatMap(([service, word, ...ids]) => ids.map((id) => [id, { service, word }] as const)),
)

/**
 * A `country` record for each country: its services in TMDB's order, with the logos from its lists. Services that
 * another feed has told more about keep what they have.
 */
export function buildReferenceRecords(
  lists: Readonly<Record<string, readonly JsonObject[]>>,
  directory: ProviderDirectory,
  reference: Reference,
): object[] {
  return Object.entries(lists).map(([countryCode, ofCountry]) => ({
    kind: 'country',
    countryCode,
    services: directory
      .listServices(countryCode, ofCountry)
      .map((service) => toServiceEntry(service, findServiceInCountry(reference, service.id, countryCode))),
  }))
}

function toServiceEntry(listed: ListedService, known: ServiceInCountry | undefined): object | string {
  if (known === undefined) return listed
  const { lightThemeImage } = known.imageSet
  const ours = lightThemeImage === '' || lightThemeImage.startsWith(IMAGE_BASE_URL)
  if (!ours || listed.imageSet.lightThemeImage === '') return listed.id
  // Stated with its types, a known service takes over what is stated here; so all of them have to be named again.
  const types = OFFER_TYPES.map((type) => [type, known.optionTypes.includes(type)])
  return { id: listed.id, imageSet: listed.imageSet, streamingOptionTypes: Object.fromEntries(types) }
}
