import type { Show, StreamingOption } from 'marquee-client'
import { expect, it } from 'vitest'
import { countryRows, waysFilters } from './country-rows.ts'

function offer(service: string, type: StreamingOption['type'], price?: [string, string]): StreamingOption {
  return {
    service: { id: service, name: service },
    type,
    link: `https://example.com/${service}`,
    ...(price && { price: { amount: price[0], currency: price[1], formatted: '' } }),
  } as unknown as StreamingOption
}

const SHOW = {
  streamingOptions: {
    us: [offer('netflix', 'subscription'), offer('apple', 'rent', ['4.99', 'USD'])],
    de: [
      offer('prime', 'subscription'),
      offer('apple', 'rent', ['3.99', 'EUR']),
      offer('prime', 'rent', ['2.99', 'EUR']),
    ],
    at: [offer('apple', 'rent', ['1.99', 'EUR'])],
    pl: [offer('netflix', 'subscription'), offer('apple', 'rent', ['9.99', 'PLN']), offer('apple', 'buy')],
  },
} as unknown as Show

const rows = (filter: Parameters<typeof countryRows>[1]['filter'], country = 'de') =>
  countryRows(SHOW, { own: new Set(['netflix']), filter, country, name: (code) => code }).map(
    ({ code, ways }) =>
      `${code}: ${ways.map(({ service, offers: [{ price }] }) => service.id + (price?.amount ?? ''))}`,
  )

it('shows where the services of the viewer have it', () => {
  expect(rows('own')).toEqual(['pl: netflix', 'us: netflix'])
})

it('orders by price within a currency, that of the viewer first', () => {
  expect(rows('rent')).toEqual(['at: apple1.99', 'de: prime2.99,apple3.99', 'pl: apple9.99', 'us: apple4.99'])
  expect(rows('rent', 'us')[0]).toBe('us: apple4.99')
  expect(rows('buy')).toEqual(['pl: apple'])
})

it('offers only filters that leave a country', () => {
  expect(waysFilters(SHOW, new Set(['netflix']))).toEqual([
    { filter: 'own', countries: 2 },
    { filter: 'flat', countries: 3 },
    { filter: 'rent', countries: 4 },
    { filter: 'buy', countries: 1 },
    { filter: 'all', countries: 4 },
  ])
  expect(waysFilters(SHOW, new Set()).map(({ filter }) => filter)).not.toContain('own')
})
