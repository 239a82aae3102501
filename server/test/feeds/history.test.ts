/*
 * The history of shows against a plain model: a list of what was live when, over random imports, windows and old
 * snapshots. For a long run with a random seed see support/property-runs.ts.
 */
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { IdentityEditor } from '../../src/ingest/decisions/identity-editor.ts'
import { exportFeed } from '../../src/ingest/export-feed.ts'
import { importAsOf } from '../../src/ingest/import-as-of.ts'
import { importFeed } from '../../src/ingest/import-feed.ts'
import { WindowScheduler } from '../../src/ingest/window-scheduler.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import type { ShowHistory } from '../../src/model/history.ts'
import { startOfDay } from '../../src/model/time.ts'
import { readShowHistory } from '../../src/query/show-history.ts'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { feedBytes, feedFromBytes, feedFromRecords } from '../support/feed.ts'
import { propertyRuns } from '../support/property-runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Json = Record<string, unknown>

/** An option as a feed states it; the prices are of two qualities. */
interface Stated {
  readonly place: string
  readonly price?: string
  readonly startsOn?: number
  readonly expiresOn?: number
}

/** Places of the movie, and of the parts of the series, as `show/season/episode/service/type`. */
const PLACES = [
  '1///netflix/subscription',
  '1///prime/rent',
  '1///mubi/subscription',
  '2/1/1/netflix/subscription',
] as const
const ALWAYS = ['2///netflix/subscription', '2/1//netflix/subscription'] as const

const anyStated = (withWindows: boolean) =>
  fc.array(
    fc.record({
      place: fc.constantFrom(...PLACES),
      price: fc.constantFrom('sd 2.99', 'sd 3.99', 'hd 4.99'),
      window: fc.option(
        fc.record({ kind: fc.constantFrom('start', 'end', 'both'), hours: fc.integer({ min: 1, max: 60 }) }),
        { nil: undefined, freq: withWindows ? 2 : 1 },
      ),
    }),
    { maxLength: 6 },
  )

type AnyStated = ReturnType<typeof anyStated> extends fc.Arbitrary<infer T> ? T : never
type Step =
  | { readonly kind: 'import'; readonly options: AnyStated; readonly hasMovie: boolean }
  | { readonly kind: 'advance'; readonly hours: number }
  | { readonly kind: 'asOf'; readonly day: number }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('import' as const), options: anyStated(true), hasMovie: fc.boolean() }),
  fc.record({ kind: fc.constant('advance' as const), hours: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ kind: fc.constant('asOf' as const), day: fc.integer({ min: 1, max: 6 }) }),
)

/** The stated options at a time, with their windows counted from it. */
function stateAt(options: AnyStated, now: number, hasMovie = true): Stated[] {
  const stated = options.map(({ place, price, window }): Stated => {
    const [start, end] = [now + (window?.hours ?? 0) * 3_600, now + (window?.hours ?? 0) * 3_600 + 7_200]
    return {
      place,
      ...(place.endsWith('rent') && { price }),
      ...(window !== undefined && window.kind !== 'end' && { startsOn: start }),
      ...(window !== undefined && window.kind !== 'start' && { expiresOn: end }),
    }
  })
  return [...stated.filter(({ place }) => hasMovie || !place.startsWith('1/')), ...ALWAYS.map((place) => ({ place }))]
}

/** The ids of the movie and the series. */
type Ids = readonly [string, string]

/** A snapshot that states these options. */
function snapshotOf(stated: readonly Stated[], [movie, series]: Ids, source: string): Json[] {
  const optionsOf = (item: string) => {
    const options = stated.flatMap(({ place, price, startsOn, expiresOn }, i) => {
      if (!place.startsWith(`${item}/`)) return []
      const [service, type] = place.slice(item.length + 1).split('/')
      const [quality, amount] = price?.split(' ') ?? []
      const link = `https://${service}.test/${item}/${i}`
      return [
        anOption({
          service,
          type,
          link,
          quality,
          ...(amount && { price: { amount, currency: 'USD' } }),
          startsOn,
          expiresOn,
          availableSince: undefined,
        }),
      ]
    })
    return options.length === 0 ? {} : { us: options }
  }
  const episode = { itemType: 'episode', title: 'One', airYear: 2020, streamingOptions: optionsOf('2/1/1') }
  const season = {
    itemType: 'season',
    title: 'First',
    firstAirYear: 2020,
    lastAirYear: 2020,
    streamingOptions: optionsOf('2/1/'),
    episodes: [episode],
  }
  const [, ...records] = aSnapshot(
    aMovie({ id: movie, title: `Movie ${movie}`, streamingOptions: optionsOf('1//') }),
    aSeries({ id: series, title: `Series ${series}`, streamingOptions: optionsOf('2//'), seasons: [season] }),
  )
  return [{ kind: 'feed', source, mode: 'snapshot' }, ...records]
}

