import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { MAX_LINE_BYTES } from '../../ingest/lines/feed-lines.ts'
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
  csv: string | Buffer | Iterable<Buffer>,
  by = mapping,
): Promise<{ line: number; record: Record<string, unknown> }[]> {
  const all: { line: number; record: Record<string, unknown> }[] = []
  const chunks = typeof csv === 'string' ? [Buffer.from(csv)] : Buffer.isBuffer(csv) ? [csv] : csv
  for await (const line of readCsvFeed(Readable.from(chunks), by)) {
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

  it('skips a line that is too long, and reads on', async () => {
    const row = (title: string) => `${title},movie,1995,,,de,https://a.test/${title.length},2.99,,,,\n`
    const piece = Buffer.alloc(1 << 20, 'x')
    const long = Array<Buffer>(1 + Math.ceil(MAX_LINE_BYTES / piece.length)).fill(piece)
    const all = await records([Buffer.from(`${heading}${row('Heat')}`), ...long, Buffer.from(`\n${row('Ronin')}`)])
    expect(all.map(({ record }) => record.title ?? record.problem)).toEqual([
      undefined,
      'Heat',
      'Ronin',
      'line_too_long',
    ])
    expect(all.find(({ record }) => record.problem)?.line).toBe(3)
  })

  it('ends at a quote that is not closed, before the rest of a large table is in memory', async () => {
    const row = 'Heat,movie,1995,,,de,https://a.test/1,2.99,,,,\n'
    let read = 0
    function* table() {
      yield Buffer.from(`${heading}${row}"Ronin,movie,1998,,,de,https://a.test/2,2.99,,,,\n`)
      for (; read < 8 * MAX_LINE_BYTES; read += 1 << 16) yield Buffer.from(row.repeat((1 << 16) / row.length))
    }
    const all = await records(table())
    expect(all.map(({ record }) => record.title ?? record.problem)).toEqual([undefined, 'Heat', 'truncated_feed'])
    expect(read).toBeLessThan(2 * MAX_LINE_BYTES)
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

describe('readCsvFeed with rules for columns', () => {
  const rules: CsvMapping = {
    source: 'shop',
    columns: {
      Name: 'title',
      Art: { field: 'showType', values: { Spielfilm: 'movie', Reihe: 'series' } },
      Length: 'duration',
      Stars: { field: 'rating', scale: 5 },
      People: { field: 'cast', separator: '/' },
      Genres: { field: 'genres', separator: ',' },
      Countries: 'country',
      Price: 'price',
      Audio: 'audios',
      Until: { field: 'expiresOn', format: 'DD/MM/YYYY' },
      Language: 'originalLanguage',
      TMDB: 'tmdbId',
    },
    key: 'Code',
    linkTemplate: 'https://shop.test/{Code}?q={Name}',
    defaults: { service: 'shop', type: 'rent', currency: 'USD' },
  }
  const head = 'Code,Name,Art,Length,Stars,People,Genres,Countries,Price,Audio,Until,Language,TMDB\n'

  it('maps values, durations, scales, lists, names of countries and languages, and links', async () => {
    const csv = `${head}a/1,Heat & Co,spielfilm,2h 50m,4.1,Al Pacino/Val Kilmer,"Krimi, Polar","Germany, AT",$3.99,"English; pt-BR",31/12/2026,Englisch,949\n`
    const [, heat] = await records(csv, rules)
    expect(heat?.record).toEqual({
      kind: 'show',
      partial: true,
      showType: 'movie',
      recordId: 'a/1',
      tmdbId: 'movie/949',
      title: 'Heat & Co',
      runtime: 170,
      genres: ['crime'],
      cast: ['Al Pacino', 'Val Kilmer'],
      rating: 82,
      originalLanguage: 'en',
      streamingOptions: Object.fromEntries(
        ['de', 'at'].map((country) => [
          country,
          [
            {
              service: 'shop',
              type: 'rent',
              link: 'https://shop.test/a%2F1?q=Heat%20%26%20Co',
              audios: [{ language: 'eng' }, { language: 'por', region: 'BRA' }],
              subtitles: [],
              price: { amount: '3.99', currency: 'USD' },
              expiresOn: Date.UTC(2026, 11, 31) / 1000,
            },
          ],
        ]),
      ),
    })
  })

  it('keeps titles of one name apart by their own ids, and gives them ids that stay', async () => {
    const csv = `${head}a,Twins,Reihe,2 Seasons,,,,us,,,,,\nb,Twins,Reihe,1 Season,,,,us,,,,,\na,Twins,,,,,,gb,,,,,\n`
    const shows = (await records(csv, rules)).slice(1).map(({ record }) => record)
    expect(shows).toMatchObject([{ seasonCount: 2, streamingOptions: { us: [{}], gb: [{}] } }, { seasonCount: 1 }])
    const ids = shows.map(({ id }) => Number(id))
    expect(ids.every((id) => id >= 900_000_000_000_000)).toBe(true)
    expect(new Set(ids).size).toBe(2)
    const again = await records(csv, rules)
    expect(again.slice(1).map(({ record }) => Number(record.id))).toEqual(ids)
  })

  it('takes the type of a show from its duration, if nothing else says it', async () => {
    const { Art: _, ...columns } = rules.columns
    const csv = `${head}a,One,,90 min,,,,us,,,,,\nb,Two,,3 Seasons,,,,us,,,,,\n`
    const shows = (await records(csv, { ...rules, columns })).slice(1).map(({ record }) => record.showType)
    expect(shows).toEqual(['movie', 'series'])
  })

  it('reports cells by column with their number, and skips only the rows that say nothing without them', async () => {
    const rows = [
      'a,One,Spielfilm,long,9,,,us,,,31/12/2026,,',
      'b,Two,Spielfilm,longer,,,,us,"1,299",,12/31/2026,,',
      'c,Three,Spielfilm,N/A,,,,us,,,,,',
      'd,Four,Hörspiel,90,,,,us,,,,,',
      'e,Five,Spielfilm,90,,,,Atlantis,,,,,',
      'f,Six,Spielfilm,90,,,,Atlantis,,,,,',
      'g,,Spielfilm,90,,,,us,,,,,',
    ]
    const all = (await records(`${head}${rows.join('\n')}\n`, rules)).map(({ record }) => record)
    expect(all.flatMap(({ title }) => title ?? [])).toEqual(['One', 'Two', 'Three'])
    expect(all.filter(({ column }) => column !== undefined)).toEqual([
      {
        line: 2,
        note: 'ignored_field',
        column: 'Length',
        count: 2,
        detail:
          '"long" (line 2), "longer" (line 3); a duration such as 90 min or 2 Seasons is needed, the cells are skipped',
      },
      {
        line: 2,
        note: 'ignored_field',
        column: 'Stars',
        count: 1,
        detail: '"9" (line 2); a number from 0 to 5 is needed, the cell is skipped',
      },
      {
        line: 3,
        note: 'ignored_field',
        column: 'Price',
        count: 1,
        detail: '"1,299" (line 3); an amount such as 2.99 is needed, the cell is skipped',
      },
      {
        line: 3,
        note: 'ignored_field',
        column: 'Until',
        count: 1,
        detail: '"12/31/2026" (line 3); a date in the format DD/MM/YYYY is needed, the cell is skipped',
      },
      {
        line: 5,
        problem: 'unreadable_line',
        column: 'Art',
        count: 1,
        detail: '"Hörspiel" (line 5); movie or series is needed, the row is skipped',
      },
      {
        line: 6,
        problem: 'unreadable_line',
        column: 'Countries',
        count: 2,
        detail:
          '"Atlantis" (line 6), "Atlantis" (line 7); a country code such as us, or a name, is needed, the rows are skipped',
      },
      {
        line: 8,
        problem: 'unreadable_line',
        column: 'Name',
        count: 1,
        detail: 'nothing (line 8); a title is needed, the row is skipped',
      },
    ])
  })

  it('takes a duration of nothing for none', async () => {
    const columns: CsvMapping['columns'] = { title: 'title', type: 'showType', length: 'duration', link: 'link' }
    const zero = { columns, defaults: { service: 'acme', country: 'us', type: 'subscription' } }
    const rows = ['0 min', '0', '01:30:00', '0 Seasons', '5'].map(
      (length, i) => `T${i},movie,${length},https://a.test/${i}`,
    )
    const all = await records(`title,type,length,link\n${rows.join('\n')}\n`, zero)
    expect(all.flatMap(({ record }) => (record.kind === 'show' ? [record.runtime] : []))).toEqual([
      ...[undefined, undefined, 90, undefined, 5],
    ])
    expect(all.filter(({ record }) => record.column !== undefined)).toEqual([])
  })

  it('takes no date that may be read in two ways, without a format', async () => {
    const columns = { ...rules.columns, Until: 'expiresOn' as const }
    const csv = `${head}a,One,Spielfilm,,,,,us,,,03/04/2027,,\nb,Two,Spielfilm,,,,,us,,,2027-04-03,,\nc,Three,Spielfilm,,,,,us,,,"April 3, 2027",,\n`
    const all = (await records(csv, { ...rules, columns })).map(({ record }) => record)
    const ends = all.flatMap(({ streamingOptions: options }) =>
      options === undefined ? [] : [(options as { us: { expiresOn?: number }[] }).us[0]?.expiresOn],
    )
    const day = Date.UTC(2027, 3, 3) / 1000
    expect(ends).toEqual([undefined, day, day])
    expect(all).toContainEqual(expect.objectContaining({ column: 'Until', count: 1, note: 'ignored_field' }))
  })

  it.each([';', '\t', '|'])('names the delimiter %j if the mapping has another one', async (delimiter) => {
    const csv = head.replaceAll(',', delimiter)
    const named = JSON.stringify(delimiter).replaceAll('\\', '\\\\').replace('|', '\\|')
    await expect(records(csv, { ...rules, delimiter: ',' })).rejects.toThrow(
      new RegExp(`"delimiter": ${named} in the mapping`),
    )
  })
})

describe('parseCsvMapping', () => {
  it('reports everything that is wrong with a rule', () => {
    const read = () =>
      parseCsvMapping({
        columns: {
          A: { field: 'titel' },
          B: { field: 'year', colour: 'red' },
          C: { field: 'cast', separator: '' },
          D: { field: 'startsOn', format: 'dd.mm.yyyy' },
          E: { field: 'rating', scale: 0 },
          F: { field: 'showType', values: ['movie'] },
        },
        encoding: 'klingon',
        linkTemplate: 'https://a.test/watch',
        mode: 'all',
      })
    for (const fault of [
      /titel/,
      /colour/,
      /separator/,
      /dd\.mm\.yyyy/,
      /scale/,
      /values/,
      /klingon/,
      /a\.test/,
      /"mode"/,
    ])
      expect(read).toThrow(fault)
  })

  it('reports all problems in one error', () => {
    const read = () => parseCsvMapping({ columns: { A: 'titel' }, defaults: { colour: 'red' } })
    expect(read).toThrow(CsvMappingError)
    expect(read).toThrow(/titel[\s\S]*colour[\s\S]*"showType"/)
  })
})
