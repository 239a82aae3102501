/*
 * Laws of imports and exports, as properties over random histories of feeds. The seeds are fixed; for a long run with a
 * random, printed seed set MARQUEE_TEST_SEED=random and MARQUEE_TEST_RUNS=50 (support/property-runs.ts).
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeCatalogDigest } from '../../src/catalog/verify/catalog-digest.ts'
import { exportFeed } from '../../src/ingest/export-feed.ts'
import { importFeed } from '../../src/ingest/import-feed.ts'
import type { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { aDelta, aMovie, anAddon, anOption, aSeries, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { collectResponses, exhaustivePaths } from '../support/catalog-responses.ts'
import {
  anyHistory,
  anyOptions,
  COUNTRIES,
  type HistoryOptions,
  type Options,
  REFERENCE,
  SERVICES,
  type Step,
} from '../support/feed-histories.ts'
import { propertyRuns } from '../support/property-runs.ts'
import { type World, withWorlds } from '../support/world.ts'

type Json = Record<string, unknown>

function exported({ ledger }: { readonly ledger: LocalLedger }): string[] {
  return Array.from(exportFeed(ledger.catalog), (record) => JSON.stringify(record))
}

/** A failing history is shrunk for at most this long. */
const runs = (numRuns: number, seed: number) => propertyRuns(numRuns, seed, 12_000)

const plain: HistoryOptions = { merges: false, emptyLists: false }
const withMerges: HistoryOptions = { merges: true, emptyLists: true }

describe('a feed that is imported twice', () => {
  it.each([
    ['distinct shows', plain],
    ['shows that merge', withMerges],
  ])('changes nothing the second time, at once or later (%s)', async (_, options) => {
    await fc.assert(
      fc.asyncProperty(anyHistory(options), fc.constantFrom(0, 3_600, 7 * DAY), (steps, later) =>
        withWorlds(async (world) => {
          const last = steps.at(-1) as Step
          await world.replay(steps.slice(0, -1))
          await world.import(last.feed)
          await world.advance(later)
          const before = exported(world)
          const version = world.ledger.catalog.version()
          const again = await world.import(last.feed)
          expect(exported(world)).toEqual(before)
          expect(again.changes).toEqual({ new: 0, updated: 0, removed: 0 })
          expect(again).toMatchObject({ created: 0, altered: 0, version })
        }),
      ),
      runs(12, 1),
    )
  })

  it('changes nothing the second time if it removes a show that another source offers too', () =>
    withWorlds(async (world) => {
      await world.import(aSnapshot(aMovie({ id: '1' })))
      await world.import([{ kind: 'feed', source: 'other', mode: 'delta' }, aMovie({ id: '1' })])
      const removal = [
        { kind: 'feed', source: 'other', mode: 'delta' },
        { kind: 'remove', id: '1' },
      ]
      const first = await world.import(removal)
      const second = await world.import(removal)
      expect(second).toMatchObject({ altered: 0, version: first.version })
    }))

  it('changes nothing the second time if a number in it is minus zero', () =>
    withWorlds(async (world) => {
      const records = aSnapshot(aMovie({ id: '1', rating: '-0', popularity: { us: { alltime: '-0' } } }))
      const lines = records.map((record, i) => ({ line: i + 1, text: JSON.stringify(record).replaceAll('"-0"', '-0') }))
      const feed = async function* () {
        yield* lines
      }
      const take = () => importFeed(feed, world.ledger, { clock: () => world.now })
      const first = await take()
      expect(await take()).toMatchObject({ altered: 0, version: first.version })
    }))

  it('changes nothing the second time if a show gives up an id within it that a later record names', () =>
    withWorlds(async (world) => {
      await world.import(aSnapshot(aMovie({ id: '1', imdbId: 'tt1', tmdbId: 'movie/1' })))
      const feed = aDelta(
        aMovie({ id: '1', imdbId: 'tt1', tmdbId: 'movie/2' }),
        aMovie({ id: '1', imdbId: '', tmdbId: 'movie/1', title: 'Another one' }),
      )
      await world.import(feed)
      const before = exported(world)
      const again = await world.import(feed)
      expect(exported(world)).toEqual(before)
      expect(again).toMatchObject({ created: 0, altered: 0 })
    }))

  it('changes nothing the second time if it states one list twice', () =>
    withWorlds(async (world) => {
      const list = (...shows: string[]) => ({
        kind: 'top',
        country: 'us',
        service: 'netflix',
        showType: 'movie',
        shows,
      })
      const feed = aSnapshot(aMovie({ id: '1' }), aMovie({ id: '2' }), list('1'), list('2', '1'), list('2'))
      const first = await world.import(feed)
      expect(world.ledger.catalog.topList('us', 'netflix', 'movie')).toEqual(['2'])
      expect(await world.import(feed)).toMatchObject({ version: first.version })
      expect(world.ledger.catalog.topList('us', 'netflix', 'movie')).toEqual(['2'])
    }))

  it('changes nothing the second time if a live offer and an announced one are alike', () =>
    withWorlds(async (world) => {
      const { availableSince: _, ...option } = anOption()
      const feed = aSnapshot(
        aMovie({ id: '1', streamingOptions: { us: [option, { ...option, startsOn: NOW + DAY }] } }),
      )
      const first = await world.import(feed)
      expect(await world.import(feed)).toMatchObject({ altered: 0, version: first.version })
      await world.advance(3_600)
      expect(await world.import(feed)).toMatchObject({ altered: 0, version: first.version })
    }))

  it('changes nothing the second time if two alike offers have started, one of them at a time that it states', () =>
    withWorlds(async (world) => {
      const { availableSince: _, ...option } = anOption()
      const started = { ...option, availableSince: NOW - 40 * DAY, startsOn: NOW + 3_600 }
      const feed = aSnapshot(aMovie({ id: '1', streamingOptions: { us: [started, option] } }))
      await world.advance(6 * DAY)
      const first = await world.import(feed)
      expect(await world.import(feed)).toMatchObject({ altered: 0, version: first.version })
    }))
})