/** What is live of the stated options at an instant, by place: its prices in order. */
function liveAt(stated: readonly Stated[], now: number): Map<string, string> {
  const prices = new Map<string, Set<string>>()
  for (const { place, price, startsOn = now, expiresOn = now + 1 } of stated) {
    if (startsOn > now || expiresOn <= now) continue
    const known = prices.get(place) ?? new Set()
    prices.set(place, price === undefined ? known : known.add(price))
  }
  return new Map([...prices].map(([place, all]) => [place, [...all].sort().join()]))
}

/** The plain model: all states in the order of time, and the old snapshots by day. */
class Model {
  private stated: readonly Stated[] = []
  private readonly states: { readonly at: number; readonly live: ReadonlyMap<string, string> }[] = []
  private readonly old = new Map<number, ReadonlyMap<string, string>>()

  advance(from: number, to: number): void {
    const instants = this.stated.flatMap(({ startsOn = 0, expiresOn = 0 }) => [startsOn, expiresOn])
    const due = [...new Set(instants)].filter((at) => at > from && at <= to).sort((a, b) => a - b)
    for (const at of due) this.states.push({ at, live: liveAt(this.stated, at) })
  }

  import(stated: readonly Stated[], now: number): void {
    this.stated = stated
    this.states.push({ at: now, live: liveAt(stated, now) })
  }

  observe(stated: readonly Stated[], at: number): void {
    this.old.set(at, liveAt(stated, at))
  }

  /** The spans of all places as text, but for those that ended before an instant. */
  spans(keptSince = 0): string[] {
    const old = [...this.old].sort(([a], [b]) => a - b).map(([at, live]) => ({ at, live }))
    // Of several states of one instant, only the last has a duration.
    const all = [...new Map([...old, ...this.states].map((state) => [state.at, state])).values()]
    return [...PLACES, ...ALWAYS]
      .flatMap((place) => {
        const spans: { from: number; to?: number; prices: string[] }[] = []
        let last: string | undefined
        for (const { at, live } of all) {
          const prices = live.get(place)
          if (prices === last) continue
          if (last === undefined) spans.push({ from: at, prices: [] })
          if (prices === undefined) (spans.at(-1) as { to: number }).to = at
          else if (prices !== '') spans.at(-1)?.prices.push(`${prices}@${at}`)
          last = prices
        }
        const kept = spans.filter(({ to = keptSince }) => to >= keptSince)
        return kept.length === 0 ? [] : [`${place}: ${kept.map((span) => describeSpan(span)).join('; ')}`]
      })
      .sort()
  }
}

function describeSpan({ from, to, prices }: { from: number; to?: number; prices: readonly string[] }): string {
  return `${from}-${to ?? ''}${prices.map((price) => ` ${price}`).join('')}`
}

/** What the catalog answers, in the same form: prices are joined by the instants at which they change. */
function readSpans({ catalog }: LocalLedger, ids: Ids, keptSince = 0): string[] {
  return ids
    .flatMap((id, i) => {
      const doc = catalog.findDoc(id) as number
      const places = [...readShowHistory(catalog, doc, { country: 'us', granularity: 'episode', keptSince })]
      return places.map(({ place: { season = '', episode = '', service, type }, spans }) => {
        const texts = spans.map(({ from, to, prices }) => {
          const instants = [...new Set(prices.flatMap((one) => [one.from, one.to ?? 0]))].filter(
            (at) => at !== (to ?? 0),
          )
          const lists = instants
            .sort((a, b) => a - b)
            .flatMap((at) => {
              const held = prices.filter((one) => one.from <= at && (one.to === undefined || one.to > at))
              return held.length === 0
                ? []
                : [
                    `${held
                      .map(({ quality, price }) => `${quality} ${price.amount}`)
                      .sort()
                      .join()}@${at}`,
                  ]
            })
          return describeSpan({ from, ...(to !== undefined && { to }), prices: lists })
        })
        return `${i + 1}/${season}/${episode}/${service}/${type}: ${texts.join('; ')}`
      })
    })
    .sort()
}

