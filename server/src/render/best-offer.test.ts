import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../test/support/property-runs.ts'
import { QUALITIES, type Quality } from '../model/offer.ts'
import { findBestOffer, type PrintedOption } from './best-offer.ts'

const NO_SERVICES: ReadonlySet<string> = new Set()

const rent = (amount: string, currency: string, quality?: Quality): PrintedOption => ({
  service: { id: 'netflix' },
  type: 'rent',
  ...(quality !== undefined && { quality }),
  price: { amount, currency },
})

const anyOption: fc.Arbitrary<PrintedOption> = fc.record(
  {
    service: fc.record({ id: fc.constantFrom('netflix', 'prime', 'mubi') }),
    type: fc.constantFrom('subscription', 'free', 'rent', 'rent', 'rent', 'buy', 'addon'),
    addon: fc.record({ id: fc.constantFrom('starz', 'mgm') }),
    link: fc.constantFrom('https://a.test', 'https://b.test'),
    quality: fc.constantFrom(...QUALITIES),
    price: fc.record({
      amount: fc.constantFrom('0.99', '2.9', '2.90', '10', '9'),
      currency: fc.constantFrom('USD', 'EUR', 'GBP'),
    }),
  },
  { requiredKeys: ['service', 'type'] },
)

const anyOptions = fc
  .array(anyOption, { maxLength: 8 })
  .chain((options) =>
    fc.tuple(
      fc.constant(options),
      fc.shuffledSubarray(options, { minLength: options.length, maxLength: options.length }),
    ),
  )
const anyServices = fc.constantFrom([], ['mubi'], ['mubi', 'prime.addon.starz']).map((names) => new Set<string>(names))

describe('the best offer', () => {
  it('is the cheapest in the currency that most options have', () => {
    const [sd, hd, uhd] = [rent('3', 'USD', 'sd'), rent('5', 'EUR', 'hd'), rent('9', 'USD', 'uhd')]
    expect(findBestOffer([sd, hd, uhd], NO_SERVICES)).toBe(sd)
    expect(findBestOffer([uhd, hd, sd], NO_SERVICES)).toBe(sd)
    expect(findBestOffer([uhd, hd], NO_SERVICES)).toBe(hd)
    expect(findBestOffer([sd, hd, rent('7', 'EUR')], NO_SERVICES)).toBe(hd)
    // The currencies of purchases do not count for rentals.
    const bought = ['EUR', 'EUR'].map((currency) => ({ ...rent('1', currency), type: 'buy' }))
    expect(findBestOffer([...bought, hd, sd, uhd], NO_SERVICES)).toBe(sd)
  })

  it('is of the best quality among equally cheap ones, and has a price if any option of its kind has one', () => {
    const { price: _, ...unpriced } = rent('', '', 'uhd')
    const best = rent('2.90', 'USD', 'hd')
    expect(findBestOffer([unpriced, rent('2.9', 'USD', 'sd'), best, rent('2.9', 'USD')], NO_SERVICES)).toBe(best)
    expect(findBestOffer([unpriced], NO_SERVICES)).toBe(unpriced)
    expect(findBestOffer([{ ...unpriced, type: 'subscription' }], NO_SERVICES)).toBeUndefined()
  })

  it('is the same in any order of the options', () => {
    fc.assert(
      fc.property(anyOptions, anyServices, ([options, shuffled], services) => {
        expect(findBestOffer(shuffled, services)).toEqual(findBestOffer(options, services))
      }),
      propertyRuns(2_000, 1),
    )
  })

  it('is never dearer than another option of its kind in the same currency', () => {
    fc.assert(
      fc.property(anyOptions, anyServices, ([options], services) => {
        const best = findBestOffer(options, services)
        if (best?.price === undefined) return
        const { type, price } = best
        const rivals = options.filter((option) => option.type === type && option.price?.currency === price.currency)
        if (type !== 'rent' && type !== 'buy') return
        for (const rival of rivals) expect(Number(rival.price?.amount)).toBeGreaterThanOrEqual(Number(price.amount))
      }),
      propertyRuns(2_000, 2),
    )
  })
})
