import type { StreamingOption } from 'marquee-client'
import { isLeavingSoon } from 'marquee-client'
import { harmless, type Style, styled } from './terminal-text.ts'

const TYPE_STYLES: Record<StreamingOption['type'], Style> = {
  free: 'green',
  subscription: 'cyan',
  rent: 'yellow',
  buy: 'yellow',
  addon: 'magenta',
}

/** How an offer lets something be watched, with the addon that it needs. */
export function offerType({ type, addon }: StreamingOption): string {
  return styled(addon === undefined ? type : `addon ${addon.name}`, TYPE_STYLES[type])
}

/** Until when an offer lasts; empty if no end is known. */
export function offerEnd(offer: StreamingOption): string {
  const soon = isLeavingSoon(offer)
  if (offer.expiresOn === undefined) return soon ? styled('soon', 'red') : ''
  const day = new Date(offer.expiresOn * 1000).toISOString().slice(0, 10)
  return soon ? styled(day, 'red') : day
}

/** All offers of a country in one line: each service once, with its types and the lowest price of each. */
export function offersInShort(offers: readonly StreamingOption[]): string {
  const services = new Map<string, Map<string, string>>()
  for (const offer of offers) {
    const types = services.get(offer.service.name) ?? new Map<string, string>()
    services.set(offer.service.name, types)
    const type = offerType(offer)
    const price = types.get(type)
    const own = offer.price?.formatted ?? ''
    if (price === undefined || Number.parseFloat(own) < Number.parseFloat(price)) types.set(type, own)
  }
  return [...services]
    .map(([name, types]) => {
      const ways = [...types].map(([type, price]) => (price === '' ? type : `${type} ${harmless(price)}`))
      return `${harmless(name)} (${ways.join(', ')})`
    })
    .join(', ')
}
