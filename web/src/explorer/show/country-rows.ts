import type { Show, StreamingOption } from 'marquee-client'
import { countryCurrency } from '../../i18n/currency.ts'
import type { OwnServices } from '../included.ts'
import { type Way, waysToWatch } from './ways-to-watch.ts'

/** Which ways the table of countries shows. */
export type WaysFilter = 'own' | 'flat' | 'rent' | 'buy' | 'all'

/** A country with its ways of one kind. */
export interface CountryWays {
  readonly code: string
  readonly name: string
  readonly ways: readonly Way[]
}

interface CountryChoice {
  readonly own: OwnServices
  readonly filter: WaysFilter
  /** The viewer's country, whose currency comes first. */
  readonly country: string
  /** Names a country. */
  readonly name: (code: string) => string
}

const FILTERS: readonly WaysFilter[] = ['own', 'flat', 'rent', 'buy', 'all']

/** The offers of a show by country. */
type Offered = Pick<Show, 'streamingOptions'>

/** The filters that leave something, with the number of their countries. What shows all the same countries is no filter. */
export function waysFilters(
  show: Offered,
  own: OwnServices,
): { readonly filter: WaysFilter; readonly countries: number }[] {
  const offers = Object.values(show.streamingOptions)
  return FILTERS.flatMap((filter) => {
    const countries = offers.filter((list = []) => list.some((offer) => passes(offer, filter, own))).length
    return countries === 0 ? [] : { filter, countries }
  })
}

/**
 * A row for each country with ways of the wanted kind. To rent and to buy, they are ordered by price: first those in the
 * currency of the viewer's country, then each other currency, since prices are only compared within one. Otherwise those
 * with a service of the viewer come first, then they are ordered by name.
 */
export function countryRows(show: Offered, { own, filter, country, name }: CountryChoice): CountryWays[] {
  const home = countryCurrency(country)
  const rows = Object.entries(show.streamingOptions).flatMap(([code, offers = []]) => {
    const ways = waysToWatch(
      offers.filter((offer) => passes(offer, filter, own)),
      own,
    )
    if (ways.length === 0) return []
    return { code, ways, isOwn: ways.some(({ service }) => own.has(service.id)), name: name(code), price: lowest(ways) }
  })
  type Row = (typeof rows)[number]
  const byPrice = (a: Row, b: Row) => {
    if (a.price === undefined || b.price === undefined)
      return Number(a.price === undefined) - Number(b.price === undefined)
    if (a.price.currency === b.price.currency) return Number(a.price.amount) - Number(b.price.amount)
    const isHome = ({ price }: Row) => Number(price?.currency === home)
    return isHome(b) - isHome(a) || (a.price.currency < b.price.currency ? -1 : 1)
  }
  const byOwn = (a: Row, b: Row) => Number(b.isOwn) - Number(a.isOwn)
  const compare = filter === 'rent' || filter === 'buy' ? byPrice : byOwn
  return rows.sort((a, b) => compare(a, b) || a.name.localeCompare(b.name))
}

function passes({ type, service }: StreamingOption, filter: WaysFilter, own: OwnServices): boolean {
  if (filter === 'own') return own.has(service.id) && (type === 'subscription' || type === 'free')
  if (filter === 'flat') return type !== 'rent' && type !== 'buy'
  return filter === 'all' || type === filter
}

/** The lowest price of a country; the offers of a way are ordered by price, and so are the ways of a type. */
function lowest(ways: readonly Way[]): StreamingOption['price'] {
  return ways.map(({ offers: [{ price }] }) => price).find((price) => price !== undefined)
}
