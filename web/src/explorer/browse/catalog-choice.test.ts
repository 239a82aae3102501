import { expect, it } from 'vitest'
import { hasService, partOf, togglePart, toggleService } from './catalog-choice.ts'

it('chooses and drops whole services', () => {
  expect(toggleService([], 'prime')).toEqual(['prime'])
  expect(toggleService(['prime.rent', 'netflix', 'prime.addon.starz'], 'prime')).toEqual(['netflix'])
})

it('narrows a service to a part, and widens it again with the last one', () => {
  const rent = togglePart(['netflix', 'prime'], 'prime.rent')
  expect(rent).toEqual(['netflix', 'prime.rent'])
  const both = togglePart(rent, partOf('prime', 'addon', 'starz'))
  expect(both).toEqual(['netflix', 'prime.rent', 'prime.addon.starz'])
  expect(togglePart(togglePart(both, 'prime.rent'), 'prime.addon.starz')).toEqual(['netflix', 'prime'])
})

it('does not take one service for another that starts like it', () => {
  expect(hasService(['primevideo.rent'], 'prime')).toBe(false)
})
