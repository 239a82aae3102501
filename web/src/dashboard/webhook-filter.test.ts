import { expect, it } from 'vitest'
import { describeFilter } from './webhook-filter.ts'

it('names every part of a filter, and leaves out those that let everything through', () => {
  const least = {
    country: 'us',
    changeTypes: ['new', 'expiring'],
    itemTypes: ['show'],
    catalogs: [],
    shows: [],
    language: 'en',
    leadDays: 3,
  }
  expect(describeFilter(least)).toBe('US · new, expiring (3 d) · show · en')
  const most = { ...least, showType: 'movie', catalogs: ['netflix'], genres: ['drama', 'war'], shows: ['7'] }
  expect(describeFilter(most)).toBe('US · new, expiring (3 d) · show · movie · netflix · drama, war · 7 · en')
})
