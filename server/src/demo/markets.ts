import { formatPrice, type OfferType } from '../model/offer.ts'
import { DEMO_COUNTRIES, type DemoCountry } from './countries.ts'
import type { FeedPrice } from './feed-record.ts'
import { type DemoService, serviceById } from './services.ts'

/** A service in a country, with what the making of offers needs at hand. */
export interface Shelf {
  readonly service: string
  readonly types: readonly OfferType[]
  readonly addons: readonly string[]
  readonly hasTopList: boolean
  readonly hasUpcoming: boolean
  /** The start of every link of this service in this country. */
  readonly linkPrefix: string
}

/** A country with its services and its prices. */
export interface Market {
  readonly code: string
  readonly country: DemoCountry
  readonly shelves: readonly Shelf[]
  readonly rent: PriceTiers
  readonly buy: PriceTiers
}

/** Prices that are usual for each quality. */
export type PriceTiers = Readonly<Record<'sd' | 'hd' | 'qhd' | 'uhd', readonly FeedPrice[]>>

const RENT_DOLLARS = { sd: [1.99, 2.99], hd: [2.99, 3.99, 4.99], qhd: [3.99, 4.99], uhd: [3.99, 4.99, 5.99] }
const BUY_DOLLARS = {
  sd: [4.99, 7.99],
  hd: [7.99, 9.99, 12.99, 14.99],
  qhd: [9.99, 12.99],
  uhd: [12.99, 14.99, 19.99, 24.99],
}

/** The first countries of the demo, as many as asked for, ready to be offered in. */
export function demoMarkets(count: number, baseUrl: string): Market[] {
  return DEMO_COUNTRIES.slice(0, count).map((country) => ({
    code: country.code,
    country,
    shelves: country.services.map((id) => shelfOf(serviceById(id), country.code, baseUrl)),
    rent: tiersIn(country, RENT_DOLLARS),
    buy: tiersIn(country, BUY_DOLLARS),
  }))
}

function shelfOf(service: DemoService, country: string, baseUrl: string): Shelf {
  const here = service.countries?.[country]
  const addons = here?.addons ?? service.addons ?? []
  const types = here?.types ?? service.types
  return {
    service: service.id,
    types: addons.length > 0 ? types : types.filter((type) => type !== 'addon'),
    addons,
    hasTopList: service.hasTopList === true,
    hasUpcoming: service.hasUpcoming === true,
    linkPrefix: `${baseUrl}/watch/${service.id}/${country}/`,
  }
}

function tiersIn(country: DemoCountry, dollars: Record<keyof PriceTiers, readonly number[]>): PriceTiers {
  const convert = (amounts: readonly number[]) => amounts.map((amount) => localPrice(amount, country))
  return { sd: convert(dollars.sd), hd: convert(dollars.hd), qhd: convert(dollars.qhd), uhd: convert(dollars.uhd) }
}

const WITHOUT_CENTS = new Set(['JPY', 'KRW', 'CLP', 'COP', 'IDR', 'HUF', 'ARS'])

/** What an amount in dollars becomes on a price tag of the country: `3.99`, `39.90`, `450`, `49000`. */
export function localPrice(dollars: number, country: Pick<DemoCountry, 'currency' | 'priceLevel'>): FeedPrice {
  const { currency, priceLevel } = country
  const value = dollars * priceLevel
  let amount: string
  if (WITHOUT_CENTS.has(currency)) {
    const step = value < 2_000 ? 50 : value < 20_000 ? 100 : 1_000
    amount = String(Math.max(step, Math.round(value / step) * step))
  } else {
    const cents = priceLevel < 3 ? 0.99 : 0.9
    amount = (Math.max(1, Math.floor(value)) + cents).toFixed(2)
  }
  return { amount, currency, formatted: formatPrice({ amount, currency }) }
}
