import type { ServiceInfo, StreamingOption, StreamingOptionType } from 'marquee-client'
import { isIncluded, type OwnServices } from '../included.ts'

/** The offers of one service and type, and of an addon one by one: they differ in quality and price. */
export interface Way {
  readonly key: string
  readonly type: StreamingOptionType
  readonly service: ServiceInfo
  readonly addon: StreamingOption['addon']
  /** By price, then by quality. */
  readonly offers: readonly [StreamingOption, ...StreamingOption[]]
  /** Whether it costs the viewer nothing more. */
  readonly isIncluded: boolean
  /** Whether no other offer of its type costs less. Only where there is something to compare with. */
  readonly isCheapest: boolean
}

/** Types without a price of their own first. */
const TYPE_ORDER: readonly StreamingOptionType[] = ['subscription', 'free', 'addon', 'rent', 'buy']

const QUALITIES: readonly (string | undefined)[] = ['sd', 'hd', 'qhd', 'uhd']

/** Groups the offers of a show in a country: what the viewer has first, rent and buy by price. */
export function waysToWatch(offers: readonly StreamingOption[], own: OwnServices): Way[] {
  const groups = new Map<string, [StreamingOption, ...StreamingOption[]]>()
  for (const offer of offers) {
    const key = [offer.type, offer.service.id, offer.addon?.id].join(' ')
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [offer])
    else group.push(offer)
  }
  const ways = [...groups].map(([key, group]) => {
    const { type, service, addon } = group[0]
    const sorted = group.sort((a, b) => comparePrices(a, b) || quality(a) - quality(b))
    return { key, type, service, addon, offers: sorted, isIncluded: isIncluded(group[0], own), isCheapest: false }
  })
  const sorted = ways.sort(
    (a, b) =>
      TYPE_ORDER.indexOf(a.type) - TYPE_ORDER.indexOf(b.type) ||
      Number(b.isIncluded) - Number(a.isIncluded) ||
      comparePrices(a.offers[0], b.offers[0]),
  )
  return sorted.map((way) => ({ ...way, isCheapest: isCheapest(way, sorted) }))
}

/**
 * The best way for the viewer, with its best offer: what is included, else the lowest rent, else the lowest price. A
 * subscription to another service comes before those only for a viewer who has named none.
 */
export function bestWay(ways: readonly Way[], own: OwnServices): { way: Way; offer: StreamingOption } | undefined {
  const order: readonly StreamingOptionType[] =
    own.size > 0 ? ['subscription', 'free', 'rent', 'buy', 'addon'] : ['subscription', 'free', 'addon', 'rent', 'buy']
  const rank = ({ type, isIncluded: isFirst }: Way) =>
    (isFirst ? 0 : own.size > 0 && type === 'subscription' ? 9 : 1) * 10 + order.indexOf(type)
  const [way] = [...ways].sort((a, b) => rank(a) - rank(b))
  if (way === undefined) return undefined
  // Of what has a price the lowest, of all others the best quality.
  const offer = way.offers[0].price === undefined ? way.offers.at(-1) : way.offers[0]
  return { way, offer: offer as StreamingOption }
}

/** Prices of different currencies are not compared, and offers without a price come last. */
function comparePrices({ price: a }: StreamingOption, { price: b }: StreamingOption): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return a.currency === b.currency ? Number(a.amount) - Number(b.amount) : 0
}

function quality({ quality: name }: StreamingOption): number {
  return QUALITIES.indexOf(name)
}

function isCheapest(way: Way, ways: readonly Way[]): boolean {
  const [{ price }] = way.offers
  const peers = ways.filter(({ type, offers }) => type === way.type && offers[0].price !== undefined)
  if (price === undefined || peers.length < 2) return false
  return peers.every(
    ({ offers: [peer] }) => peer.price?.currency === price.currency && comparePrices(way.offers[0], peer) <= 0,
  )
}
