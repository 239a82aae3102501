/*
 * What protects a catalog from bad feeds: notices, refusals, withheld removals. The property has a fixed seed; for a long
 * run with a random, printed seed set MARQUEE_TEST_SEED=random and MARQUEE_TEST_RUNS=50 (support/property-runs.ts).
 */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exportFeed } from '../../src/ingest/export-feed.ts'
import { checkFeed, type FeedSource, type ImportOptions, importFeed } from '../../src/ingest/import-feed.ts'
import { type ImportReport, NOTICE_CODES, type NoticeCode } from '../../src/ingest/import-report.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, NOW } from '../support/builders.ts'
import { feedBytes, feedFromBytes, feedFromRecords } from '../support/feed.ts'
import { anyHistory } from '../support/feed-histories.ts'
import { propertyRuns } from '../support/property-runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Json = Record<string, unknown>

/** Runs a test with a catalog that some feeds have filled. */
async function withCatalog(
  before: readonly (readonly Json[])[],
  work: (ledger: LocalLedger) => Promise<void>,
): Promise<void> {
  const removals: (() => void)[] = []
  const ledger = new LocalLedger(temporaryFolder((remove) => removals.push(remove)))
  try {
    for (const records of before) await take(ledger, feedFromRecords(records), { force: true })
    await work(ledger)
  } finally {
    await ledger.close()
    for (const remove of removals) remove()
  }
}

function take(ledger: LocalLedger, feed: FeedSource, options: Partial<ImportOptions> = {}): Promise<ImportReport> {
  return importFeed(feed, ledger, { clock: () => NOW, ...options })
}

function exported(ledger: LocalLedger): string[] {
  return Array.from(exportFeed(ledger.catalog), (record) => JSON.stringify(record))
}

/** The live and announced offers of a show, by item, country and link. */
function offersOf(ledger: LocalLedger, id: string): string[] {
  const doc = ledger.catalog.findDoc(id)
  const show = doc === undefined ? undefined : ledger.catalog.show(doc)
  if (show === undefined) throw new Error(`There is no show ${id}`)
  const list = (offers: typeof show.offers, item: string) =>
    Object.entries(offers).flatMap(([country, all]) =>
      all.map(({ source, link }) => `${item}${country} ${source} ${link}`),
    )
  return [
    ...list(show.offers, ''),
    ...(show.seasons ?? []).flatMap((season, s) => [
      ...list(season.offers, `${s + 1} `),
      ...(season.episodes ?? []).flatMap((episode, e) => list(episode.offers, `${s + 1}.${e + 1} `)),
    ]),
  ]
}

const withOption = (fields: Json, country = 'us') =>
  aMovie({ id: '5', streamingOptions: { [country]: [anOption(fields)] } })
const header = (fields: Json) => ({ kind: 'feed', source: 'test', mode: 'snapshot', ...fields })

/** A feed that has a problem, over a catalog of the feeds before it. */
interface Case {
  readonly before?: readonly (readonly Json[])[]
  /** The feed, as records and ready lines, or as bytes. */
  readonly feed: readonly (Json | string)[] | Buffer
  /** Where the notice is expected. The line is that of the last record unless it is said to be another or none. */
  readonly line?: number | 'none'
  readonly record?: string
  /** Codes of further notices that cannot be avoided. */
  readonly besides?: readonly NoticeCode[]
}

const [FIRST, SECOND] = [aMovie({ id: '1' }), aMovie({ id: '2' })]
const good = aSnapshot(FIRST)

/** Notices of connectors are tested with the connectors. */
const OF_CONNECTORS = [
  'ambiguous_title',
  'assumed_encoding',
  'incomplete_top_list',
  'left_out',
  'unknown_provider',
] as const

/** A notice that needs two readings of a feed is tested below. */
const OF_TWO_FEEDS = ['feed_altered'] as const

/** Notices of imports of old snapshots are tested with history. */
const OF_HISTORY = ['incomplete_snapshot'] as const

type TestedElsewhere = (typeof OF_CONNECTORS)[number] | (typeof OF_TWO_FEEDS)[number] | (typeof OF_HISTORY)[number]

