import { expect, it } from 'vitest'
import { includedCatalogs } from './included.ts'

const types = (...names: string[]) => ({
  ...{ addon: false, buy: false, free: false, rent: false, subscription: false },
  ...Object.fromEntries(names.map((name) => [name, true])),
})
const SERVICES = [
  { id: 'tubi', streamingOptionTypes: types('free') },
  { id: 'prime', streamingOptionTypes: types('subscription', 'rent', 'buy', 'free') },
  { id: 'netflix', streamingOptionTypes: types('subscription') },
]

it('is what the viewer subscribes to and all that is free, without rent and buy', () => {
  expect(includedCatalogs(SERVICES, new Set(['prime']))).toEqual(['prime.subscription', 'tubi.free', 'prime.free'])
})

it('is everything while no service of the country is known to be the viewer’s', () => {
  expect(includedCatalogs(SERVICES, new Set())).toEqual([])
  expect(includedCatalogs(SERVICES, new Set(['elsewhere']))).toEqual([])
  expect(includedCatalogs(undefined, new Set(['prime']))).toEqual([])
})

it('has no more entries than the API takes, and none of the viewer’s is lost', () => {
  const free = Array.from({ length: 40 }, (_, i) => ({ id: `free${i}`, streamingOptionTypes: types('free') }))
  const catalogs = includedCatalogs([...free, ...SERVICES], new Set(['netflix']))
  expect(catalogs).toHaveLength(32)
  expect(catalogs[0]).toBe('netflix.subscription')
})