describe('a catalog that has seen a record before', () => {
  it.each([
    ['distinct shows', plain],
    ['shows that merge', withMerges],
  ])('has the same content as one that parses every record again (%s)', async (_, options) => {
    const anyOrder = fc.array(fc.tuple(fc.nat(5), fc.constantFrom(0, 3_600, 4 * DAY)), { minLength: 2, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(anyHistory(options), anyOrder, (steps, order) =>
        withWorlds(async (detecting, parsing) => {
          for (const [index, seconds] of order) {
            // Parts of a feed recur in other feeds, too: seen shows beside new ones.
            const [feed, other] = [index, index + 1].map((i) => (steps[i % steps.length] as Step).feed) as [
              Json[],
              Json[],
            ]
            const shows = other.filter(({ kind }) => kind === 'show')
            parsing.ledger.catalog.environment.seenRecords.clearSync()
            for (const given of [feed, [...feed, ...shows]]) {
              expect(await detecting.import(given)).toEqual(await parsing.import(given))
              await detecting.advance(seconds)
              await parsing.advance(seconds)
              parsing.ledger.catalog.environment.seenRecords.clearSync()
            }
            expect(computeCatalogDigest(detecting.ledger.catalog)).toBe(computeCatalogDigest(parsing.ledger.catalog))
          }
        }),
      ),
      runs(10, 3),
    )
  })

  it('parses a record again if an addon of its offers is gone', () =>
    withWorlds(async (world) => {
      const addon = (addons: object[]) => ({ kind: 'service', id: 'prime', name: 'Prime', addons })
      const show = aMovie({
        id: '1',
        streamingOptions: { us: [anOption({ service: 'prime', type: 'addon', addon: 'starz' })] },
      })
      const feed = (addons: object[]) => [...aDelta(), addon(addons), show]
      await world.import(feed([anAddon('starz')]))
      expect(await world.import(feed([anAddon('starz')]))).toMatchObject({ unchanged: 1, notices: {} })
      expect(await world.import(feed([]))).toMatchObject({ notices: { unknown_addon: 1 } })
    }))

  it('parses a record again if an offer has ended since', () =>
    withWorlds(async (world) => {
      const option = anOption({ expiresOn: NOW + DAY })
      const feed = aSnapshot(aMovie({ id: '1', streamingOptions: { us: [option] } }))
      await world.import(feed)
      world.now = NOW + DAY - 1
      expect(await world.import(feed)).toMatchObject({ altered: 0, unchanged: 1 })
      world.now = NOW + DAY
      expect(await world.import(feed)).toMatchObject({ altered: 1, unchanged: 0, notices: { expired_offer: 1 } })
    }))

  it('counts the records that it does not parse', () =>
    withWorlds(async (world) => {
      const feed = aSnapshot(aMovie({ id: '1' }), aMovie({ id: '2' }), aMovie({ id: '3' }))
      const { version, shows, offers } = await world.import(feed)
      const again = await world.import(feed)
      expect(again).toMatchObject({ shows, offers, created: 0, altered: 0, unchanged: 3, version, complete: true })
      expect(world.ledger.catalog.seenRecords.get(0)).toHaveLength(1)
    }))

  it('keeps the seen records of each of several sources', () =>
    withWorlds(async (world) => {
      const from = (source: string) => [{ kind: 'feed', source, mode: 'delta' }, ...REFERENCE, aMovie({ id: '1' })]
      for (const source of ['one', 'two', 'one', 'two']) await world.import(from(source))
      expect(world.ledger.catalog.seenRecords.get(0)).toHaveLength(2)
    }))
})

describe('feeds of disjoint scopes', () => {
  /** A show whose feeds differ only in its options. */
  const aShow = (index: number, options: Options, parts: readonly Options[]): Json => ({
    kind: 'show',
    showType: 'series',
    id: String(index + 1),
    imdbId: `tt${index + 1}`,
    tmdbId: `tv/${index + 1}`,
    title: `Series ${index}`,
    firstAirYear: 2001,
    genres: ['drama'],
    cast: [],
    imageSet: aMovie({ id: String(index + 1) }).imageSet,
    streamingOptions: options,
    seasons: [
      {
        title: 'Season 1',
        firstAirYear: 2001,
        lastAirYear: 2001,
        streamingOptions: parts[0] ?? {},
        episodes: parts.slice(1).map((streamingOptions) => ({ title: 'Episode', airYear: 2001, streamingOptions })),
      },
    ],
  })

  /** For each show, whether a feed names it, and its options. */
  const anyShows = fc.array(
    fc.record({ named: fc.boolean(), options: anyOptions, season: anyOptions, episode: anyOptions }),
    { minLength: 4, maxLength: 4 },
  )
  const scopedFeed = (
    source: string,
    scope: Json,
    keep: (country: string, service: string) => boolean,
    shows: readonly { named: boolean; options: Options; season: Options; episode: Options }[],
  ): Json[] => {
    const cut = (options: Options) =>
      Object.fromEntries(
        Object.entries(options).flatMap(([country, list]) => {
          const kept = list.filter(({ service }) => keep(country, service as string))
          return kept.length > 0 ? [[country, kept]] : []
        }),
      )
    return [
      { kind: 'feed', source, mode: 'snapshot', scope },
      ...REFERENCE,
      ...shows.flatMap(({ named, options, season, episode }, i) =>
        named ? [aShow(i, cut(options), [cut(season), cut(episode)])] : [],
      ),
    ]
  }

  /** The export without the order of documents and of offers, which depend on the order of the feeds. */
  const inAnyOrder = (world: World) => {
    const sortOptions = (value: unknown): unknown => {
      if (Array.isArray(value)) {
        const items = value.map(sortOptions)
        return items.every((item) => typeof item === 'object' && item !== null && 'availableSince' in item)
          ? items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
          : items
      }
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, sortOptions(inside)]))
    }
    return exported(world)
      .map((line) => JSON.stringify(sortOptions(JSON.parse(line))))
      .sort()
  }

  const pairs = {
    'two countries, one source': ['one', 'one', 'countries', COUNTRIES],
    'two countries, two sources': ['one', 'two', 'countries', COUNTRIES],
    'two services, one source': ['one', 'one', 'services', SERVICES],
    'two services, two sources': ['one', 'two', 'services', SERVICES],
  } as const

  it.each(Object.entries(pairs))('come to the same in either order: %s', async (_, [first, second, by, places]) => {
    await fc.assert(
      fc.asyncProperty(anyShows, anyShows, anyShows, (base, a, b) =>
        withWorlds(async (one, other) => {
          const feed = (source: string, place: string, shows: typeof a) =>
            scopedFeed(source, { [by]: [place] }, (c, s) => (by === 'countries' ? c : s) === place, shows)
          const [feedA, feedB] = [feed(first, places[0], a), feed(second, places[1], b)]
          for (const world of [one, other]) {
            await world.import(scopedFeed('one', {}, () => true, base))
            await world.advance(DAY)
          }
          for (const records of [feedA, feedB]) await one.import(records)
          for (const records of [feedB, feedA]) await other.import(records)
          expect(inAnyOrder(one)).toEqual(inAnyOrder(other))
        }),
      ),
      runs(6, 2),
    )
  })
})