const CASES: Record<Exclude<NoticeCode, TestedElsewhere>, Case> = {
  unreadable_line: { feed: [...good, 'no JSON'] },
  line_too_long: { feed: [...good, `"${'x'.repeat(10 * 1024 * 1024)}"`] },
  invalid_utf8: {
    feed: Buffer.concat([feedBytes(good), Buffer.from([0x22, 0xff, 0x22, 0x0a])]),
    line: good.length + 1,
  },
  truncated_feed: {
    feed: feedBytes([...good, SECOND]).subarray(0, -20),
    line: good.length + 1,
  },
  count_mismatch: { feed: [header({ count: good.length + 5 }), ...good.slice(1)], line: 'none' },
  invalid_header: { feed: [header({ mode: 'all' }), ...good.slice(1)], line: 1, besides: ['invalid_field'] },
  no_records: { feed: [], line: 'none' },
  unknown_kind: { feed: [...good, { kind: 'film', id: '7' }], record: '7' },
  misplaced_header: { feed: [...good, header({})] },
  missing_field: { feed: [...good, aMovie({ id: '7', title: undefined })], record: '7' },
  invalid_field: { feed: [...good, aMovie({ id: '7', showType: 'film' })], record: '7' },
  ignored_field: { feed: [...good, withOption({ quality: '8k' })], record: '5' },
  invalid_rating: { feed: [...good, aMovie({ id: '7', rating: 101 })], record: '7' },
  title_too_long: { feed: [...good, aMovie({ id: '7', title: 'x'.repeat(301) })], record: '7' },
  missing_images: { feed: [...good, aMovie({ id: '7', imageSet: undefined })], record: '7' },
  unknown_genre: { feed: [...good, aMovie({ id: '7', genres: ['gothic'] })], record: '7' },
  unknown_service: { feed: [...good, withOption({ service: 'nobody' })], record: '5' },
  unknown_addon: { feed: [...good, withOption({ service: 'prime', type: 'addon', addon: 'none' })], record: '5' },
  invalid_offer: { feed: [...good, withOption({ link: undefined })], record: '5' },
  unsafe_link: { feed: [...good, withOption({ link: 'javascript:alert(1)' })], record: '5' },
  end_before_start: { feed: [...good, withOption({ startsOn: NOW + 10, expiresOn: NOW + 5 })], record: '5' },
  expired_offer: { feed: [...good, withOption({ expiresOn: NOW - 1 })], record: '5' },
  rolled_up: { feed: [...good, aSeries({ id: '7', streamingOptions: {} })], record: '7' },
  price_not_allowed: { feed: [...good, withOption({ price: { amount: '1', currency: 'USD' } })], record: '5' },
  unknown_currency: {
    feed: [...good, withOption({ service: 'prime', type: 'rent', price: { amount: '1', currency: 'XQZ' } })],
    record: '5',
  },
  invalid_price: {
    feed: [...good, withOption({ service: 'prime', type: 'buy', price: { amount: '2,99', currency: 'USD' } })],
    record: '5',
  },
  out_of_scope: {
    feed: [header({ scope: { countries: ['us'] } }), ...good.slice(1), withOption({}, 'gb')],
    record: '5',
  },
  duplicate_show: { feed: [...good, FIRST], record: '1' },
  id_taken: { before: [good], feed: aDelta(aMovie({ id: '1', imdbId: 'tt99', tmdbId: 'movie/99' })), record: '1' },
  ids_disagree: {
    before: [aSnapshot(FIRST, SECOND)],
    feed: aDelta(aMovie({ id: '3', imdbId: FIRST.imdbId, tmdbId: SECOND.tmdbId })),
    record: '3',
  },
  shows_merged: {
    before: [aSnapshot(aMovie({ id: '1', imdbId: '' }), aMovie({ id: '2', tmdbId: '', title: 'Another name' }))],
    feed: aDelta(aMovie({ id: '3', imdbId: SECOND.imdbId, tmdbId: FIRST.tmdbId })),
    record: '3',
  },
  ambiguous_show: {
    before: [aSnapshot(aMovie({ id: '1', title: 'Same' }), aMovie({ id: '2', title: 'Same' }))],
    feed: [
      { kind: 'feed', source: 'other', mode: 'delta' },
      aMovie({ id: '3', title: 'Same', imdbId: '', tmdbId: '' }),
    ],
    record: '3',
  },
  unknown_show: {
    feed: [...good, { kind: 'top', country: 'us', service: 'netflix', showType: 'movie', shows: ['1', 'tt404'] }],
  },
  remove_in_snapshot: { feed: [...good, { kind: 'remove', id: '1' }], record: '1' },
  unexpected_change: { feed: [...good, { kind: 'change', changeType: 'new', showId: '1' }] },
  removals_withheld: { before: [good], feed: [...good, 'no JSON'], line: 'none', besides: ['unreadable_line'] },
  too_many_removals: { before: [aSnapshot(FIRST, SECOND)], feed: good, line: 'none' },
}

