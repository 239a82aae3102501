import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { aDelta, aMovie, anOption, aSeries, aSnapshot, idsOf } from '../support/builders.ts'
import type { TestService } from '../support/test-service.ts'
import { aRunningService } from './running-service.ts'

const PATH = '/shows/search/filters'
const ORDERS = [
  'original_title',
  'release_date',
  'rating',
  'popularity_alltime',
  'popularity_1year',
  'popularity_1month',
  'popularity_1week',
]
const both = (names: readonly string[]) => names.flatMap((name) => [`${name} asc`, `${name} desc`])

/** A page of a search, and its next cursor. */
async function page(service: TestService, parameters: string, cursor?: string) {
  const more = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
  const { status, body, text } = await service.get(`${PATH}?country=us&${parameters}${more}`)
  expect(status, text).toBe(200)
  return { ids: idsOf(body.shows), hasMore: body.hasMore as boolean, nextCursor: body.nextCursor as string | undefined }
}

/** All pages of a search; `between` runs after each page, before the next request. */
async function pages(
  service: TestService,
  parameters: string,
  between: (page: string[], number: number) => Promise<unknown> = async () => {},
): Promise<string[][]> {
  const all: string[][] = []
  for (let cursor: string | undefined; ; ) {
    const { ids, hasMore, nextCursor } = await page(service, parameters, cursor)
    all.push(ids)
    if (!hasMore) return all
    await between(ids, all.length)
    cursor = nextCursor
  }
}

describe('a walk through the pages', async () => {
  // The first 50 are few enough to be sorted; all 300 are read from the sorted column.
  const service = await aRunningService(
    aSnapshot(
      ...Array.from({ length: 300 }, (_, i) =>
        (i % 4 === 3 ? aSeries : aMovie)({
          id: String(10 + i),
          originalTitle: `Title ${(i * 31) % 200}`,
          rating: (i * 17) % 21,
          popularity: { us: { alltime: i % 50, '1year': (i * 3) % 7, '1month': 1, '1week': (i * 11) % 300 } },
          streamingOptions: { us: [anOption({ service: i < 50 ? 'mubi' : 'netflix' })] },
          seasons: undefined,
        }),
      ),
    ),
  )

  describe.each([
    ['few', '&catalogs=mubi', 50],
    ['many', '', 300],
  ])('of %s shows', (_, filter, count) => {
    it.each(both(ORDERS))('%s yields each show exactly once', async (order) => {
      const [name, direction] = order.split(' ')
      const all = await pages(service, `order_by=${name}&order_direction=${direction}${filter}`)
      const ids = all.flat()
      expect(ids).toHaveLength(count)
      expect(new Set(ids).size).toBe(count)
      expect(all.slice(0, -1).every(({ length }) => length === 20)).toBe(true)
    })
  })

  it('is the same whatever the page size: pages of 15 and 10 go on where they stopped', async () => {
    const inOne = (await pages(service, 'order_by=rating&show_type=series')).flat()
    const byTen = await pages(service, 'order_by=rating&show_type=series&series_granularity=episode')
    expect(byTen[0]).toHaveLength(10)
    expect(byTen.flat()).toEqual(inOne)
    const byFifteen = await pages(service, 'order_by=rating&series_granularity=season')
    expect(byFifteen[0]).toHaveLength(15)
    expect(byFifteen.flat()).toEqual((await pages(service, 'order_by=rating')).flat())
  })

  it('a cursor names the first item of the next page: its id, then its sort value', async () => {
    const first = await page(service, 'order_by=rating')
    const second = await page(service, 'order_by=rating', first.nextCursor)
    const { rating } = (await service.get(`/shows/${second.ids[0]}`)).body
    expect(first.nextCursor).toMatch(new RegExp(`^${second.ids[0]}:${rating}(:|$)`))
    const byTitle = await page(service, 'order_by=original_title')
    const next = await service.get(`/shows/${(await page(service, '', byTitle.nextCursor)).ids[0]}`)
    expect(byTitle.nextCursor?.startsWith(`${next.body.id}:${next.body.originalTitle}`)).toBe(true)
  })

  it('the same cursor gives the same page again', async () => {
    const { nextCursor } = await page(service, 'order_by=popularity_1week')
    const once = await page(service, 'order_by=popularity_1week', nextCursor)
    expect(await page(service, 'order_by=popularity_1week', nextCursor)).toEqual(once)
  })

  it('is the same on the marketplace base', async () => {
    const { nextCursor } = await page(service, 'order_by=rating')
    const path = `${PATH}?country=us&order_by=rating&cursor=${encodeURIComponent(nextCursor as string)}`
    expect((await service.get(path, { source: 'marketplace' })).text).toBe((await service.get(path)).text)
  })

  describe('a cursor that belongs to another order is rejected', async () => {
    const cursors = new Map<string, string>()
    for (const order of both(ORDERS)) {
      const [name, direction] = order.split(' ')
      cursors.set(order, (await page(service, `order_by=${name}&order_direction=${direction}`)).nextCursor as string)
    }

    it.each(both(ORDERS))('a cursor of %s in every other order', async (order) => {
      for (const other of both(ORDERS)) {
        const [name, direction] = other.split(' ')
        const cursor = encodeURIComponent(cursors.get(order) as string)
        const path = `${PATH}?country=us&order_by=${name}&order_direction=${direction}&cursor=${cursor}`
        const { status, error } = await service.get(path)
        if (other === order) expect(status).toBe(200)
        else expect([status, error.code, error.parameter], other).toEqual([400, 'invalid_cursor', 'cursor'])
      }
    })
  })

  it.each([
    'x',
    '12',
    ':',
    '12:',
    ':12',
    '12:34',
    '-1:34:rating.desc',
    '1:x:rating.desc',
    '1::rating.desc',
    '1: :rating.desc',
    '1:0x10:rating.desc',
    '1:010:rating.desc',
    '1:NaN:rating.desc',
    '1:Infinity:rating.desc',
    '1:3:rating.up',
    '1:3:nonsense.desc',
    '1:3:rating.desc:',
    '99999999999999999999:3:rating.desc',
    '{"id":1}',
    '😀',
    '\u0000',
    '%',
  ])('a cursor that cannot be read, %j, is rejected', async (cursor) => {
    const { status, error } = await service.get(
      `${PATH}?country=us&order_by=rating&cursor=${encodeURIComponent(cursor)}`,
    )
    expect([status, error.code, error.parameter]).toEqual([400, 'invalid_cursor', 'cursor'])
  })

  it('a cursor of changes is none of shows', async () => {
    const { body } = await service.get('/changes?country=us&change_type=new&item_type=show')
    expect(body.hasMore).toBe(true)
    const cursor = encodeURIComponent(body.nextCursor)
    expect((await service.get(`${PATH}?country=us&cursor=${cursor}`)).error.code).toBe('invalid_cursor')
  })

  it('any text is either a valid cursor or rejected, never an internal error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.constantFrom(...ORDERS), async (text, order) => {
        const path = `${PATH}?country=us&order_by=${order}&cursor=${encodeURIComponent(text)}`
        const { status, error } = await service.get(path)
        if (text === '') expect(status).toBe(200)
        else expect([status, error.code]).toEqual([400, 'invalid_cursor'])
      }),
      { numRuns: 100 },
    )
  })
})

