import { formatPrice, type OfferType } from '../../model/offer.ts'
import { homePage, logoImages } from '../artwork-url.ts'
import countryData from '../data/countries.json' with { type: 'json' }
import serviceData from '../data/services.json' with { type: 'json' }
import type { FeedAddon, FeedOptionTypes, FeedPrice, FeedServiceDetails, ServiceRecord } from '../feed-records.ts'

/** A service in one country, with what `OfferGenerator` needs. */
export interface MarketService {
  readonly id: string
  readonly types: readonly OfferType[]
  readonly addons: readonly string[]
  readonly hasTopList: boolean
  readonly hasUpcoming: boolean
  /** The prefix of every link of this service in this country. */
  readonly linkPrefix: string
}

/** A country with its services and price tiers. */
export interface Market {
  readonly code: string
  readonly country: DemoCountry
  readonly services: readonly MarketService[]
  readonly rent: PriceTiers
  readonly buy: PriceTiers
}

/** Usual prices by quality. */
type PriceTiers = Readonly<Record<'sd' | 'hd' | 'qhd' | 'uhd', readonly FeedPrice[]>>

const RENT_TIERS_USD = { sd: [1.99, 2.99], hd: [2.99, 3.99, 4.99], qhd: [3.99, 4.99], uhd: [3.99, 4.99, 5.99] }
const BUY_TIERS_USD = {
  sd: [4.99, 7.99],
  hd: [7.99, 9.99, 12.99, 14.99],
  qhd: [9.99, 12.99],
  uhd: [12.99, 14.99, 19.99, 24.99],
}

/** Creates the markets of the first `count` countries. */
export function createMarkets(count: number, baseUrl: string): Market[] {
  return DEMO_COUNTRIES.slice(0, count).map((country) => ({
    code: country.code,
    country,
    services: country.services.map((id) => createMarketService(requireService(id), country.code, baseUrl)),
    rent: convertTiers(country, RENT_TIERS_USD),
    buy: convertTiers(country, BUY_TIERS_USD),
  }))
}

function createMarketService(service: DemoService, country: string, baseUrl: string): MarketService {
  const overrides = service.countries?.[country]
  const addons = overrides?.addons ?? service.addons ?? []
  const types = overrides?.types ?? service.types
  return {
    id: service.id,
    types: addons.length > 0 ? types : types.filter((type) => type !== 'addon'),
    addons,
    hasTopList: service.hasTopList === true,
    hasUpcoming: service.hasUpcoming === true,
    linkPrefix: `${baseUrl}/watch/${service.id}/${country}/`,
  }
}

function convertTiers(country: DemoCountry, dollars: Record<keyof PriceTiers, readonly number[]>): PriceTiers {
  const convert = (amounts: readonly number[]) => amounts.map((amount) => localPrice(amount, country))
  return { sd: convert(dollars.sd), hd: convert(dollars.hd), qhd: convert(dollars.qhd), uhd: convert(dollars.uhd) }
}

const CURRENCIES_WITHOUT_CENTS = new Set(['JPY', 'KRW', 'CLP', 'COP', 'IDR', 'HUF', 'ARS'])

/** Converts a price in US dollars to a usual price in the country's currency: `3.99`, `39.90`, `450`, `49000`. */
function localPrice(dollars: number, country: Pick<DemoCountry, 'currency' | 'priceLevel'>): FeedPrice {
  const { currency, priceLevel } = country
  const value = dollars * priceLevel
  let amount: string
  if (CURRENCIES_WITHOUT_CENTS.has(currency)) {
    const step = value < 2_000 ? 50 : value < 20_000 ? 100 : 1_000
    amount = String(Math.max(step, Math.round(value / step) * step))
  } else {
    const cents = priceLevel < 3 ? 0.99 : 0.9
    amount = (Math.max(1, Math.floor(value)) + cents).toFixed(2)
  }
  return { amount, currency, formatted: formatPrice({ amount, currency }) }
}

/** Creates the feed records of all services that the markets have. */
export function createServiceRecords(markets: readonly Market[], baseUrl: string): ServiceRecord[] {
  const used = new Set(markets.flatMap((market) => market.country.services))
  const codes = new Set(markets.map((market) => market.code))
  return DEMO_SERVICES.filter((service) => used.has(service.id)).map((service) =>
    createServiceRecord(service, codes, baseUrl),
  )
}

function createServiceRecord(service: DemoService, codes: ReadonlySet<string>, baseUrl: string): ServiceRecord {
  const countries: Record<string, Partial<FeedServiceDetails>> = {}
  for (const code of Object.keys(service.countries ?? {})) {
    if (codes.has(code)) countries[code] = countryOverrides(service, code, baseUrl)
  }
  return {
    kind: 'service',
    id: service.id,
    name: service.name,
    homePage: homePage(baseUrl, service.id),
    themeColorCode: service.color,
    imageSet: logoImages(baseUrl, service.id),
    hasTopList: service.hasTopList === true,
    hasUpcoming: service.hasUpcoming === true,
    streamingOptionTypes: optionTypes(service.types, service.addons ?? []),
    addons: createAddonRecords(service.id, service.addons ?? [], baseUrl),
    ...(service.names === undefined ? {} : { names: service.names }),
    ...(Object.keys(countries).length === 0 ? {} : { countries }),
  }
}