describe('an exported catalog', () => {
  /** Imports the export of a catalog into an empty one, and expects an equal export and equal responses. */
  async function expectSame(original: World, copy: World): Promise<void> {
    copy.now = original.now
    const lines = exported(original)
    const report = await copy.import(lines.map((line) => JSON.parse(line) as object))
    expect(report.noticeList).toEqual([])
    expect(exported(copy)).toEqual(lines)
    const paths = exhaustivePaths(original.ledger.catalog)
    expect(collectResponses(copy, paths)).toEqual(collectResponses(original, paths))
  }

  it.each([
    ['distinct shows', plain],
    ['top lists that were emptied', { ...plain, emptyLists: true }],
    ['shows that merge and are called alike', { ...plain, merges: true }],
  ])('is the same once imported, and gives the same answers (%s)', async (_, options) => {
    await fc.assert(
      fc.asyncProperty(anyHistory(options), (steps) =>
        withWorlds(async (original, copy) => {
          await original.replay(steps)
          await expectSame(original, copy)
        }),
      ),
      runs(10, 3),
    )
  })

  it('changes as the original does when windows start and end', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory(plain), fc.constantFrom(DAY, 6 * DAY, 40 * DAY), (steps, seconds) =>
        withWorlds(async (original, copy) => {
          await original.replay(steps)
          await expectSame(original, copy)
          await original.advance(seconds)
          await copy.advance(seconds)
          expect(exported(copy)).toEqual(exported(original))
        }),
      ),
      runs(6, 4),
    )
  })

  it('has records of the documented kinds alone', () =>
    withWorlds(async (world) => {
      const top = { kind: 'top', country: 'us', service: 'netflix', showType: 'movie', shows: ['1'] }
      await world.import(aSnapshot(aMovie({ id: '1' }), top))
      const kinds = exported(world).map((line) => (JSON.parse(line) as Json).kind)
      // A helper that filters on another kind would filter nothing.
      expect([...new Set(kinds)]).toEqual(['feed', 'genre', 'service', 'country', 'show', 'top', 'change'])
    }))

  it('is the same once imported if shows change their type', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory({ ...plain, retypes: true }), (steps) =>
        withWorlds(async (original, copy) => {
          await original.replay(steps)
          copy.now = original.now
          const lines = exported(original)
          const report = await copy.import(lines.map((line) => JSON.parse(line) as object))
          expect(report.noticeList).toEqual([])
          expect(exported(copy)).toEqual(lines)
        }),
      ),
      runs(6, 5),
    )
  })

  it('keeps the changes of seasons of a series that became a movie', () =>
    withWorlds(async (original, copy) => {
      const ids = { id: '1', imdbId: 'tt0000001' }
      await original.import(aSnapshot(aSeries({ ...ids, tmdbId: 'tv/1' })))
      await original.advance(DAY)
      await original.import(aDelta(aMovie({ ...ids, tmdbId: 'movie/1' })))
      const removed = exported(original).filter((line) =>
        /"changeType":"removed","itemType":"(season|episode)"/.test(line),
      )
      expect(removed.length).toBeGreaterThan(0)
      for (const line of removed) expect(line).toContain('"showType":"series"')
      await expectSame(original, copy)
    }))

  it('keeps the sequence of changes of one place within one second', () =>
    withWorlds(async (original, copy) => {
      const states = [{ link: 'https://a.example/1' }, { link: 'https://a.example/2' }, { link: 'https://a.example/3' }]
      const show = (option?: Json) => aMovie({ id: '1', streamingOptions: option ? { us: [anOption(option)] } : {} })
      await original.import(aSnapshot(show(states[0])))
      for (const option of [states[1], states[2], undefined, states[0], undefined, states[1]]) {
        await original.import(aDelta(show(option)))
      }
      const changes = exported(original).flatMap((line) => {
        const { kind, changeType, timestamp } = JSON.parse(line) as Json
        return kind === 'change' ? [{ changeType, at: (timestamp as number) - NOW }] : []
      })
      const order = changes.sort((a, b) => a.at - b.at).map(({ changeType, at }) => `${changeType} ${at}`)
      // Every change has an entry of its own, and none comes before the one that it follows.
      expect(order.sort()).toEqual(['new 0', 'new 1', 'new 2', 'removed 1', 'removed 2', 'updated 0', 'updated 1'])
      // A change in the next second is not before those.
      await original.advance(1)
      await original.import(aDelta(show(states[2])))
      expect(
        exported(original).filter((line) => line.includes(`"timestamp":${NOW + 2}`) && line.includes('updated')),
      ).toHaveLength(1)
      await expectSame(original, copy)
    }))

  it('keeps shows apart that have got the same title', () =>
    withWorlds(async (original, copy) => {
      const noIds = { imdbId: '', tmdbId: '' }
      await original.import(
        aSnapshot(aMovie({ id: '1', title: 'Same', ...noIds }), aMovie({ id: '2', title: 'Other', ...noIds })),
      )
      await original.import(aDelta(aMovie({ id: '2', title: 'Same', ...noIds })))
      await expectSame(original, copy)
      expect(copy.ledger.catalog.counts().shows).toBe(2)
    }))

  it.each(['near', 'far'])('keeps the tombstone of a show that was merged into one %s from it', (distance) =>
    withWorlds(async (original, copy) => {
      // With many shows between them, the two are in different batches.
      const between = Array.from({ length: distance === 'far' ? 2_050 : 3 }, (_, i) =>
        aMovie({ id: String(100 + i), overview: '', streamingOptions: {} }),
      )
      const records = [
        aMovie({ id: '1', imdbId: '' }),
        ...between,
        aMovie({ id: '9000', tmdbId: '', title: 'Under another name' }),
        { kind: 'top', country: 'us', service: 'netflix', showType: 'movie', shows: ['9000', '1'] },
      ]
      await original.import(aSnapshot(...records))
      const joining = aMovie({ id: '1', imdbId: 'tt0009000', streamingOptions: { gb: [anOption()] } })
      const { notices } = await original.import([{ kind: 'feed', source: 'other', mode: 'delta' }, joining])
      expect(notices).toEqual({ shows_merged: 1 })
      copy.now = original.now
      const lines = exported(original)
      const report = await copy.import(lines.map((line) => JSON.parse(line) as object))
      expect(report.noticeList).toEqual([])
      expect(exported(copy)).toEqual(lines)
      const ids = ['1', '9000', 'tt0009000', 'movie/1']
      const paths = [...ids.map((id) => `/shows/${id}`), '/shows/top?country=us&service=netflix']
      paths.push('/changes?country=us&change_type=new&item_type=show')
      const answers = collectResponses(original, paths)
      expect(collectResponses(copy, paths)).toEqual(answers)
      for (const id of ids) expect(answers[`/shows/${id}`]).toBe(answers['/shows/1'])
    }),
  )
})
