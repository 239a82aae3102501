import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { aMovie, anOption, aSeries, aSnapshot, idsOf } from '../support/builders.ts'
import { importSource } from '../support/import-source.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

const HEAD =
  'country_name\tcountry_iso2\tweek\tcategory\tweekly_rank\tshow_title\tseason_title\tcumulative_weeks_in_top_10\n'
const row = (week: string, category: string, rank: number, title: string, season = 'N/A', country = 'US') =>
  `Somewhere\t${country}\t${week}\t${category}\t${rank}\t${title}\t${season}\t1\n`

const on = (service: string, country = 'us') => ({ [country]: [anOption({ service })] })

/** A catalog in which two shows have the same title, and one is not on the service. */
const SHOWS = [
  aMovie({ id: '1', title: 'Heat', originalTitle: 'Heat' }),
  aMovie({ id: '2', title: 'Amélie', originalTitle: 'Le fabuleux destin' }),
  aMovie({ id: '3', title: 'Twins', releaseYear: 1988 }),
  aMovie({ id: '4', title: 'Twins', releaseYear: 2020 }),
  aMovie({ id: '5', title: 'Elsewhere', streamingOptions: on('prime') }),
  aSeries({ id: '6', title: 'Heat' }),
  aSeries({ id: '7', title: 'Dark' }),
]

const TABLE =
  HEAD +
  row('2026-03-01', 'Films', 1, 'Old News') +
  row('2026-03-08', 'Films', 2, 'HEAT!') +
  row('2026-03-08', 'Films', 1, 'Amelie') +
  row('2026-03-08', 'Films', 3, 'Twins') +
  row('2026-03-08', 'Films', 4, 'Elsewhere') +
  row('2026-03-01', 'Films', 2, 'Older News') +
  row('2026-03-08', 'TV', 1, 'Dark', 'Dark: Season 3') +
  row('2026-03-08', 'TV', 2, 'Heat', 'Heat: Season 1') +
  row('2026-03-08', 'TV', 3, 'Dark', 'Dark: Season 1') +
  row('2026-03-08', 'Films', 1, 'Heat', 'N/A', 'FR')

async function withTable(
  table: string | Buffer,
  test: (service: TestService, path: string) => Promise<void>,
): Promise<void> {
  const service = await TestService.open(temporaryFolder())
  const path = join(temporaryFolder(), 'all-weeks-countries.tsv')
  writeFileSync(path, table)
  try {
    await service.import(aSnapshot(...SHOWS))
    await test(service, path)
  } finally {
    await service.close()
  }
}

const topList = async (service: TestService, type: string) =>
  idsOf((await service.get(`/shows/top?country=us&service=netflix&show_type=${type}`)).body)

describe('a table of top tens', () => {
  it('becomes the lists of the latest week, with titles resolved among the shows of the service', () =>
    withTable(TABLE, async (service, path) => {
      const report = await importSource(service, { format: 'top-10', path })
      expect(report).toMatchObject({
        source: 'top-10/netflix',
        complete: true,
        notices: { ambiguous_title: 1, unknown_show: 1, left_out: 1 },
      })
      expect(await topList(service, 'movie')).toEqual(['2', '1'])
      expect(await topList(service, 'series')).toEqual(['7', '6'])
      const messages = report.noticeList.map(({ line, message }) => `${line}: ${message}`)
      expect(messages).toEqual([
        '11: The list of fr: the catalog has nothing on netflix there',
        '5: "Twins" may be any of the shows 3, 4 on netflix in us',
        '6: No movie on netflix in us is called "Elsewhere"',
      ])
    }))

  it('of which most titles are unknown is published, with a notice of the ranks that the others have', () => {
    const known: Record<number, string> = { 4: 'Heat', 9: 'Amelie' }
    const rows = Array.from({ length: 10 }, (_, i) => row('2026-03-08', 'Films', i + 1, known[i + 1] ?? `Unknown ${i}`))
    return withTable(HEAD + rows.join('') + row('2026-03-08', 'TV', 1, 'Nobody Knows'), async (service, path) => {
      const report = await importSource(service, { format: 'top-10', path })
      expect(report).toMatchObject({ complete: true, notices: { unknown_show: 9, incomplete_top_list: 2 } })
      const lists = report.noticeList.filter(({ code }) => code === 'incomplete_top_list')
      expect(lists.map(({ message }) => message)).toEqual([
        'The list of movies in us: 2 of 10 titles are known; they have the ranks 4, 9',
        'The list of series in us: 0 of 1 titles are known',
      ])
      expect(await topList(service, 'movie')).toEqual(['1', '2'])
    })
  })

  it('changes nothing in a second import', () =>
    withTable(TABLE, async (service, path) => {
      await importSource(service, { format: 'top-10', path })
      const { version } = await importSource(service, { format: 'top-10', path })
      await importSource(service, { format: 'top-10', path })
      expect(service.ledger.catalog.version()).toBe(version)
    }))

  const zipped = gzipSync(TABLE.repeat(50))
  it.each([
    ['has a garbled line', `${TABLE}garbage\n`],
    ['has a row without a week', TABLE + row('soon', 'Films', 1, 'Heat')],
    ['is truncated', TABLE.slice(0, -20)],
    ['has truncated gzip data', zipped.subarray(0, zipped.length - 30)],
  ])('that %s leaves the lists as they are', (_, table) =>
    withTable(table, async (service, path) => {
      await service.import([
        { kind: 'feed', source: 'test', mode: 'delta' },
        { kind: 'top', country: 'us', service: 'netflix', showType: 'movie', shows: ['4'] },
      ])
      expect((await importSource(service, { format: 'top-10', path })).complete).toBe(false)
      expect(await topList(service, 'movie')).toEqual(['4'])
    }),
  )

  it('without a column of countries is refused', () =>
    withTable('week\tcategory\tweekly_rank\tshow_title\n', async (service, path) => {
      await expect(importSource(service, { format: 'top-10', path })).rejects.toThrow(/no column country_iso2/)
    }))
})