describe('a snapshot that is altered between its check and its import', () => {
  const shows = Array.from({ length: 10 }, (_, i) => aMovie({ id: String(i + 1) }))
  const whole = feedBytes(aSnapshot(...shows))

  it.each([
    ['by one that breaks off', feedBytes(aSnapshot(FIRST, SECOND)).subarray(0, -20)],
    ['by one that lacks nearly all', feedBytes(aSnapshot(FIRST))],
    ['by an empty one', Buffer.alloc(0)],
    ['by a line', feedBytes(aSnapshot(...shows.slice(1), aMovie({ id: '11' })))],
  ])('%s removes nothing', (_, later) =>
    withCatalog([aSnapshot(...shows)], async (ledger) => {
      const readings = [whole, later]
      const feed: FeedSource = () => feedFromBytes(readings.shift() as Buffer)()
      // Without a difference to what is known the feed is read only once.
      readings[0] = feedBytes(aSnapshot(...shows.slice(0, 9), aMovie({ id: '10', title: 'Renamed' })))
      const report = await take(ledger, feed, { mode: 'snapshot', source: 'test' })
      expect(report).toMatchObject({ complete: false, changes: { removed: 0 }, notices: { feed_altered: 1 } })
      expect(readings).toEqual([])
      for (const { id } of shows) expect(offersOf(ledger, id as string)).not.toEqual([])
    }),
  )
})

describe('every notice', () => {
  it('has a case below', () => {
    expect([...Object.keys(CASES), ...OF_CONNECTORS, ...OF_TWO_FEEDS, ...OF_HISTORY].sort()).toEqual(
      Object.keys(NOTICE_CODES).sort(),
    )
  })

  it.each(Object.keys(CASES) as (keyof typeof CASES)[])(
    '%s names its line and its record, in a check as in an import',
    (code) => {
      const { before = [], feed, line, record, besides = [] } = CASES[code]
      const lineNumber = line === 'none' ? undefined : (line ?? (Buffer.isBuffer(feed) ? undefined : feed.length))
      return withCatalog(before, async (ledger) => {
        const source = feedFromBytes(Buffer.isBuffer(feed) ? feed : feedBytes(feed))
        const untouched = exported(ledger)
        const checked = await checkFeed(source, ledger, { clock: () => NOW })
        expect(exported(ledger)).toEqual(untouched)
        const imported = await take(ledger, source)
        const { message, ...notice } = imported.noticeList.find((one) => one.code === code) ?? { message: '' }
        expect(notice).toEqual({
          code,
          severity: NOTICE_CODES[code][0],
          ...(lineNumber !== undefined && { line: lineNumber }),
          ...(record !== undefined && { record }),
        })
        expect(message).not.toBe('')
        expect(Object.keys(imported.notices).sort()).toEqual([code, ...besides].sort())
        expect({ ...checked, version: 0 }).toEqual({ ...imported, version: 0 })
      })
    },
  )
})

