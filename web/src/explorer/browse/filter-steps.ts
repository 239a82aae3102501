import { countryCurrency } from '../../i18n/currency.ts'
import type { BrowseFilters } from './browse-filters.ts'

/** The steps of a filter: each value as the URL has it, and the change of the filters that it stands for. */
export type FilterSteps = Readonly<Record<string, Partial<BrowseFilters>>>

/** Lengths of a movie that people look for, in minutes. */
export const LENGTH_STEPS: FilterSteps = { 90: { runtimeMax: 90 }, 120: { runtimeMax: 120 }, 150: { runtimeMax: 150 } }

/** Qualities that people look for. */
const QUALITY_STEPS: FilterSteps = { hd: { qualityMin: 'hd' }, uhd: { qualityMin: 'uhd' } }

/** Periods in which offers end. */
const LEAVING_STEPS: FilterSteps = { week: { leaving: 'week' }, month: { leaving: 'month' } }

/** What renting a movie costs: less than usual, as usual, and more, in currencies of which one is worth about a dollar. */
const PRICES = [3, 5, 10]

/** About how many of a currency a dollar is worth, as a round number; one where nothing is said. */
const PRICE_LEVELS: Readonly<Record<string, number>> = {
  ...{ BRL: 4, ILS: 4, MYR: 4, PEN: 4, PLN: 4, RON: 4, AED: 4, QAR: 4, SAR: 4, CNY: 6, HKD: 8, DKK: 8, MAD: 8 },
  ...{ NOK: 10, SEK: 10, MXN: 16, ZAR: 16, CZK: 20, THB: 30, TWD: 30, TRY: 30, EGP: 30, UAH: 30, INR: 40, PHP: 50 },
  ...{ RSD: 100, ISK: 100, JPY: 100, HUF: 300, CLP: 1_000, ARS: 1_000, KRW: 1_200, COP: 4_000, IDR: 10_000 },
  VND: 20_000,
}

/** The most that a rent or a purchase may cost, in the currency of a country; none where it is not known. */
export function priceSteps(country: string): FilterSteps {
  const currency = countryCurrency(country)
  if (currency === undefined) return {}
  const level = PRICE_LEVELS[currency] ?? 1
  return Object.fromEntries(PRICES.map((price) => [price * level, { priceMax: String(price * level) }]))
}

/** The steps of all filters on offers, by value: no two have the same. */
export function offerSteps(country: string): FilterSteps {
  return { ...QUALITY_STEPS, ...LEAVING_STEPS, ...priceSteps(country) }
}

/** Whether a filter on offers is set, so that their options are shown at first. */
export function hasOfferFilter({ leaving, qualityMin, priceMax }: BrowseFilters): boolean {
  return leaving !== undefined || qualityMin !== undefined || priceMax !== undefined
}
