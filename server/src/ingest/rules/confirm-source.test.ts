import { expect, it } from 'vitest'
import type { Confirmation } from '../../catalog/storage/meta.ts'
import { confirmSource } from './confirm-source.ts'

const scope = (countries?: string[], services?: string[]) => ({
  ...(countries !== undefined && { countries: new Set(countries) }),
  ...(services !== undefined && { services: new Set(services) }),
})

it('keeps the last confirmation of each scope that no later one covers', () => {
  const [us, gb, netflixInUs] = [scope(['us']), scope(['gb']), scope(['us'], ['netflix'])]
  const first = confirmSource({ confirmedAt: 1 }, 2, netflixInUs)
  expect(first).toEqual({ confirmedAt: 1, confirmations: [{ at: 2, countries: ['us'], services: ['netflix'] }] })
  const second = confirmSource(confirmSource(first, 3, gb), 4, us)
  expect(second.confirmations).toEqual([
    { at: 3, countries: ['gb'] },
    { at: 4, countries: ['us'] },
  ])
  const third = confirmSource(second, 5, netflixInUs)
  expect(third.confirmations?.map(({ at }) => at)).toEqual([3, 4, 5])
  const ofServices = confirmSource(third, 6, scope(undefined, ['prime', 'netflix']))
  expect(ofServices.confirmations?.map(({ at }) => at)).toEqual([3, 4, 6])
  expect(confirmSource(ofServices, 7, scope(['us', 'gb', 'de'])).confirmations).toEqual([
    { at: 6, services: ['netflix', 'prime'] },
    { at: 7, countries: ['de', 'gb', 'us'] },
  ])
  expect(confirmSource(ofServices, 8, {})).toEqual({ confirmedAt: 8 })
})

it('keeps a limited number of scopes, the latest', () => {
  let known: { readonly confirmations?: readonly Confirmation[] } = {}
  for (let at = 1; at <= 300; at++) known = confirmSource(known, at, scope(undefined, [`service-${at}`]))
  expect(known.confirmations?.map(({ at }) => at)).toEqual(Array.from({ length: 256 }, (_, i) => i + 45))
})