describe('a check', () => {
  it('says what an import then says, and touches nothing, whatever the catalog and the feed', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory({ merges: true, emptyLists: true }), fc.boolean(), (steps, force) => {
        const feeds = steps.map(({ feed }) => feed)
        const last = feeds.at(-1) as Json[]
        return withCatalog(feeds.slice(0, -1), async (ledger) => {
          const untouched = exported(ledger)
          const checked = await checkFeed(feedFromRecords(last), ledger, { clock: () => NOW, force })
          expect(exported(ledger)).toEqual(untouched)
          const imported = await take(ledger, feedFromRecords(last), { force })
          expect({ ...checked, version: 0 }).toEqual({ ...imported, version: 0 })
        })
      }),
      propertyRuns(20, 11, 20_000),
    )
  })

  it('says the same of a feed of more than one batch, whose shows have no ids and whose list names them', () =>
    withCatalog([], async (ledger) => {
      const shows = Array.from({ length: 2_100 }, (_, i) => ({
        ...aMovie({ id: String(i + 1), streamingOptions: {} }),
        id: undefined,
        ...(i % 2 === 0 && { imdbId: undefined, tmdbId: undefined }),
      }))
      const list = {
        kind: 'top',
        country: 'us',
        service: 'netflix',
        showType: 'movie',
        shows: ['tt0000002', 'tt0002100'],
      }
      const feed = feedFromRecords(aSnapshot(...shows, list))
      const checked = await checkFeed(feed, ledger, { clock: () => NOW })
      expect(checked).toMatchObject({ created: 2_100, notices: {}, version: 0 })
      const imported = await take(ledger, feed)
      expect({ ...checked, version: 0 }).toEqual({ ...imported, version: 0 })
    }))
})

describe('a report', () => {
  it('counts shows and offers without a progress callback', () =>
    withCatalog([], async (ledger) => {
      const report = await take(ledger, feedFromRecords(aSnapshot(FIRST, SECOND, aSeries({ id: '3' }))))
      expect(report).toMatchObject({ shows: 3, offers: 2 + 7, created: 3, changes: { new: 9, updated: 0, removed: 0 } })
      expect(ledger.catalog.sources()[0]?.lastImport).toMatchObject({ shows: 3, changes: { new: 9 } })
    }))

  it('counts what is restated as unchanged and what differs as altered', () =>
    withCatalog([aSnapshot(FIRST, SECOND)], async (ledger) => {
      const report = await take(ledger, feedFromRecords(aSnapshot(FIRST, { ...SECOND, rating: 1 })))
      expect(report).toMatchObject({
        created: 0,
        altered: 1,
        unchanged: 1,
        changes: { new: 0, updated: 0, removed: 0 },
      })
    }))
})

describe('a snapshot that lacks much of what its source holds', () => {
  const ten = Array.from({ length: 10 }, (_, i) => aMovie({ id: String(i + 1) }))

  it('is imported if it lacks a fifth', () =>
    withCatalog([aSnapshot(...ten)], async (ledger) => {
      const report = await take(ledger, feedFromRecords(aSnapshot(...ten.slice(2))))
      expect(report.refused).toBeUndefined()
      expect(report.changes.removed).toBe(2)
    }))

  it('is refused with the figures if it lacks more, and changes nothing', () =>
    withCatalog([aSnapshot(...ten)], async (ledger) => {
      const before = exported(ledger)
      const feed = feedFromRecords(aSnapshot(...ten.slice(3), aMovie({ id: '77' })))
      const report = await take(ledger, feed)
      expect(report.refused).toEqual({ reason: 'too_many_removals', held: 10, removed: 3 })
      expect(report.noticeList.at(-1)?.message).toContain('3 of the 10 offers')
      expect(exported(ledger)).toEqual(before)
      expect(ledger.catalog.findDoc('77')).toBeUndefined()
    }))

  it('is imported if that is forced', () =>
    withCatalog([aSnapshot(...ten)], async (ledger) => {
      const feed = feedFromRecords(aSnapshot(...ten.slice(3)))
      expect((await checkFeed(feed, ledger, { clock: () => NOW, force: true })).refused).toBeUndefined()
      const report = await take(ledger, feed, { force: true })
      expect(report).toMatchObject({ changes: { removed: 3 }, notices: {} })
      expect(report.refused).toBeUndefined()
    }))

  it('is judged by the offers of its own source', () =>
    withCatalog(
      [
        aSnapshot(...ten),
        [{ kind: 'feed', source: 'large', mode: 'delta' }, aSeries({ id: '50' }), aSeries({ id: '51' })],
      ],
      async (ledger) => {
        const report = await take(ledger, feedFromRecords(aSnapshot(...ten.slice(3))))
        expect(report.refused).toEqual({ reason: 'too_many_removals', held: 10, removed: 3 })
      },
    ))

  it('is judged by the offers of seasons and episodes as well', () =>
    withCatalog([aSnapshot(aSeries({ id: '1' }), ...ten.slice(4))], async (ledger) => {
      // 7 offers of the series, 6 of movies; without the second season 3 are gone.
      const series = aSeries({ id: '1' })
      const report = await take(
        ledger,
        feedFromRecords(aSnapshot({ ...series, seasons: [(series.seasons as Json[])[0]] }, ...ten.slice(4))),
      )
      expect(report.refused).toEqual({ reason: 'too_many_removals', held: 13, removed: 3 })
    }))

  it('counts an offer as restated if another of its service, type and addon is there', () =>
    withCatalog([aSnapshot(...ten)], async (ledger) => {
      const moved = ten.map((show) => ({ ...show, streamingOptions: { us: [anOption({ link: 'https://new.test' })] } }))
      const report = await take(ledger, feedFromRecords(aSnapshot(...moved)))
      expect(report).toMatchObject({ changes: { new: 0, updated: 10, removed: 0 } })
    }))
})