function countryOverrides(service: DemoService, code: string, baseUrl: string): Partial<FeedServiceDetails> {
  const overrides = service.countries?.[code] ?? {}
  const types = overrides.types ?? service.types
  const addons = overrides.addons ?? service.addons ?? []
  const hasOwnBrand = overrides.name !== undefined || overrides.color !== undefined
  return {
    ...(overrides.name === undefined ? {} : { name: overrides.name }),
    homePage: homePage(baseUrl, service.id, code),
    ...(overrides.color === undefined ? {} : { themeColorCode: overrides.color }),
    ...(hasOwnBrand ? { imageSet: logoImages(baseUrl, `${service.id}.${code}`) } : {}),
    streamingOptionTypes: optionTypes(types, addons),
    addons: createAddonRecords(service.id, addons, baseUrl),
    ...(overrides.names === undefined ? {} : { names: overrides.names }),
  }
}

function optionTypes(types: readonly OfferType[], addons: readonly string[]): FeedOptionTypes {
  return {
    addon: types.includes('addon') && addons.length > 0,
    buy: types.includes('buy'),
    rent: types.includes('rent'),
    free: types.includes('free'),
    subscription: types.includes('subscription'),
  }
}

function createAddonRecords(service: string, ids: readonly string[], baseUrl: string): FeedAddon[] {
  return ids.map((id) => {
    const addon = DEMO_ADDONS.get(id)
    if (addon === undefined) throw new Error(`The demo has no addon "${id}".`)
    return {
      id,
      name: addon.name,
      homePage: homePage(baseUrl, service, `addon/${id}`),
      themeColorCode: addon.color,
      imageSet: logoImages(baseUrl, `${service}/${id}`),
    }
  })
}

/** A country of the demo: an entry of `data/countries.json`. */
export interface DemoCountry {
  readonly code: string
  readonly currency: string
  /** Price of an item in the local currency, for each US dollar of its US price. */
  readonly priceLevel: number
  /** Language of dubs and subtitles, ISO 639-2/3, and its region where one is usually given. */
  readonly language: string
  readonly region?: string
  /** Service ids, most popular first. */
  readonly services: readonly string[]
}

/** An addon of the demo: an entry of `data/services.json`. */
interface DemoAddon {
  readonly id: string
  readonly name: string
  readonly color: string
  /** The service whose catalog the addon has, if it is one of the demo. */
  readonly sells?: string
}

/** A service of the demo: an entry of `data/services.json`. Names and colours resemble the real ones. */
export interface DemoService {
  readonly id: string
  readonly name: string
  readonly color: string
  readonly types: readonly OfferType[]
  readonly hasTopList?: true
  readonly hasUpcoming?: true
  readonly addons?: readonly string[]
  /** The name by language, where it differs. */
  readonly names?: Readonly<Record<string, string>>
  readonly countries?: Readonly<Record<string, DemoServiceOverrides>>
}

/** Overrides of a service's properties in one country. */
interface DemoServiceOverrides {
  readonly name?: string
  readonly color?: string
  readonly types?: readonly OfferType[]
  readonly addons?: readonly string[]
  readonly names?: Readonly<Record<string, string>>
}

/** The name and colour of a service or an addon, for its logo and its page. */
export interface DemoBrand {
  readonly name: string
  readonly color: string
  /** The name of the service that sells the addon. */
  readonly through?: string
}

/** The countries of the demo. A demo of N countries takes the first N, by default all. */
export const DEMO_COUNTRIES: readonly DemoCountry[] = countryData

/** Every addon of the demo by id. */
export const DEMO_ADDONS: ReadonlyMap<string, DemoAddon> = new Map(serviceData.addons.map((addon) => [addon.id, addon]))

/** Every service of the demo. */
const DEMO_SERVICES = serviceData.services as unknown as readonly DemoService[]

const servicesById: ReadonlyMap<string, DemoService> = new Map(DEMO_SERVICES.map((service) => [service.id, service]))

/** Gets a service that is known to exist. */
export function requireService(id: string): DemoService {
  const service = servicesById.get(id)
  if (service === undefined) throw new Error(`The demo has no service "${id}".`)
  return service
}

/** Finds the brand of a service, as it is in a country if one is given, or of one of the addons. */
export function findBrand(id: string, where: { country?: string; addon?: string }): DemoBrand | undefined {
  const service = servicesById.get(id)
  if (service === undefined) return undefined
  if (where.addon !== undefined) {
    const addon = DEMO_ADDONS.get(where.addon)
    return addon && { name: addon.name, color: addon.color, through: service.name }
  }
  const overrides = where.country === undefined ? undefined : service.countries?.[where.country]
  return { name: overrides?.name ?? service.name, color: overrides?.color ?? service.color }
}
