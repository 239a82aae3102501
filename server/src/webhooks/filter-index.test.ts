import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { StoredWebhook, WebhookFilter } from '../accounts/store/account-tables.ts'
import { StoredChange } from '../catalog/changes/stored-change.ts'
import { RoaringBitmap32 } from '../catalog/index/doc-set.ts'
import { FilterIndex } from './filter-index.ts'

const change = fc
  .record({
    country: fc.constantFrom('us', 'de'),
    changeType: fc.constantFrom('new', 'updated', 'removed'),
    itemType: fc.constantFrom('show', 'season', 'episode'),
    showId: fc.integer({ min: 1, max: 4 }),
    showType: fc.constantFrom('movie', 'series'),
    service: fc.constantFrom('netflix', 'prime'),
    offer: fc.constantFrom(['subscription', ''], ['buy', ''], ['addon', 'hbo'], ['addon', 'starz']),
  } as const)
  .map(({ country, changeType, itemType, showId, showType, service, offer: [type, addon] }) => {
    const list = { country, changeType, itemType }
    // Documents are numbered as shows are.
    return new StoredChange(list, showId, 1, showId, showType, 0, 0, service, type as 'buy', addon as string, undefined)
  })

const some = <T>(...values: T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 2 })

const filter: fc.Arbitrary<WebhookFilter> = fc
  .record({
    country: fc.constantFrom('us', 'de'),
    changeTypes: some('new' as const, 'updated' as const, 'removed' as const),
    itemTypes: some('show' as const, 'season' as const, 'episode' as const),
    catalogs: some('netflix', 'prime', 'netflix.buy', 'prime.addon', 'prime.addon.hbo'),
    showType: fc.option(fc.constantFrom('movie' as const, 'series' as const), { nil: undefined }),
    shows: some('1', '2', '3'),
    genres: fc.option(some('comedy', 'crime', 'war'), { nil: undefined }),
  })
  .map(({ showType, genres, ...rest }) => {
    return { ...rest, ...(showType && { showType }), ...(genres?.length && { genres }), language: 'en', leadDays: 7 }
  })

/** The shows of each genre; of war there are none. */
const GENRES: Record<string, readonly number[]> = { comedy: [1, 2], crime: [2, 3], war: [] }

/** Whether a filter takes a change, by asking it. */
function takes(
  { country, changeTypes, itemTypes, catalogs, showType, shows, genres }: WebhookFilter,
  one: StoredChange,
): boolean {
  const { list, service, offerType, addon } = one
  const names = [service, `${service}.${offerType}`, `${service}.addon.${addon}`]
  return (
    list.country === country &&
    changeTypes.some((type) => type === list.changeType) &&
    itemTypes.includes(list.itemType) &&
    (catalogs.length === 0 || catalogs.some((catalog) => names.includes(catalog))) &&
    (showType === undefined || showType === one.showType) &&
    (shows.length === 0 || shows.includes(String(one.showId))) &&
    (genres === undefined || genres.some((genre) => GENRES[genre]?.includes(one.showId)))
  )
}

it('finds the webhooks that would take a change if each were asked', () => {
  fc.assert(
    fc.property(fc.array(filter, { maxLength: 12 }), fc.array(change, { maxLength: 12 }), (filters, changes) => {
      const index = new FilterIndex(filters.map((one) => ({ filter: one }) as StoredWebhook))
      for (const one of changes) {
        const expected = filters.flatMap((each, number) => (takes(each, one) ? [number] : []))
        expect([...index.find(one, (genre) => new RoaringBitmap32(GENRES[genre] ?? []))].sort((a, b) => a - b)).toEqual(
          expected,
        )
      }
    }),
    { numRuns: 300, seed: 20 },
  )
})
