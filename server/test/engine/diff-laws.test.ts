import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diff } from '../../src/ingest/rules/diff.ts'
import { applyWindows, dueInstants } from '../../src/ingest/rules/offer-windows.ts'
import { rollUpOffers } from '../../src/ingest/rules/roll-up.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { mapItems } from '../../src/model/show.ts'
import { anyShow } from '../support/arbitrary-show.ts'
import { NOW } from '../support/builders.ts'
import { propertyRuns } from '../support/property-runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('diff', () => {
  it('finds nothing between a show and itself', () => {
    fc.assert(
      fc.property(anyShow('1'), (show) => {
        expect(diff(show, show, NOW)).toEqual([])
      }),
    )
  })

  it('ignores the order of offers', () => {
    fc.assert(
      fc.property(anyShow('1'), (show) => {
        const reversed = mapItems(show, (byCountry) =>
          Object.fromEntries(Object.entries(byCountry).map(([country, offers]) => [country, [...offers].reverse()])),
        )
        expect(diff(show, reversed, NOW)).toEqual([])
      }),
    )
  })

  it('has at most one change for each item, country, service, type and addon', () => {
    fc.assert(
      fc.property(anyShow('1'), anyShow('1'), (before, after) => {
        const names = diff(before, after, NOW).map(({ changeType: _, link: __, ...place }) => JSON.stringify(place))
        expect(new Set(names).size).toBe(names.length)
      }),
    )
  })

  it('turns every new change into a removed one when read backwards', () => {
    fc.assert(
      fc.property(anyShow('1'), anyShow('1'), (before, after) => {
        const places = (changes: ReturnType<typeof diff>, type: string) =>
          changes
            .filter(({ changeType }) => changeType === type)
            .map(({ changeType: _, link: __, showType: ___, ...place }) => JSON.stringify(place))
            .sort()
        expect(places(diff(before, after, NOW), 'new')).toEqual(places(diff(after, before, NOW), 'removed'))
      }),
    )
  })
})

describe("applying a diff's batch", () => {
  it('gives the new state, whatever the old one was', async () => {
    const ledger = new LocalLedger(temporaryFolder())
    await fc.assert(
      fc.asyncProperty(anyShow('1'), async (after) => {
        const doc = ledger.catalog.findDoc('1')
        const before = doc === undefined ? undefined : ledger.catalog.show(doc)
        await ledger.commit(() => [{ at: NOW, shows: [after], changes: diff(before, after, NOW) }])
        expect(ledger.catalog.show(ledger.catalog.findDoc('1') as number)).toStrictEqual(after)
      }),
      propertyRuns(100, 12),
    )
    await ledger.close()
  })

  it('leaves no trace of a show that was replaced', async () => {
    // The same last batch on a catalog with history and on an empty one must give the same terms and windows.
    await fc.assert(
      fc.asyncProperty(fc.array(anyShow('1'), { maxLength: 3 }), anyShow('1'), async (past, last) => {
        const tables = async (shows: readonly (typeof last)[]) => {
          const ledger = new LocalLedger(temporaryFolder((remove) => removals.push(remove)))
          for (const show of shows) await ledger.commit(() => [{ at: NOW, shows: [show], changes: [] }])
          const { postings, windows, columns, ids, spellings, offers, seasonOffers } = ledger.catalog.environment
          const keys = [postings, windows, columns, ids, spellings, offers, seasonOffers].map((table) =>
            [...table.getKeys({})].map(String),
          )
          await ledger.close()
          return keys
        }
        expect(await tables([...past, last])).toEqual(await tables([last]))
      }),
      propertyRuns(12, 13),
    )
    for (const remove of removals) remove()
  })
  const removals: (() => void)[] = []
})

describe('the passing of time', () => {
  it('gives the same result in one step and in many', () => {
    fc.assert(
      fc.property(
        anyShow('1').map((show) => rollUpOffers(show)),
        fc.nat(400_000),
        (show, seconds) => {
          const end = NOW + seconds
          const homePage = () => 'https://home.test'
          const steps = dueInstants(show, end).reduce(
            (before, instant) => applyWindows(before, instant, homePage),
            show,
          )
          expect(steps).toEqual(applyWindows(show, end, homePage))
        },
      ),
    )
  })
})
