import type { StreamingOption } from 'marquee-client'
import { expect, it } from 'vitest'
import { bestWay, waysToWatch } from './ways-to-watch.ts'

function offer(service: string, type: string, quality?: string, amount?: string, currency = 'USD'): StreamingOption {
  const price = amount === undefined ? {} : { price: { amount, currency, formatted: `${amount} ${currency}` } }
  return { service: { id: service }, type, ...(quality && { quality }), ...price } as unknown as StreamingOption
}

const OFFERS = [
  offer('apple', 'rent', 'uhd', '5.99'),
  offer('apple', 'rent', 'sd', '3.99'),
  offer('prime', 'buy', 'hd', '9.99'),
  offer('prime', 'rent', 'hd', '10.99'),
  offer('prime', 'rent', 'sd', '2.99'),
  offer('hbo', 'subscription', 'uhd'),
  offer('netflix', 'subscription', 'hd'),
  offer('netflix', 'subscription', 'uhd'),
]

const own = (...services: string[]) => new Set(services)

const summary = (offers: readonly StreamingOption[], services = own()) =>
  waysToWatch(offers, services).map(
    ({ type, service, offers: group, isCheapest }) =>
      `${service.id} ${type} ${group.map(({ quality }) => quality).join('+')}${isCheapest ? ' cheapest' : ''}`,
  )

const best = (offers: readonly StreamingOption[], services = own()) => {
  const found = bestWay(waysToWatch(offers, services), services)
  return (
    found && `${found.way.service.id} ${found.offer.type} ${found.offer.quality} ${found.offer.price?.amount ?? ''}`
  )
}

it('groups qualities, sorts rent and buy by price, and marks the cheapest where there is a choice', () => {
  expect(summary(OFFERS)).toEqual([
    'hbo subscription uhd',
    'netflix subscription hd+uhd',
    'prime rent sd+hd cheapest',
    'apple rent sd+uhd',
    'prime buy hd',
  ])
  expect(summary(OFFERS, own('netflix'))[0]).toBe('netflix subscription hd+uhd')
})

it('compares no prices of different currencies', () => {
  const mixed = [offer('a', 'rent', 'hd', '3', 'USD'), offer('b', 'rent', 'hd', '2', 'EUR'), offer('c', 'rent', 'hd')]
  expect(summary(mixed)).toEqual(['a rent hd', 'b rent hd', 'c rent hd'])
})

it('finds the best way for a viewer', () => {
  expect(best(OFFERS)).toBe('hbo subscription uhd ')
  expect(best(OFFERS, own('netflix'))).toBe('netflix subscription uhd ')
  expect(best(OFFERS, own('disney'))).toBe('prime rent sd 2.99')
  expect(best([...OFFERS, offer('tubi', 'free', 'hd')], own('disney'))).toBe('tubi free hd ')
  expect(best(OFFERS.slice(2, 3))).toBe('prime buy hd 9.99')
  expect(best(OFFERS.slice(5, 6), own('disney'))).toBe('hbo subscription uhd ')
  expect(best([])).toBeUndefined()
})
