import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareSortValues, type SortValue } from '../../src/catalog/sorted/column-store.ts'
import { popularityWindow, SHOW_ORDERS, type ShowOrder } from '../../src/query/queries.ts'
import { aMovie, anOption, aSeries, aSnapshot, DAY, NOW } from '../support/builders.ts'
import { runFactor } from '../support/property-runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

const SHOWS = 700
/** A long run (`support/property-runs.ts`) imports between all pages. */
const PAGES_BETWEEN_IMPORTS = runFactor > 1 ? 1 : 3

/** Shows with many ties in every order, so that pages break within groups of equal values. */
const shows = Array.from({ length: SHOWS }, (_, i) => {
  const title = ['Émile', 'emile', 'Zoë', '😀 smile', 'A: b? c&d%20', ''][i % 6] + (i % 4 === 0 ? '' : ` ${i % 90}`)
  return (i % 3 === 0 ? aSeries : aMovie)({
    id: String(10_000 + ((i * 389) % SHOWS)),
    title: `Show ${i}`,
    originalTitle: title,
    ...(i % 3 === 0
      ? { firstAirYear: 1990 + (i % 7), seasons: [] }
      : i % 5 === 0
        ? { releaseYear: undefined }
        : { releaseYear: 1990 + (i % 11) }),
    rating: (i * 13) % 40,
    ...(i % 3 !== 0 && i % 8 !== 0 && { runtime: 60 + (i % 50) }),
    streamingOptions: {
      us: [
        anOption({ link: `https://netflix.test/${i}`, availableSince: NOW - (i % 12) * DAY }),
        anOption({
          service: 'prime',
          link: `https://prime.test/${i}`,
          availableSince: NOW - (i % 5) * DAY,
          ...(i % 4 !== 0 && { expiresOn: NOW + (100 + (i % 17)) * DAY }),
        }),
      ],
    },
    popularity: {
      us: { alltime: i % 9, '1year': (i * 31) % 1000, '1month': i / 7, ...(i % 2 === 0 && { '1week': i % 3 }) },
    },
  })
})

/** The sort value of a show, from its feed record. */
function sortedBy(show: (typeof shows)[number], order: ShowOrder): SortValue {
  const window = popularityWindow(order)
  if (window !== undefined) return ((show.popularity as { us: Record<string, number> }).us[window] ?? 0) as number
  if (order === 'rating') return show.rating as number
  if (order === 'runtime') return (show.showType === 'movie' ? (show.runtime ?? 0) : 0) as number
  const { us: options } = show.streamingOptions as { us: { availableSince: number; expiresOn?: number }[] }
  if (order === 'available_since') return Math.max(...options.map(({ availableSince }) => availableSince))
  if (order === 'leaving') return Math.min(...options.map(({ expiresOn = 999_999_999_999 }) => expiresOn))
  return order === 'release_date'
    ? ((show.releaseYear ?? show.firstAirYear ?? 0) as number)
    : (show.originalTitle as string)
}

function idsInOrder(order: ShowOrder, direction: 'asc' | 'desc'): string[] {
  const sign = direction === 'asc' ? 1 : -1
  return [...shows]
    .sort((a, b) => sign * compareSortValues(sortedBy(a, order), sortedBy(b, order)) || Number(a.id) - Number(b.id))
    .map(({ id }) => id as string)
}

/** The order by chance has no model; `server/test/api/more-filters.test.ts` tests it. */
const orders = SHOW_ORDERS.filter((order) => order !== 'random').flatMap((order) =>
  (['asc', 'desc'] as const).map((direction) => [order, direction] as const),
)

describe('reading all pages', () => {
  const folder = temporaryFolder(afterAll)
  let service: TestService

  beforeAll(async () => {
    service = await TestService.open(folder)
    expect((await service.import(aSnapshot(...shows))).notices).toEqual({})
  })
  afterAll(() => service.close())

  const readAllPages = async (
    order: ShowOrder,
    direction: string,
    filters = '',
    afterPage?: () => Promise<unknown>,
  ) => {
    const path = `/shows/search/filters?country=us&order_by=${order}&order_direction=${direction}${filters}`
    return (await service.allShows(path, afterPage)).shows.map(({ id }) => id as string)
  }

  it.each(orders)('by %s %s gives each show exactly once and in order', async (order, direction) => {
    expect(await readAllPages(order, direction)).toEqual(idsInOrder(order, direction))
  })

  it.each(orders)('by %s %s sorts few matches in the same order as it scans many', async (order, direction) => {
    const few = shows.filter(({ rating }) => rating === 13 || rating === 26)
    expect(few.length).toBeLessThan(100)
    const matching = new Set([...few].map(({ id }) => id as string))
    const found = [
      ...(await readAllPages(order, direction, '&rating_min=13&rating_max=13')),
      ...(await readAllPages(order, direction, '&rating_min=26&rating_max=26')),
    ]
    expect(new Set(found)).toEqual(matching)
    const places = new Map(idsInOrder(order, direction).map((id, place) => [id, place]))
    const half = found.length - (await readAllPages(order, direction, '&rating_min=26&rating_max=26')).length
    for (const part of [found.slice(0, half), found.slice(half)]) {
      expect(part).toEqual([...part].sort((a, b) => (places.get(a) as number) - (places.get(b) as number)))
    }
  })

  describe('while another process imports feeds between the pages', () => {
    let child: ChildProcess

    beforeAll(() => {
      const program = fileURLToPath(new URL('../support/importing-child.mjs', import.meta.url))
      child = fork(program, [folder, '50000', 'on-request'])
      child.send(aMovie({ id: '1' }))
    })
    afterAll(async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    })

    // Orders without a column read their values from the same table, so one of them will do.
    const paged = orders.filter(
      ([order, direction]) =>
        (order !== 'leaving' && order !== 'available_since') || `${order} ${direction}` === 'leaving asc',
    )

    it.each(paged)('by %s %s repeats no show, and skips none that existed all along', async (order, direction) => {
      const versions = new Set<number>()
      let pages = 0
      const found = await readAllPages(order, direction, '', async () => {
        if (pages++ % PAGES_BETWEEN_IMPORTS !== 0) return
        child.send('import')
        const [version] = (await once(child, 'message')) as [number]
        versions.add(version)
      })
      expect(new Set(found).size).toBe(found.length)
      expect(found.filter((id) => Number(id) < 50_000)).toEqual(idsInOrder(order, direction))
      expect(versions.size).toBeGreaterThan(Math.floor(20 / PAGES_BETWEEN_IMPORTS))
    })
  })
})
