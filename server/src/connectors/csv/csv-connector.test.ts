import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readCsvFeed } from './csv-connector.ts'
import { type CsvMapping, CsvMappingError, parseCsvMapping } from './csv-mapping.ts'

const mapping: CsvMapping = {
  source: 'shop',
  columns: {
    Title: 'title',
    Kind: 'showType',
    Year: 'year',
    Season: 'season',
    Episode: 'episode',
    Country: 'country',
    URL: 'link',
    Price: 'price',
    Audio: 'audios',
    Subs: 'subtitles',
    Until: 'expiresOn',
    Genres: 'genres',
  },
  defaults: { service: 'shop', type: 'buy', currency: 'EUR' },
}

async function records(
  csv: string | Buffer,
  by = mapping,
): Promise<{ line: number; record: Record<string, unknown> }[]> {
  const all: { line: number; record: Record<string, unknown> }[] = []
  for await (const line of readCsvFeed(Readable.from([Buffer.from(csv as string)]), by)) {
    all.push({ line: line.line, record: 'text' in line ? JSON.parse(line.text) : line })
  }
  return all
}

const heading = 'Title,Kind,Year,Season,Episode,Country,URL,Price,Audio,Subs,Until,Genres\n'

describe('readCsvFeed', () => {
  it('joins the rows of a show into one record with one option each', async () => {
    const csv = `${heading}Heat,movie,1995,,,DE,https://a.test/1,"2,99",eng; spa-419,eng (CC),2026-12-31,crime;drama
Other,movie,2000,,,de,https://a.test/2,1.99,,,,
Heat,movie,1995,,,fr,https://a.test/3,3.99,,,,
`
    const [header, heat, other] = await records(csv)
    expect(header?.record).toEqual({ kind: 'feed', source: 'shop', mode: 'snapshot' })
    expect(heat?.line).toBe(2)
    expect(heat?.record).toMatchObject({
      kind: 'show',
      showType: 'movie',
      title: 'Heat',
      releaseYear: 1995,
      genres: ['crime', 'drama'],
      streamingOptions: {
        de: [
          {
            service: 'shop',
            type: 'buy',
            link: 'https://a.test/1',
            price: { amount: '2.99', currency: 'EUR' },
            audios: [{ language: 'eng' }, { language: 'spa', region: '419' }],
            subtitles: [{ closedCaptions: true, locale: { language: 'eng' } }],
            expiresOn: Date.UTC(2026, 11, 31) / 1000,
          },
        ],
        fr: [{ link: 'https://a.test/3' }],
      },
    })
    expect(other?.record).toMatchObject({ title: 'Other' })
  })

  it('places seasons and episodes by their numbers', async () => {
    const csv = `${heading}Dark,series,2017,2,1,de,https://a.test/s2e1,1.99,,,,\nDark,series,2017,1,,de,https://a.test/s1,9.99,,,,\n`
    const [, dark] = await records(csv)
    expect(dark?.record).toMatchObject({
      firstAirYear: 2017,
      seasons: [
        { streamingOptions: { de: [{ link: 'https://a.test/s1' }] }, episodes: [] },
        { streamingOptions: {}, episodes: [{ streamingOptions: { de: [{ link: 'https://a.test/s2e1' }] } }] },
      ],
    })
  })

  it('joins rows of a show if only some have its id', async () => {
    const withId = { ...mapping, columns: { ...mapping.columns, IMDb: 'imdbId' as const } }
    const csv = `IMDb,${heading},Heat,movie,1995,,,de,https://a.test/1,2.99,,,,
tt1,Heat,movie,1995,,,fr,https://a.test/2,2.99,,,,
tt2,Heat,movie,1995,,,es,https://a.test/3,2.99,,,,
`
    const [, heat, other] = await records(csv, withId)
    expect(heat?.record).toMatchObject({ imdbId: 'tt1', streamingOptions: { de: [{}], fr: [{}] } })
    expect(other?.record).toMatchObject({ imdbId: 'tt2', streamingOptions: { es: [{}] } })
  })

  it('rejects a table without a mapped column, and names the column', async () => {
    await expect(records('Title,Kind\nHeat,movie\n')).rejects.toThrow(/no column "Year"/)
  })

  it('reads a gzipped table', async () => {
    const all = await records(gzipSync(`${heading}Heat,movie,1995,,,de,https://a.test/1,2.99,,,,\n`))
    expect(all[1]?.record).toMatchObject({ title: 'Heat' })
  })

  it('keeps the complete rows of a table whose gzip data is truncated, and reports it', async () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => `Movie ${i},movie,1995,,,de,https://a.test/${i},2.99,,,,crime`)
    const zipped = gzipSync(`${heading}${rows.join('\n')}\n`)
    const all = await records(zipped.subarray(0, zipped.length / 2))
    const shows = all.filter(({ record }) => record.kind === 'show')
    expect(shows.length).toBeGreaterThan(1_000)
    expect(shows.every(({ record }) => (record.genres as string[])[0] === 'crime')).toBe(true)
    expect(all.at(-1)?.record).toMatchObject({ line: shows.length + 2, problem: 'truncated_feed' })
  })

  it('reports a row with an invalid season or episode number, and reads on', async () => {
    const csv = `${heading}Dark,series,2017,two,1,de,https://a.test/x,1.99,,,,\nDark,series,2017,1,,de,https://a.test/s1,9.99,,,,\n`
    const [, dark, problem] = await records(csv)
    expect(problem?.record).toMatchObject({ line: 2, problem: 'unreadable_line' })
    expect(dark?.record).toMatchObject({ title: 'Dark' })
  })

  it('keeps the valid rows, and reports the lines of invalid ones', async () => {
    const all = await records(`${heading}Heat,movie,1995,,,de,https://a.test/1,2.99,,,,\nBroken,"movie,1995\n`)
    expect(all.map(({ record }) => record.title ?? record.problem ?? record.kind)).toEqual([
      'feed',
      'Heat',
      'truncated_feed',
    ])
  })
})

describe('parseCsvMapping', () => {
  it('reports all problems in one error', () => {
    const read = () => parseCsvMapping({ columns: { A: 'titel' }, defaults: { colour: 'red' } })
    expect(read).toThrow(CsvMappingError)
    expect(read).toThrow(/titel[\s\S]*colour[\s\S]*"showType"/)
  })
})