describe('a feed that is not whole', () => {
  const six = Array.from({ length: 6 }, (_, i) => aMovie({ id: String(i + 1) }))
  /** Two of the six are gone, one has another option, one is new. */
  const next = aSnapshot(
    six[0] as Json,
    { ...(six[1] as Json), streamingOptions: { gb: [anOption({ link: 'https://moved.test' })] } },
    six[2] as Json,
    six[3] as Json,
    aMovie({ id: '70' }),
  )
  const whole = feedBytes(next)

  /** Imports it, and expects that nothing is removed, that the rest is taken, and that all of it is said. */
  async function expectNothingRemoved(ledger: LocalLedger, feed: FeedSource, code: NoticeCode): Promise<ImportReport> {
    const before = six.flatMap(({ id }) => offersOf(ledger, id as string).map((offer) => `${id} ${offer}`))
    const report = await take(ledger, feed)
    expect(report).toMatchObject({ complete: false, changes: { removed: 0 } })
    expect(report.notices).toMatchObject({ [code]: 1, removals_withheld: 1 })
    const after = six.flatMap(({ id }) => offersOf(ledger, id as string).map((offer) => `${id} ${offer}`))
    expect(after).toEqual(expect.arrayContaining(before))
    expect(ledger.catalog.sources()[0]?.lastImport?.complete).toBe(false)
    return report
  }

  it('removes something when it is whole, so that the tests below can fail', () =>
    withCatalog([aSnapshot(...six)], async (ledger) => {
      const report = await take(ledger, feedFromBytes(whole), { force: true })
      expect(report).toMatchObject({ complete: true, changes: { new: 2, updated: 0, removed: 3 } })
    }))

  it('removes nothing if its last line breaks off, and takes all lines before', () =>
    withCatalog([aSnapshot(...six)], async (ledger) => {
      const report = await expectNothingRemoved(ledger, feedFromBytes(whole.subarray(0, -50)), 'truncated_feed')
      expect(report.changes).toEqual({ new: 1, updated: 0, removed: 0 })
      expect(offersOf(ledger, '2')).toEqual(
        ['gb test https://moved.test', 'us test https://netflix.test/title/2'].sort(),
      )
      expect(ledger.catalog.findDoc('70')).toBeUndefined()
    }))

  it('removes nothing wherever it is cut within a line', () =>
    withCatalog([aSnapshot(...six)], async (ledger) => {
      const lineEnds = new Set([...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at))
      const starts = whole.indexOf('"kind":"show"')
      for (let end = starts + 1; end < whole.length - 1; end += 97) {
        // After a cut between two records, only a declared count could show it.
        if (lineEnds.has(end) || lineEnds.has(end - 1)) continue
        const report = await take(ledger, feedFromBytes(whole.subarray(0, end)))
        expect(report, `cut at ${end}`).toMatchObject({ complete: false, changes: { removed: 0 } })
      }
    }))

  it('removes nothing wherever its compressed bytes are cut', () =>
    withCatalog([aSnapshot(...six)], async (ledger) => {
      const zipped = gzipSync(whole)
      for (let end = 3; end < zipped.length; end += 11) {
        const report = await take(ledger, feedFromBytes(zipped.subarray(0, end)))
        expect(report, `cut at ${end}`).toMatchObject({ complete: false, changes: { removed: 0 } })
        expect(report.notices.truncated_feed, `cut at ${end}`).toBe(1)
      }
      const report = await take(ledger, feedFromBytes(zipped), { force: true })
      expect(report).toMatchObject({ complete: true })
      expect(report.changes.removed).toBeGreaterThan(0)
    }))

  it('removes nothing if it holds fewer records than it declares', () =>
    withCatalog([aSnapshot(...six)], async (ledger) => {
      const [first, ...rest] = next
      const report = await expectNothingRemoved(
        ledger,
        feedFromRecords([{ ...first, count: rest.length }, ...rest.slice(0, -1)]),
        'count_mismatch',
      )
      expect(report.noticeList.map(({ message }) => message).join()).toContain(
        `declares ${rest.length} records, the feed holds ${rest.length - 1}`,
      )
    }))

  it('removes what it lacks if it holds as many records as it declares', () =>
    withCatalog([aSnapshot(...six)], async (ledger) => {
      const [first, ...rest] = next
      const report = await take(ledger, feedFromRecords([{ ...first, count: rest.length }, ...rest]), { force: true })
      expect(report).toMatchObject({ complete: true, changes: { removed: 3 } })
    }))

  it.each([
    ['a line that is no JSON', 'unreadable_line', '{"kind":"show",'],
    ['a record of no known kind', 'unknown_kind', { kind: 'shaw', id: '5' }],
    ['a show without a title', 'missing_field', { ...six[4], title: null }],
    ['a show of no known type', 'invalid_field', { ...six[4], showType: 'moviE' }],
    ['something that is no record', 'unknown_kind', '42'],
  ] as const)('removes nothing if it holds %s', (_, code, line) =>
    withCatalog([aSnapshot(...six)], async (ledger) => {
      await expectNothingRemoved(ledger, feedFromBytes(feedBytes([...next, line as Json])), code)
    }),
  )

  it('withholds the removals of a delta, too', () =>
    withCatalog([aSnapshot(...six)], async (ledger) => {
      const report = await take(ledger, feedFromBytes(feedBytes([...aDelta({ kind: 'remove', id: '1' }), '{"kind'])))
      expect(report).toMatchObject({ complete: false, changes: { removed: 0 } })
      expect(offersOf(ledger, '1')).toHaveLength(1)
    }))
})