describe('a cursor may hold any character', async () => {
  const TITLES = [
    'What? Who & Why',
    '100% Wolf',
    '100%25',
    'Mission: Impossible',
    'a:b:c:original_title.desc',
    'Two  spaces',
    ' leading and trailing ',
    'plus+sign',
    'Amélie',
    'Café ☕',
    '🎬🎬',
    '千と千尋の神隠し',
    '기생충',
    'a/b\\c',
    'quote"quote\'',
    'line\nbreak',
    'tab\ttab',
    '#hash=1;2',
    '<b>bold</b>',
    '',
    '…',
  ]
  /** A unique word for each title, which also finds the twenty shows before it. */
  const word = (i: number) => `pick${String.fromCharCode(97 + i)}`
  const every = TITLES.map((_, i) => word(i)).join(' ')
  const service = await aRunningService(
    aSnapshot(
      ...Array.from({ length: 20 }, (_, i) => aMovie({ id: String(1 + i), originalTitle: '', overview: every })),
      ...TITLES.map((originalTitle, i) => aMovie({ id: String(100 + i), originalTitle, overview: word(i) })),
    ),
  )

  it.each(TITLES)('%j', async (title) => {
    const i = TITLES.indexOf(title)
    const first = await page(service, `keyword=${word(i)}`)
    expect(first.ids).toHaveLength(20)
    expect(first.nextCursor?.startsWith(`${100 + i}:${title}`)).toBe(true)
    const second = await page(service, `keyword=${word(i)}`, first.nextCursor)
    expect(second).toEqual({ ids: [String(100 + i)], hasMore: false, nextCursor: undefined })
  })

  it('walks through titles of any text exactly once, in either direction', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 25, maxLength: 45 }), fc.boolean(), async (titles, down) => {
        await service.import(
          aDelta(
            ...titles.map((originalTitle, i) =>
              aMovie({
                id: String(1000 + i),
                originalTitle,
                genres: ['horror'],
                title: 'Any',
                releaseYear: undefined,
              }),
            ),
          ),
        )
        const order = `genres=horror&order_direction=${down ? 'desc' : 'asc'}`
        const shows = titles.map((title, i) => ({ id: String(1000 + i), bytes: Buffer.from(title) }))
        const sign = down ? -1 : 1
        shows.sort((a, b) => sign * Buffer.compare(a.bytes, b.bytes) || Number(a.id) - Number(b.id))
        const walked = (await pages(service, order)).flat()
        await service.import(aDelta(...titles.map((_, i) => ({ kind: 'remove', id: String(1000 + i) }))))
        expect(walked).toEqual(idsOf(shows))
      }),
      { numRuns: 6 },
    )
  })
})

