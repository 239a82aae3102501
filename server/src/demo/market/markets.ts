import { formatPrice, type OfferType } from '../../model/offer.ts'
import { homePage, logoImages } from '../artwork-url.ts'
import type { FeedAddon, FeedOptionTypes, FeedPrice, FeedServiceDetails, ServiceRecord } from '../feed-records.ts'
import {
  DEMO_ADDONS,
  DEMO_COUNTRIES,
  DEMO_SERVICES,
  type DemoCountry,
  type DemoService,
  requireService,
} from './reference-data.ts'

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