describe('a part of a show that cannot be read', () => {
  const series = aSeries({ id: '1' })
  const [one, two] = series.seasons as [Json, Json]
  const rest = Array.from({ length: 40 }, (_, i) => aMovie({ id: String(100 + i) }))

  it.each<[string, Json, NoticeCode]>([
    ['options that are a text', { streamingOptions: 'us' }, 'ignored_field'],
    ['options that are a list', { streamingOptions: [] }, 'ignored_field'],
    ['options of a country that are no list', { streamingOptions: { us: 'netflix' } }, 'ignored_field'],
    ['options under something that is no country', { streamingOptions: { usa: [anOption()] } }, 'ignored_field'],
    ['an option that is a text', { streamingOptions: { us: ['netflix'] } }, 'invalid_offer'],
    [
      'an option of an unknown service',
      { streamingOptions: { us: [anOption({ service: 'nets' })] } },
      'unknown_service',
    ],
    ['seasons that are a text', { seasons: 'two' }, 'ignored_field'],
    ['a season that is a number', { seasons: [one, 7] }, 'ignored_field'],
    ['a season that is null', { seasons: [null, two] }, 'ignored_field'],
    ['episodes that are an object', { seasons: [{ ...one, episodes: {} }, two] }, 'ignored_field'],
    ['an episode that is a text', { seasons: [{ ...one, episodes: ['x', 'y'] }, two] }, 'ignored_field'],
    ['options of a season that are a number', { seasons: [{ ...one, streamingOptions: 1 }, two] }, 'ignored_field'],
  ])('removes nothing of the show and is noted: %s', (_, fields, code) =>
    withCatalog([aSnapshot(series, ...rest)], async (ledger) => {
      const before = offersOf(ledger, '1')
      const report = await take(ledger, feedFromRecords(aSnapshot(...rest, { ...series, ...fields })))
      expect(report.changes.removed).toBe(0)
      expect(offersOf(ledger, '1')).toEqual(before)
      expect(report.noticeList).toEqual(
        expect.arrayContaining([expect.objectContaining({ code, record: '1', line: aSnapshot(...rest).length + 1 })]),
      )
    }),
  )

  it('removes nothing of the show if it is one of several offers of a service', () => {
    const option = (link: string, amount: string | number) =>
      anOption({
        service: 'prime',
        type: 'rent',
        link: `https://prime.test/${link}`,
        price: { amount, currency: 'USD' },
      })
    const [hd, sd] = [option('hd', '3.99'), option('sd', '2.99')]
    const show = (...options: Json[]) => aMovie({ id: '1', streamingOptions: { us: options } })
    return withCatalog([aSnapshot(show(hd, sd), ...rest)], async (ledger) => {
      const report = await take(ledger, feedFromRecords(aSnapshot(show(hd, { ...sd, link: 7 }), ...rest)))
      expect(report.notices).toEqual({ invalid_offer: 1 })
      expect(offersOf(ledger, '1')).toEqual(['us test https://prime.test/hd', 'us test https://prime.test/sd'])
      expect(report.changes).toEqual({ new: 0, updated: 0, removed: 0 })
    })
  })
})