function aLedger(): LocalLedger {
  const ledger = new LocalLedger(temporaryFolder())
  onTestFinished(() => ledger.close())
  return ledger
}

/** Options of old snapshots by day, the same whenever one is imported. */
function oldOptions(day: number): AnyStated {
  const prices = ['sd 2.99', 'sd 3.99', 'hd 4.99'] as const
  return PLACES.filter((_, i) => (day + i) % 3 !== 0).map((place, i) => ({
    place,
    price: prices[(day + i) % 3] ?? 'sd 2.99',
    window: undefined,
  }))
}

const asOfTime = (day: number) => NOW - (20 - day) * DAY

describe('history', () => {
  it('has the spans of a plain model, over imports, windows and old snapshots in any order, also those that are kept', async () => {
    const ledger = aLedger()
    let nextId = 100
    const anySteps = fc.array(anyStep, { maxLength: 10 })
    const anyHistoryDays = fc.integer({ min: 1, max: 25 })
    await fc.assert(
      fc.asyncProperty(anyStated(true), anySteps, anyHistoryDays, async (first, steps, historyDays) => {
        // Shows and a source of its own for each run: opening a ledger takes longer than the run.
        const ids: Ids = [String(nextId++), String(nextId++)]
        const source = `test ${nextId}`
        let now = NOW
        const clock = () => now
        const scheduler = new WindowScheduler(ledger, clock)
        const model = new Model()
        const run = async (options: AnyStated, hasMovie: boolean) => {
          const stated = stateAt(options, now, hasMovie)
          const report = await importFeed(feedFromRecords(snapshotOf(stated, ids, source)), ledger, {
            clock,
            force: true,
          })
          expect(report.notices).toEqual({})
          model.import(stated, now)
        }
        await run(first, true)
        for (const step of steps) {
          const before = now
          if (step.kind === 'asOf') {
            const asOf = asOfTime(step.day)
            const stated = stateAt(oldOptions(step.day), asOf)
            await importAsOf(feedFromRecords(snapshotOf(stated, ids, source)), ledger, { clock, asOf })
            model.observe(stated, asOf)
            continue
          }
          now += (step.kind === 'advance' ? step.hours : 5) * 3_600
          model.advance(before, now)
          if (step.kind === 'import') await run(step.options, step.hasMovie)
          // A late run of the scheduler, or an import without one, records the same.
          else if (step.hours % 2 === 0) await scheduler.applyDueWindows()
        }
        await scheduler.applyDueWindows()
        expect(readSpans(ledger, ids)).toEqual(model.spans())
        const keptSince = startOfDay(now) - historyDays * DAY
        expect(readSpans(ledger, ids, keptSince)).toEqual(model.spans(keptSince))
        await new WindowScheduler(ledger, clock, { historyDays }).applyDueWindows()
        expect(readSpans(ledger, ids)).toEqual(model.spans(keptSince))
      }),
      propertyRuns(20, 19),
    )
    expect(checkCatalog(ledger.catalog)).toEqual([])
  })

  it('is the same in whichever order old snapshots come, and as often as they come', async () => {
    const histories: (ShowHistory | undefined)[] = []
    for (const days of [
      [1, 2, 3, 4, 5, 6],
      [6, 5, 4, 3, 2, 1],
      [3, 1, 6, 2, 5, 4, 3, 6],
    ]) {
      const ledger = aLedger()
      const options = { clock: () => NOW, force: true }
      const now = snapshotOf(stateAt([], NOW), ['1', '2'], 'test')
      await importFeed(feedFromRecords(now), ledger, options)
      const before = exportOffers(ledger)
      for (const day of days) {
        const asOf = asOfTime(day)
        // Every other snapshot speaks of one service only.
        const scope = day % 2 === 0 ? { services: new Set(['netflix']) } : {}
        const stated = stateAt(oldOptions(day), asOf).filter(({ place }) => day % 2 === 1 || place.includes('netflix'))
        const report = await importAsOf(feedFromRecords(snapshotOf(stated, ['1', '2'], 'test')), ledger, {
          ...options,
          scope,
          asOf,
        })
        expect(report).toMatchObject({ asOf, shows: 2, created: 0, notices: {} })
      }
      expect(exportOffers(ledger)).toEqual(before)
      histories.push(historyOf(ledger, '1'))
      expect(checkCatalog(ledger.catalog)).toEqual([])
    }
    expect(histories[0]?.length).toBeGreaterThan(2)
    expect(histories[1]).toEqual(histories[0])
    expect(histories[2]).toEqual(histories[0])
  })

  it('refuses old deltas and snapshots that cannot be read whole, and names shows that there are not', async () => {
    const ledger = aLedger()
    const options = { clock: () => NOW, asOf: NOW - 10 * DAY }
    await importFeed(feedFromRecords(aSnapshot(aMovie({ id: '1' }))), ledger, options)
    const delta = await importAsOf(feedFromRecords(aDelta(aMovie({ id: '1' }))), ledger, options)
    expect(delta).toMatchObject({ refused: { reason: 'incomplete_snapshot' }, notices: { incomplete_snapshot: 1 } })
    const cut = feedFromBytes(feedBytes(aSnapshot(aMovie({ id: '1' }), aMovie({ id: '2' }))).subarray(0, -20))
    expect((await importAsOf(cut, ledger, options)).refused).toEqual({ reason: 'incomplete_snapshot' })
    expect(historyOf(ledger, '1')).toBeUndefined()
    const forced = await importAsOf(cut, ledger, { ...options, force: true })
    expect(forced).toMatchObject({ altered: 1, complete: false })
    expect(historyOf(ledger, '1')).toHaveLength(1)
    const strange = aSnapshot(aMovie({ id: '1' }), aMovie({ id: '77', title: 'Elsewhere', originalTitle: 'Elsewhere' }))
    const report = await importAsOf(feedFromRecords(strange), ledger, { ...options, asOf: NOW - 5 * DAY })
    expect(report).toMatchObject({ shows: 2, altered: 1, unchanged: 0, notices: { unknown_show: 1 } })
    expect(ledger.catalog.findDoc('77')).toBeUndefined()
  })

  it('ends a span that old snapshots have shown at the next one without it, or at the first import', async () => {
    const ledger = aLedger()
    const at = (days: number) => NOW - days * DAY
    const on = (...services: string[]) =>
      aSnapshot(aMovie({ id: '1', streamingOptions: { us: services.map((service) => anOption({ service })) } }))
    await importFeed(feedFromRecords(on('netflix')), ledger, { clock: () => NOW })
    const seen = (days: number, ...services: string[]) =>
      importAsOf(feedFromRecords(on(...services)), ledger, { clock: () => NOW, asOf: at(days) })
    await seen(30, 'netflix', 'mubi', 'prime')
    await seen(20, 'mubi', 'prime')
    await seen(10, 'netflix', 'prime')
    const spans = [...readShowHistory(ledger.catalog, 0, { country: 'us', granularity: 'show', keptSince: 0 })]
    expect(spans.map(({ place, spans }) => [place.service, ...spans.map(({ from, to }) => [from, to])])).toEqual([
      ['mubi', [at(30), at(10)]],
      ['netflix', [at(30), at(20)], [at(10), undefined]],
      ['prime', [at(30), NOW]],
    ])
    // A source that has never been imported is known for the days of its snapshots alone.
    await importAsOf(feedFromRecords(on('tubi')), ledger, { clock: () => NOW, asOf: at(15), source: 'other' })
    const other = [...readShowHistory(ledger.catalog, 0, { country: 'us', granularity: 'show', keptSince: 0 })].at(-1)
    expect(other).toMatchObject({ place: { service: 'tubi' }, spans: [{ from: at(15), to: at(14), prices: [] }] })
  })

  it('is not moved by the dates that offers state, once something was recorded', async () => {
    const ledger = aLedger()
    let now = NOW
    const clock = () => now
    const feed = (...options: Json[]) =>
      importFeed(feedFromRecords(aSnapshot(aMovie({ id: '1', streamingOptions: { us: options } }))), ledger, {
        clock,
        force: true,
      })
    const read = () => [...readShowHistory(ledger.catalog, 0, { country: 'us', granularity: 'show', keptSince: 0 })]
    const since = NOW - 100 * DAY
    await feed(anOption({ availableSince: since }), anOption({ availableSince: since - DAY, link: 'https://b.test/' }))
    expect(read()[0]?.spans).toEqual([{ from: since - DAY, prices: [] }])
    // The earlier of the two goes: the place has been live all along.
    now += DAY
    await feed(anOption({ availableSince: since }))
    expect(read()[0]?.spans).toEqual([{ from: since - DAY, prices: [] }])
    now += DAY
    await feed(anOption({ service: 'mubi' }))
    now += DAY
    await feed(anOption({ availableSince: since }))
    const [, gone, back] = [since - DAY, NOW + 2 * DAY, NOW + 3 * DAY]
    expect(read().find(({ place }) => place.service === 'netflix')?.spans).toEqual([
      { from: since - DAY, to: gone, prices: [] },
      { from: back, prices: [] },
    ])
  })

  it('keeps what MARQUEE_HISTORY_DAYS says, stored and shown alike', async () => {
    const ledger = aLedger()
    let now = NOW
    const clock = () => now
    const days = [['netflix'], ['mubi'], ['netflix', 'mubi'], ['netflix'], ['netflix', 'prime'], ['netflix']]
    for (const services of days) {
      const options = services.map((service) => anOption({ service, availableSince: undefined }))
      const feed = aSnapshot(aMovie({ id: '1', streamingOptions: { us: options } }))
      await importFeed(feedFromRecords(feed), ledger, { clock, force: true })
      now += 10 * DAY
    }
    const read = (historyDays: number) => {
      const keptSince = startOfDay(now) - historyDays * DAY
      return [...readShowHistory(ledger.catalog, 0, { country: 'us', granularity: 'show', keptSince })]
    }
    const spans = (historyDays: number) =>
      read(historyDays).map(({ place, spans }) => `${place.service} ${spans.length}`)
    expect(spans(1_000)).toEqual(['mubi 1', 'netflix 2', 'prime 1'])
    expect(spans(45)).toEqual(['mubi 1', 'netflix 1', 'prime 1'])
    const shown = read(25)
    expect(shown.map(({ place }) => place.service)).toEqual(['netflix', 'prime'])
    await new WindowScheduler(ledger, clock, { historyDays: 25 }).applyDueWindows()
    expect(read(1_000)).toEqual(shown)
    expect(read(25)).toEqual(shown)
    expect(checkCatalog(ledger.catalog)).toEqual([])
  })

  it('keeps what old snapshots have shown until the span that it belongs to has ended for long enough', async () => {
    const ledger = aLedger()
    const clock = () => NOW
    const on = (...services: string[]) =>
      aSnapshot(
        aMovie({
          id: '1',
          streamingOptions: { us: services.map((service) => anOption({ service, availableSince: undefined })) },
        }),
      )
    const at = (days: number) => NOW - days * DAY
    await importFeed(feedFromRecords(on('netflix', 'prime')), ledger, { clock })
    const seen = (days: number, ...services: string[]) =>
      importAsOf(feedFromRecords(on(...services)), ledger, { clock, asOf: at(days) })
    await seen(35, 'tubi', 'netflix')
    await seen(25, 'mubi', 'netflix')
    await seen(5, 'netflix')
    const read = (historyDays: number) => {
      const keptSince = startOfDay(NOW) - historyDays * DAY
      const places = [...readShowHistory(ledger.catalog, 0, { country: 'us', granularity: 'show', keptSince })]
      return places.map(({ place, spans }) => [place.service, ...spans.map(({ from, to }) => [from, to])])
    }
    const [mubi, netflix, prime] = [
      ['mubi', [at(25), at(5)]],
      ['netflix', [at(35), undefined]],
      ['prime', [NOW, undefined]],
    ]
    expect(read(1_000)).toEqual([mubi, netflix, prime, ['tubi', [at(35), at(25)]]])
    for (const [historyDays, shown] of [
      [20, [mubi, netflix, prime]],
      [3, [netflix, prime]],
    ] as const) {
      expect(read(historyDays)).toEqual(shown)
      const version = ledger.catalog.version()
      await new WindowScheduler(ledger, clock, { historyDays }).applyDueWindows()
      expect(read(1_000)).toEqual(shown)
      expect(ledger.catalog.version()).toBe(version + 1)
      await new WindowScheduler(ledger, clock, { historyDays }).applyDueWindows()
      expect(ledger.catalog.version()).toBe(version + 1)
    }
    expect(checkCatalog(ledger.catalog)).toEqual([])
  })

  it('takes at most 40 bytes a span on disk', async () => {
    const ledger = aLedger()
    let now = NOW
    /** Most movies have one past price; the worst case, since nothing is shared within a document. */
    const price = (i: number, day: number) => `${2 + ((i * 7 + Math.max(0, day - (i % 4))) % 5)}.99`
    for (let day = 0; day < 3; day++, now += 37_001) {
      const movies = Array.from({ length: 300 }, (_, i) => {
        const bought = anOption({ service: 'prime', type: 'buy', price: { amount: price(i, day), currency: 'USD' } })
        const imageSet = { verticalPoster: {}, horizontalPoster: {} }
        return aMovie({
          id: String(i + 1),
          imageSet,
          streamingOptions: { us: [{ ...bought, availableSince: undefined }] },
        })
      })
      await importFeed(feedFromRecords(aSnapshot(...movies)), ledger, { clock: () => now })
    }
    const { documents, environment } = ledger.catalog
    const histories = [...documents.docsWithHistory()].flatMap((doc) => documents.history(doc) ?? [])
    const spans = histories.reduce((sum, { segments }) => sum + segments.length, 0)
    const stats = environment.history?.getStats() as Record<string, number>
    const pages = ['treeLeafPageCount', 'treeBranchPageCount', 'overflowPages'].map((name) => stats[name] as number)
    // The checksum of a history is in the record of its document.
    const bytes = pages.reduce(
      (sum, count) => sum + count * (stats.pageSize as number),
      4 * (stats.entryCount as number),
    )
    console.log(`history: ${spans} spans in ${stats.entryCount} documents, ${(bytes / spans).toFixed(1)} bytes a span`)
    expect(histories.length).toBeGreaterThan(100)
    expect(bytes / spans).toBeLessThanOrEqual(40)
  })

  it('survives an export, and joins when two shows become one', async () => {
    const ledger = aLedger()
    let now = NOW
    const clock = () => now
    const movie = (id: string, services: readonly string[]) =>
      aMovie({
        id,
        streamingOptions: { us: services.map((service) => anOption({ service, availableSince: undefined })) },
      })
    const feed = async (one: readonly string[], two: readonly string[]) => {
      const options = { clock, force: true }
      await importFeed(feedFromRecords(aSnapshot(movie('1', one))), ledger, { ...options, source: 'one' })
      await importFeed(feedFromRecords(aSnapshot(movie('2', two))), ledger, { ...options, source: 'two' })
    }
    await feed(['netflix'], ['mubi', 'prime'])
    now += DAY
    await feed([], ['mubi'])
    const old = { clock, source: 'one', asOf: NOW - 9 * DAY }
    await importAsOf(feedFromRecords(aSnapshot(movie('1', ['tubi']))), ledger, old)
    const copy = aLedger()
    await importFeed(feedFromRecords([...exportFeed(ledger.catalog)]), copy, { clock })
    expect(JSON.stringify([...exportFeed(copy.catalog)])).toBe(JSON.stringify([...exportFeed(ledger.catalog)]))
    expect(historyOf(copy, '1')).toEqual(historyOf(ledger, '1'))
    expect(copy.catalog.source('one')?.snapshots).toEqual([{ at: NOW - 9 * DAY }])
    const read = () =>
      [...readShowHistory(ledger.catalog, 0, { country: 'us', granularity: 'show', keptSince: 0 })].map(
        ({ place, spans }) => `${place.service} ${spans.map(({ from, to }) => `${from - NOW}-${to && to - NOW}`)}`,
      )
    now += DAY
    await ledger.commit(() => [new IdentityEditor(ledger.catalog, now).join('1', '2').batch])
    const joined = ['mubi 0-undefined', `netflix 0-${DAY}`, `prime 0-${DAY}`, `tubi ${-9 * DAY}-0`]
    expect(read()).toEqual(joined)
    now += DAY
    await ledger.commit(() => [new IdentityEditor(ledger.catalog, now).undo('1', '2').batch])
    expect(read()).toEqual([`mubi 0-${3 * DAY}`, ...joined.slice(1)])
    const doc = ledger.catalog.findDoc('2') as number
    const restored = [...readShowHistory(ledger.catalog, doc, { country: 'us', granularity: 'show', keptSince: 0 })]
    expect(restored.map(({ place, spans }) => [place.service, spans[0]?.to])).toEqual([
      ['mubi', undefined],
      ['prime', NOW + DAY],
    ])
    expect(checkCatalog(ledger.catalog)).toEqual([])
  })
})

function historyOf({ catalog }: LocalLedger, id: string): ShowHistory | undefined {
  return catalog.documents.history(catalog.findDoc(id) as number)
}

/** All that an export holds but for history. */
function exportOffers({ catalog }: LocalLedger): string[] {
  return [...exportFeed(catalog)].map((record) => {
    const { history: _, histories: _h, ...rest } = record as { history?: unknown; histories?: unknown }
    return JSON.stringify(rest)
  })
}
