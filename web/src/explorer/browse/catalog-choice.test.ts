import { expect, it } from 'vitest'
import { catalogPart, hasService, knownCatalogs, togglePart, toggleService } from './catalog-choice.ts'

it('chooses and drops whole services', () => {
  expect(toggleService([], 'prime')).toEqual(['prime'])
  expect(toggleService(['prime.rent', 'netflix', 'prime.addon.starz'], 'prime')).toEqual(['netflix'])
})

it('narrows a service to a part, and widens it again with the last one', () => {
  const rent = togglePart(['netflix', 'prime'], 'prime.rent')
  expect(rent).toEqual(['netflix', 'prime.rent'])
  const both = togglePart(rent, catalogPart('prime', 'addon', 'starz'))
  expect(both).toEqual(['netflix', 'prime.rent', 'prime.addon.starz'])
  expect(togglePart(togglePart(both, 'prime.rent'), 'prime.addon.starz')).toEqual(['netflix', 'prime'])
})

it('does not take one service for another that starts like it', () => {
  expect(hasService(['primevideo.rent'], 'prime')).toBe(false)
})

it('knows the catalogs of a country from others', () => {
  const types = { subscription: true, rent: true, buy: false, free: false, addon: true }
  const prime = { id: 'prime', streamingOptionTypes: types, addons: [{ id: 'starz' }, { id: 'tvs.sbd.1' }] }
  const known = ['prime', 'prime.rent', 'prime.addon', 'prime.addon.starz', 'prime.addon.tvs.sbd.1']
  const unknown = [
    'hulu',
    'hulu.rent',
    'prime.buy',
    'prime.nonsense',
    'prime.addon.other',
    'prime.addon.tvs',
    'prime.rent.starz',
    '',
  ]
  expect(knownCatalogs([...known, ...unknown], [prime])).toEqual(known)
})