describe('a header that cannot be understood', () => {
  const both = (id: number) =>
    aMovie({ id: String(id), streamingOptions: { us: [anOption()], gb: [anOption({ service: 'prime' })] } })
  const shows = [1, 2, 3, 4].map(both)
  const usOnly = shows.map((show) => ({ ...show, streamingOptions: { us: [anOption()] } }))
  const reference = aSnapshot().slice(1)

  it.each<[string, Json]>([
    ['a country instead of a list', { scope: { countries: 'us' } }],
    ['a text', { scope: 'us' }],
    ['a list', { scope: ['us'] }],
    ['numbers', { scope: { countries: [1] } }],
    ['no countries at all', { scope: { countries: ['United States'] } }],
    ['a service instead of a list', { scope: { services: 'netflix' } }],
  ])('removes nothing, however the scope is wrong: %s', (_, fields) =>
    withCatalog([aSnapshot(...shows)], async (ledger) => {
      const before = exported(ledger)
      const report = await take(ledger, feedFromRecords([header(fields), ...reference, ...usOnly]), { force: true })
      expect(report.changes.removed).toBe(0)
      expect(report.noticeList[0]).toMatchObject({ line: 1, severity: 'error' })
      expect(exported(ledger)).toEqual(before)
    }),
  )

  it('keeps its scope when the operator names the source and the mode', () =>
    withCatalog([aSnapshot(...shows)], async (ledger) => {
      const scoped = { kind: 'feed', scope: { countries: ['us'] } }
      const options = { source: 'test', mode: 'snapshot' as const, force: true }
      for (const feed of [
        [scoped, ...reference, ...usOnly],
        [...reference, ...usOnly, header({ scope: { countries: ['us'] } })],
      ]) {
        const report = await take(ledger, feedFromRecords(feed), options)
        expect(report.changes.removed).toBe(0)
        expect(offersOf(ledger, '1')).toHaveLength(2)
      }
    }))
})

describe('a top list that cannot be understood', () => {
  it.each<[string, Json, NoticeCode]>([
    ['a country that is none', { country: 'usa' }, 'invalid_field'],
    ['a service that nobody knows', { service: 'nobody' }, 'unknown_service'],
    ['shows that are no list', { shows: '1' }, 'ignored_field'],
    ['a type that is none', { showType: 'film' }, 'invalid_field'],
  ])('is noted and leaves the former list as it is: %s', (_, fields, code) => {
    const list = { kind: 'top', country: 'us', service: 'netflix', showType: 'movie', shows: ['1'] }
    return withCatalog([aSnapshot(FIRST, SECOND, list)], async (ledger) => {
      const before = exported(ledger)
      const report = await take(ledger, feedFromRecords(aDelta({ ...list, shows: ['2'], ...fields })))
      expect(report.noticeList[0]).toMatchObject({ code, line: 2 })
      expect(exported(ledger)).toEqual(before)
    })
  })
})