describe('a title that is no proper text', async () => {
  const service = await aRunningService(
    aSnapshot(
      ...Array.from({ length: 280 }, (_, i) => aMovie({ id: String(100 + i), originalTitle: `Title ${i}` })),
      aMovie({ id: '1', originalTitle: '\ufffd' }),
      aMovie({ id: '2', originalTitle: '😀' }),
      aMovie({ id: '3', originalTitle: '\ud83d half of it' }),
    ),
  )
  const walk = async (direction: string) => (await pages(service, `order_direction=${direction}`)).flat()

  it('is walked through once, also after it was put right', async () => {
    for (const direction of ['asc', 'desc']) expect((await walk(direction)).filter((id) => id === '3')).toEqual(['3'])
    await service.import(aDelta(aMovie({ id: '3', originalTitle: 'Whole' })))
    for (const direction of ['asc', 'desc']) {
      const ids = await walk(direction)
      expect(ids.filter((id) => id === '3')).toEqual(['3'])
      expect(ids).toHaveLength(283)
    }
  })
})

describe.each([60, 300])('while the catalog changes between pages of %i shows', async (count) => {
  // Few are sorted, many are read from the sorted column.
  const catalog = aSnapshot(
    ...Array.from({ length: count }, (_, i) =>
      aMovie({ id: String(1000 + i), originalTitle: `Title ${String(i).padStart(3, '0')}`, rating: 100 - (i % 30) }),
    ),
  )
  const service = await aRunningService(catalog)
  const removal = (...ids: string[]) => aDelta(...ids.map((id) => ({ kind: 'remove', id })))
  const idAt = (i: number) => String(1000 + i)
  const whole = async (order: string) => (await pages(service, order)).flat()
  beforeEach(async () => {
    await service.import(catalog, { force: true })
    expect(await whole('')).toHaveLength(count)
  })

  it('the page starts at the next one in order if the named item is gone', async () => {
    const first = await page(service, 'order_by=original_title')
    expect(first.nextCursor).toContain(`${idAt(20)}:`)
    await service.import(removal(idAt(20)))
    const second = await page(service, 'order_by=original_title', first.nextCursor)
    expect(second.ids.slice(0, 2)).toEqual([idAt(21), idAt(22)])
  })

  it('the same downwards, and in an order with ties', async () => {
    const ids = await whole('order_by=rating')
    const first = await page(service, 'order_by=rating')
    await service.import(removal(ids[20] as string))
    const second = await page(service, 'order_by=rating', first.nextCursor)
    expect(second.ids).toEqual(ids.slice(21, 41))
  })

  it('the last of all gone: an empty last page', async () => {
    const all = await pages(service, 'order_by=original_title')
    let cursor: string | undefined
    for (let i = 0; i < all.length - 1; i++) cursor = (await page(service, '', cursor)).nextCursor
    await service.import(removal(...(all.at(-1) as string[])))
    expect(await page(service, '', cursor)).toEqual({ ids: [], hasMore: false, nextCursor: undefined })
  })

  it('a walk repeats no item and skips none that was there all along', async () => {
    const gone = new Set<string>()
    const walked = await pages(service, 'order_by=original_title', async (ids, number) => {
      // One seen and one unseen show are removed; two are added, one behind the cursor and one ahead of it.
      const leaving = [ids[3] as string, String(Number(ids.at(-1)) + 3)]
      for (const id of leaving) gone.add(id)
      const behind = String(Number(ids[0]) - 1000).padStart(3, '0')
      await service.import([
        ...removal(...leaving),
        aMovie({ id: String(5000 + number), originalTitle: `Title ${behind}a` }),
        aMovie({ id: String(6000 + number), originalTitle: `Title 9${number}` }),
      ])
    })
    const ids = walked.flat()
    expect(new Set(ids).size).toBe(ids.length)
    for (let i = 0; i < count; i++) if (!gone.has(idAt(i))) expect(ids).toContain(idAt(i))
    expect(ids.filter((id) => id.startsWith('5'))).toEqual([])
    expect(ids.filter((id) => id.startsWith('6'))).toHaveLength(walked.length - 1)
  })

  it('an item whose sort value changes behind the position is not repeated', async () => {
    const first = await page(service, 'order_by=original_title')
    // The show moves to the front, behind the cursor.
    await service.import(aDelta(aMovie({ id: idAt(20), originalTitle: 'A new name' })))
    const second = await page(service, 'order_by=original_title', first.nextCursor)
    expect(second.ids[0]).toBe(idAt(21))
  })

  it('a cursor outlives a new version of the catalog', async () => {
    const first = await page(service, 'order_by=rating')
    const expected = await page(service, 'order_by=rating', first.nextCursor)
    await service.import(aDelta(aMovie({ id: '1', rating: 100, originalTitle: 'Before all' })))
    expect(await page(service, 'order_by=rating', first.nextCursor)).toEqual(expected)
  })
})
