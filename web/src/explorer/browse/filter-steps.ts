import { countryCurrency } from '../../i18n/currency.ts'
import type { BrowseFilters } from './browse-filters.ts'

/** The filters that are chosen in steps, each with the parameter of the API that it becomes. */
export const STEP_PARAMETERS = {
  runtimeMax: 'runtimeMax',
  qualityMin: 'qualityMin',
  leaving: 'leavingBefore',
  priceMax: 'priceMax',
} as const

/** A filter that is chosen in steps. */
export type StepFilter = keyof typeof STEP_PARAMETERS

/** Lengths of a movie that people look for, in minutes. */
export const LENGTHS: readonly number[] = [90, 120, 150]

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
export function priceSteps(country: string): string[] {
  const currency = countryCurrency(country)
  if (currency === undefined) return []
  const level = PRICE_LEVELS[currency] ?? 1
  return PRICES.map((price) => String(price * level))
}

/** The values of all filters that are chosen in steps. */
export function filterSteps(country: string): { readonly [F in StepFilter]: readonly NonNullable<BrowseFilters[F]>[] } {
  return {
    runtimeMax: LENGTHS,
    qualityMin: ['hd', 'uhd'],
    leaving: ['week', 'month'],
    priceMax: priceSteps(country),
  }
}
