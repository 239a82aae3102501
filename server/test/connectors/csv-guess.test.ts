import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { guessFeedMapping } from '../../src/commands/feeds/guess-feed.ts'
import type { GivenOptions } from '../../src/connectors/connector.ts'
import { guessTable } from '../../src/connectors/csv/guess/guess-mapping.ts'
import type { ImportOptions } from '../../src/ingest/import-feed.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { onFileFinished } from '../support/file-cleanup.ts'
import { importSource } from '../support/import-source.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

const fixturePath = (name: string) => fileURLToPath(new URL(`./csv/${name}`, import.meta.url))
const GIVEN = { service: 'netflix', countries: 'us,ca', linkTemplate: 'https://www.netflix.com/title/{show_id}' }

describe('a table without a mapping', () => {
  let service: TestService
  /** Whether the catalog of the service is still empty: then the next test can use it, too. */
  let isUnused = false
  beforeEach(async () => {
    if (!isUnused) service = await TestService.open(temporaryFolder(onFileFinished))
    isUnused = true
  })
  afterEach(async () => {
    if (isUnused) return
    expect(checkCatalog(service.ledger.catalog)).toEqual([])
    await service.close()
  })
  afterAll(async () => {
    if (isUnused) await service.close()
  })

  const guess = (path: string, options: GivenOptions = GIVEN) => guessTable(path, options, service.ledger.catalog)
  const importGuessed = async (path: string, options: GivenOptions = GIVEN, given: Partial<ImportOptions> = {}) => {
    const { mapping, problems } = await guess(path, options)
    expect(problems).toEqual([])
    return importMapped(path, JSON.stringify(mapping), given)
  }
  const importMapped = (path: string, mapping: string, given: Partial<ImportOptions> = {}) => {
    isUnused = false
    return importSource(service, { format: 'csv', path, options: { mapping } }, given)
  }
  const write = (content: string | Buffer, name = 'table.csv') => {
    const path = join(temporaryFolder(), name)
    writeFileSync(path, content)
    return path
  }
  const search = async (title: string) =>
    (await service.get(`/shows/search/title?title=${encodeURIComponent(title)}&country=us`)).body[0]

  it.each([
    ['netflix_titles.csv', 48],
    ['amazon_prime_titles.csv', 40],
    ['disney_plus_titles.csv', 40],
    ['hulu_titles.csv', 40],
  ])('goes in as it is: %s', async (name, rows) => {
    const path = fixturePath(name)
    const report = await importGuessed(path)
    expect(report).toMatchObject({
      source: 'csv/netflix',
      mode: 'snapshot',
      shows: rows,
      created: rows,
      offers: 2 * rows,
      complete: true,
      notices: {},
    })
    expect(await importGuessed(path)).toMatchObject({ created: 0, altered: 0, unchanged: rows })
  })

  it('has every column of the well-known lists in its place', async () => {
    const { mapping, columns } = await guess(fixturePath('netflix_titles.csv'))
    expect(mapping.columns).toEqual({
      type: { field: 'showType', values: { Movie: 'movie', 'TV Show': 'series' } },
      title: { field: 'title' },
      director: { field: 'directors', separator: ',' },
      cast: { field: 'cast', separator: ',' },
      date_added: { field: 'availableSince', format: 'MMMM D, YYYY' },
      release_year: { field: 'year' },
      rating: { field: 'duration', fallback: true },
      duration: { field: 'duration' },
      listed_in: { field: 'genres', separator: ',' },
      description: { field: 'overview' },
    })
    expect(columns.filter(({ rule }) => rule === undefined).map(({ heading, reason }) => [heading, reason])).toEqual([
      ['show_id', undefined],
      ['country', 'where a title was made, not where it can be watched'],
    ])
  })

  it('is what the API answers after the import', async () => {
    await importGuessed(fixturePath('netflix_titles.csv'))
    expect(await search('okja')).toMatchObject({
      showType: 'movie',
      overview: 'A girl fights for her giant friend.',
      releaseYear: 2017,
      genres: [{ id: 'action' }, { id: 'adventure' }, { id: 'drama' }, { id: 'scifi' }, { id: 'fantasy' }],
      directors: ['Bong Joon-ho'],
      cast: ['Tilda Swinton', 'Paul Dano', 'Robert Downey, Jr.'],
      runtime: 121,
      streamingOptions: {
        us: [
          {
            service: { id: 'netflix', name: 'Netflix', homePage: 'https://www.netflix.com' },
            type: 'subscription',
            link: 'https://www.netflix.com/title/s12',
            availableSince: Date.UTC(2017, 5, 28) / 1000,
          },
        ],
      },
    })
    expect(await search('dark')).toMatchObject({
      showType: 'series',
      seasonCount: 3,
      cast: ['Louis Hofmann', {}, {}].map(() => expect.any(String)),
    })
    expect((await search('kid cosmic')).genres).toMatchObject([
      { id: 'family' },
      { id: 'comedy' },
      { id: 'scifi' },
      { id: 'fantasy' },
    ])
    expect((await search('kid cosmic')).streamingOptions.us[0].availableSince).toBe(Date.UTC(2017, 7, 4) / 1000)
  })

  it('has the durations that strayed into the column of age ratings, and takes no age for one', async () => {
    await importGuessed(fixturePath('netflix_titles.csv'))
    expect(await search('louis c.k. 2017')).toMatchObject({ runtime: 74, directors: ['Louis C.K.'] })
    await importGuessed(fixturePath('amazon_prime_titles.csv'), { ...GIVEN, service: 'prime' })
    expect(await search('old reels')).toMatchObject({ runtime: 7, genres: [{ id: 'war' }, { id: 'reality' }] })
    const path = write('id,title,type,year,rating,duration\nx7,Heat,movie,1995,16,\nx3,Alien,movie,1979,18,117 min\n')
    await importGuessed(path, { ...GIVEN, service: 'acme', linkTemplate: 'https://a.test/{id}' })
    expect(await search('heat')).not.toHaveProperty('runtime')
    expect(await search('alien')).toMatchObject({ runtime: 117 })
  })

  it('is complete for its service and countries only: one of another country removes nothing of it', async () => {
    await importGuessed(write(LATIN), { ...GIVEN, countries: 'us' })
    const [head, ...rows] = LATIN.trimEnd().split('\n')
    const report = await importGuessed(write([head, ...rows.slice(6)].join('\n')), { ...GIVEN, countries: 'CA' })
    expect(report).toMatchObject({ shows: 6, changes: { new: 6, removed: 0 }, complete: true, notices: {} })
    const fewer = await importGuessed(write([head, ...rows.slice(1)].join('\n')), { ...GIVEN, countries: 'us' })
    expect(fewer).toMatchObject({ changes: { removed: 1 } })
  })

  it.each([
    [
      'Spanish',
      'Título;Tipo;Año;Dirección;Reparto;Géneros;Duración;País;Enlace\n' +
        'Roma;Película;2018;Alfonso Cuarón;Yalitza Aparicio, Marina de Tavira;Drama;135 min;México;https://a.test/1\n' +
        'Élite;Serie;2018;;Itzan Escamilla, Danna Paola;Drama, Crimen;7 temporadas;España;https://a.test/2\n',
    ],
    [
      'French',
      'Titre\tType\tAnnée\tRéalisateur\tActeurs\tGenre\tDurée\tURL\n' +
        'Roma\tFilm\t2018\tAlfonso Cuarón\tYalitza Aparicio, Marina de Tavira\tDrame\t2h 15min\thttps://a.test/1\n' +
        'Élite\tSérie\t2018\t\tItzan Escamilla, Danna Paola\tDrame, Crime\t7 saisons\thttps://a.test/2\n',
    ],
    [
      'English with units and an index',
      ',Movie Title,Media Type,Year of Release,Directed By,Starring,Genre(s),Runtime (mins),Number of Seasons,Watch URL\n' +
        '0,Roma,Feature Film,2018,Alfonso Cuarón,Yalitza Aparicio|Marina de Tavira,Drama,135,,https://a.test/1\n' +
        '1,Élite,TV Series,2018,,Itzan Escamilla|Danna Paola,Drama|Crime,,7,https://a.test/2\n',
    ],
    [
      'Japanese',
      'タイトル,種類,公開年,監督,出演者,ジャンル,長さ,リンク\n' +
        'Roma,映画,2018,Alfonso Cuarón,"Yalitza Aparicio, Marina de Tavira",ドラマ,135分,https://a.test/1\n' +
        'Élite,シリーズ,2018,,"Itzan Escamilla, Danna Paola","ドラマ, 犯罪",7シーズン,https://a.test/2\n',
    ],
  ])('is read in %s', async (_, table) => {
    const report = await importGuessed(write(table), { service: 'acme', countries: 'us' })
    expect(report).toMatchObject({ shows: 2, complete: true, notices: {} })
    expect(await search('roma')).toMatchObject({
      showType: 'movie',
      releaseYear: 2018,
      directors: ['Alfonso Cuarón'],
      cast: ['Yalitza Aparicio', 'Marina de Tavira'],
      genres: [{ id: 'drama' }],
      runtime: 135,
      streamingOptions: { us: [{ service: { id: 'acme' }, type: 'subscription', link: 'https://a.test/1' }] },
    })
    expect(await search('elite')).toMatchObject({
      showType: 'series',
      seasonCount: 7,
      genres: [{ id: 'drama' }, { id: 'crime' }],
    })
  })

  it('has people in numbered columns, and age ratings, votes and sums left out', async () => {
    const table =
      'Poster_Link,Series_Title,Released_Year,Certificate,Runtime,Genre,IMDB_Rating,Overview,Meta_score,Director,Star1,Star2,Star3,No_of_Votes,Gross\n' +
      'https://a.test/h.jpg,Heat,1995,A,170 min,"Action, Crime, Drama",8.3,A heist.,76,Michael Mann,Al Pacino,Robert De Niro,Val Kilmer,577113,"67,436,818"\n' +
      'https://a.test/a.jpg,Alien,1979,R,117 min,"Horror, Sci-Fi",8.5,A ship.,89,Ridley Scott,Sigourney Weaver,Tom Skerritt,,787806,"78,900,000"\n'
    const options = {
      service: 'acme',
      countries: 'us',
      showType: 'movie',
      linkTemplate: 'https://a.test/{Series_Title}',
    }
    expect(await importGuessed(write(table), options)).toMatchObject({ shows: 2, notices: {} })
    expect(await search('heat')).toMatchObject({
      showType: 'movie',
      releaseYear: 1995,
      rating: 83,
      cast: ['Al Pacino', 'Robert De Niro', 'Val Kilmer'],
      imageSet: { verticalPoster: { w360: 'https://a.test/h.jpg' } },
    })
    expect(await search('alien')).toMatchObject({ cast: ['Sigourney Weaver', 'Tom Skerritt'], runtime: 117 })
  })

  it('with a type of offers under "type" has movies and series by another column, or asks', async () => {
    const table =
      'title,type,year,price,currency,url\nHeat,rent,1995,2.99,USD,https://a.test/1\nHeat,buy,1995,9.99,USD,https://a.test/2\n'
    const { problems } = await guess(write(table), { service: 'acme', countries: 'us' })
    expect(problems).toEqual([expect.stringContaining('--show-type movie')])
    await importGuessed(write(table), { service: 'acme', countries: 'us', showType: 'movie' })
    const { us } = (await search('heat')).streamingOptions
    expect(us.map(({ type, price }: { type: string; price: object }) => [type, price])).toEqual([
      ['rent', expect.objectContaining({ amount: '2.99' })],
      ['buy', expect.objectContaining({ amount: '9.99' })],
    ])
  })

  it('has its own countries, unless --countries says otherwise of a plain column', async () => {
    const table = (heading: string) =>
      write(`title,type,${heading},url\nHeat,movie,GB,https://a.test/1\nAlien,movie,"US, CA",https://a.test/2\n`)
    expect((await guess(table('country'), { service: 'acme' })).mapping.columns).toHaveProperty('country')
    const given = await guess(table('country'), { service: 'acme', countries: 'us' })
    expect(given.columns.find(({ heading }) => heading === 'country')?.reason).toContain('--countries')
    const { mapping } = await guess(table('Available countries'), { service: 'acme', countries: 'us' })
    expect(mapping.columns['Available countries']).toEqual({ field: 'country' })
    expect(mapping.scope).toEqual({ services: ['acme'] })
  })

  it.each([
    [['7', '8', '9', '10'], { field: 'rating', scale: 10 }],
    [['3.5', '4', '5'], { field: 'rating', scale: 5 }],
    [['78%', '64%', '91%'], { field: 'rating', scale: 100 }],
    [['6', '12', '16', '18'], undefined],
    [['PG-13', 'R', 'TV-MA', '7.5'], undefined],
  ])('has ratings %j as %j', async (ratings, rule) => {
    const rows = ratings.map((rating, i) => `x${i * 3},T${i},movie,${rating}`)
    const { mapping } = await guess(write(`id,title,type,rating\n${rows.join('\n')}\n`))
    expect(mapping.columns.rating).toEqual(rule)
  })

  it('goes in with lists in brackets, IMDb ids and ratings', async () => {
    const path = fixturePath('titles.csv')
    await importGuessed(path, { ...GIVEN, linkTemplate: 'https://www.netflix.com/title/{id}' })
    expect((await service.get('/shows/tt0075314')).body).toMatchObject({
      title: 'Taxi Driver',
      genres: [{ id: 'drama' }, { id: 'crime' }],
      runtime: 114,
      rating: 82,
    })
    expect((await service.get('/shows/tt0063929')).body).toMatchObject({ showType: 'series', seasonCount: 4 })
  })

  /** The first rows of a list, in letters that windows-1252 has. */
  const LATIN = readFileSync(fixturePath('netflix_titles.csv'), 'utf8').split('\n').slice(0, 13).join('\n').concat('\n')
  /** The table as Excel would save it. */
  const saved = (delimiter: string) =>
    LATIN.split('\n')
      .map((line) =>
        [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
          .map(([, cell = '']) => (cell.includes(delimiter) && !cell.startsWith('"') ? `"${cell}"` : cell))
          .slice(0, 12)
          .join(delimiter),
      )
      .join('\r\n')

  it.each([
    ['with semicolons in windows-1252', Buffer.from(saved(';'), 'latin1')],
    ['with tabs in UTF-16', Buffer.from(`\ufeff${saved('\t')}`, 'utf16le')],
    ['with a mark in UTF-8', Buffer.from(`\ufeff${LATIN}`)],
    ['with a line that names the separator', Buffer.from(`sep=;\r\n${saved(';')}`)],
    [
      'with empty columns and rows at the end',
      Buffer.from(`${LATIN.trimEnd().replace(/\n/g, ',,\n')},,\n,,,,,,,,,,,,,\n`),
    ],
    ['gzipped', gzipSync(LATIN)],
  ])('is read %s', async (_, bytes) => {
    const report = await importGuessed(write(bytes))
    expect(report).toMatchObject({ shows: 12, complete: true, notices: {} })
    expect(await search('roma')).toMatchObject({ directors: ['Alfonso Cuarón'], runtime: 135 })
    expect(await importGuessed(write(LATIN))).toMatchObject({ created: 0, altered: 0, unchanged: 12 })
  })

  it('with rows that are only counted knows its titles again in another order', async () => {
    const rows = LATIN.trimEnd().split('\n')
    const [head = '', first = '', ...others] = rows
    await importGuessed(write([head, first, ...others].join('\n')))
    const later = [
      's1,Movie,A New One,,,,"October 1, 2021",2021,PG,80 min,Dramas,New.',
      ...[...others, first].map((row, i) => row.replace(/^s\d+/, `s${i + 2}`)),
    ]
    const report = await importGuessed(write([head, ...later].join('\n')))
    expect(report).toMatchObject({ shows: 13, created: 1, complete: true })
    expect(await search('okja')).toMatchObject({ runtime: 121 })
  })

  const HEAD = 'id,title,type,year,added,link\n'
  const row = (i: number, date: string) => `x${i * 7},Title ${i},movie,2001,${date},https://a.test/${i}\n`
  const DATED = { service: 'acme', countries: 'us' }

  it('with dates that may be read in two ways is refused until the format is given', async () => {
    const path = write(HEAD + row(1, '03/04/2021') + row(2, '05/06/2021'))
    const { problems } = await guess(path, DATED)
    expect(problems).toEqual([
      'The dates of added, such as "03/04/2021", may be DD/MM/YYYY or MM/DD/YYYY: say which with --date-format',
    ])
    await importGuessed(path, { ...DATED, dateFormat: 'MM/DD/YYYY' })
    expect((await search('title 1')).streamingOptions.us[0].availableSince).toBe(Date.UTC(2021, 2, 4) / 1000)
  })

  it('with one day after the twelfth is read by it, and other dates are reported by column', async () => {
    const bad = ['13/13/2021', 'soon', '2021-04-03', 'later']
    const good = Array.from({ length: 60 }, (_, i) => row(i + 10, i === 0 ? '25/04/2021' : '03/04/2021'))
    const path = write(HEAD + good.join('') + bad.map((date, i) => row(i, date)).join(''))
    const report = await importGuessed(path, DATED)
    expect(report).toMatchObject({ shows: 64, complete: true, notices: { ignored_field: 4 } })
    expect(report.noticeList).toEqual([
      {
        code: 'ignored_field',
        severity: 'warning',
        line: 62,
        column: 'added',
        count: 4,
        message:
          '"13/13/2021" (line 62), "soon" (line 63), "2021-04-03" (line 64) and 1 more; a date in the format DD/MM/YYYY is needed, the cells are skipped',
      },
    ])
    expect((await search('title 12')).streamingOptions.us[0].availableSince).toBe(Date.UTC(2021, 3, 3) / 1000)
  })

  it('says all that it does not say', async () => {
    const { problems } = await guess(write('name,year\nHeat,1995\nAlien,1979\n'), {})
    expect(problems.map((problem) => /give (--[a-z-]+)/.exec(problem)?.[1])).toEqual([
      '--show-type',
      '--countries',
      '--service',
      '--link-template',
    ])
    const { problems: untitled } = await guess(write('a,b\n1,2\n'), { ...DATED, linkTemplate: 'https://a.test/{c}' })
    expect(untitled).toContain('--link-template names {c}, which is no column; the columns are a, b')
    expect(untitled.join('\n')).toContain('No column is recognised as the title; the columns are a, b')
  })

  it('with a column for each service has to be split first', async () => {
    const head = 'ID,Title,Year,Age,IMDb,Netflix,Hulu,Disney+,Type\n'
    const options = { ...GIVEN, linkTemplate: 'https://a.test/{ID}' }
    const { problems } = await guess(
      write(`${head}7,Heat,1995,18+,8.3,1,0,0,movie\n9,Alien,1979,16+,8.5,0,1,0,movie\n`),
      options,
    )
    expect(problems).toEqual([
      expect.stringMatching(/^The table has a column for each service: Netflix, Hulu, Disney\+/),
    ])
    const { mapping, problems: none } = await guess(write(`${head}7,Heat,1995,18+,8.3,1,0,0,movie\n`), options)
    expect([none, mapping.columns.IMDb]).toEqual([[], { field: 'rating', scale: 10 }])
  })

  it.each([
    ['an Excel workbook', Buffer.from('PK\x03\x04\x14\x00'), /an Excel workbook: unzip it, or save it as CSV/],
    ['a web page', Buffer.from('\ufeff<!DOCTYPE html>\n<html></html>\n'), /it is a web page/],
    ['JSON', Buffer.from('[{"title":"Heat"},\n{"title":"Alien"}]\n'), /it is JSON/],
  ])('that is %s is refused as such', async (_, bytes, message) => {
    await expect(guess(write(bytes))).rejects.toThrow(message)
  })

  it('without headings is refused', async () => {
    const { problems } = await guess(write('Heat,1995,movie\nAlien,1979,movie\n'), DATED)
    expect(problems).toContain(
      'The first row has values such as "1995" in place of headings: add a row with the headings',
    )
  })

  it('without rows, or of another encoding, is refused in a sentence', async () => {
    await expect(guess(write('title,year\n'))).rejects.toThrow(/table\.csv cannot be read: it has no rows/)
    const japanese = Buffer.concat([
      Buffer.from('title,year\n'),
      Buffer.from([0x90, 0xe7, 0x82, 0xc6, 0x2c, 0x31, 0x0a]),
    ])
    await expect(guess(write(japanese))).rejects.toThrow(/--encoding shift_jis/)
    const { mapping } = await guess(write(japanese), { ...GIVEN, encoding: 'shift_jis' })
    expect(mapping.encoding).toBe('shift_jis')
  })

  it('has an id of offers, not of titles, where a title has several', async () => {
    const rows = ['us', 'ca', 'gb', 'de'].map(
      (country, i) => `${100 + i * 3},Heat,film,1995,${country},https://a.test/${i}`,
    )
    const path = write(`id,Titel,Typ,Jahr,country code,url\n${rows.join('\n')}\n`)
    expect((await guess(path, { service: 'acme' })).mapping.key).toBeUndefined()
    expect(await importGuessed(path, { service: 'acme' })).toMatchObject({ shows: 1, offers: 4 })
  })

  it('is read in other words and languages', async () => {
    const path = write(
      'Titel;Typ;Erscheinungsjahr;Regie;Darsteller;Genre;Laufzeit;Preis;Währung;Qualität;Untertitel;Verfügbar bis;Link\n' +
        'Die Welle;Spielfilm;2008;Dennis Gansel;Jürgen Vogel, Frederick Lau;Drama/Thriller;107;"3,99";EUR;4K;Deutsch, Englisch (CC);31.12.2027;https://a.test/welle\n' +
        'Dark;Serie;2017;;Louis Hofmann;Krimi/Mystery;;"1.299,00 €";EUR;FHD;en;15.03.2028;https://a.test/dark\n',
    )
    const report = await importGuessed(path, { service: 'acme', countries: 'de', offerType: 'buy' })
    expect(report).toMatchObject({ shows: 2, notices: {} })
    const { body } = await service.get('/shows/search/filters?country=de&show_type=movie')
    expect(body.shows[0]).toMatchObject({
      title: 'Die Welle',
      genres: [{ id: 'drama' }, { id: 'thriller' }],
      cast: ['Jürgen Vogel', 'Frederick Lau'],
      runtime: 107,
      streamingOptions: {
        de: [
          {
            type: 'buy',
            quality: 'uhd',
            price: { amount: '3.99', currency: 'EUR' },
            subtitles: [
              { closedCaptions: false, locale: { language: 'deu' } },
              { closedCaptions: true, locale: { language: 'eng' } },
            ],
            expiresOn: Date.UTC(2027, 11, 31) / 1000,
          },
        ],
      },
    })
  })

  describe('whose guessed mapping the operator is asked about', () => {
    const answering = (...answers: string[]) => {
      const asked: string[] = []
      const ask = async (question: string) => {
        asked.push(question)
        return answers.shift() ?? 'n'
      }
      return { asked, ask }
    }
    /** Guesses with answers of the operator; returns the result, the questions, and what was printed. */
    async function guessWith(path: string, answers: readonly string[], more = {}) {
      const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
      const { asked, ask } = answering(...answers)
      try {
        const options = { apply: true, yes: false, json: false, ask, ...more }
        const accepted = await guessFeedMapping(path, GIVEN, service.ledger.catalog, options)
        return { accepted, asked, printed: print.mock.calls.map(([text]) => text).join('') }
      } finally {
        print.mockRestore()
      }
    }

    it('is imported after a yes, with the mapping beside the table', async () => {
      const path = write(LATIN)
      const { accepted, asked, printed } = await guessWith(path, ['what?', 'Y'])
      expect(asked).toHaveLength(2)
      const file = path.replace('.csv', '.mapping.json')
      expect(accepted?.file).toBe(file)
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(accepted?.mapping)
      expect(printed).toContain('line 6: movie "Roma" (2018)')
      expect(printed).not.toContain('line 7')
      expect(await importMapped(path, file)).toMatchObject({ shows: 12, notices: {} })
    })

    it('is not imported after a no, and only written for changes on request', async () => {
      const path = write(LATIN)
      const file = path.replace('.csv', '.mapping.json')
      expect((await guessWith(path, ['no'])).accepted).toBeUndefined()
      expect(existsSync(file)).toBe(false)
      const { accepted, printed } = await guessWith(path, ['w'])
      expect([accepted, existsSync(file)]).toEqual([undefined, true])
      expect(printed).toContain(`marquee import --mapping ${file} ${path}`)
    })

    it('never replaces a mapping that was changed', async () => {
      const path = write(LATIN)
      await guessWith(path, ['y'])
      expect((await guessWith(path, ['y'])).accepted?.file).toBeDefined()
      const file = path.replace('.csv', '.mapping.json')
      writeFileSync(file, readFileSync(file, 'utf8').replace('"snapshot"', '"delta"'))
      await expect(guessWith(path, ['y'])).rejects.toThrow(/exists and differs from what is guessed now/)
      const other = join(temporaryFolder(), 'other.json')
      expect((await guessWith(path, ['y'], { mappingFile: other })).accepted?.file).toBe(other)
    })

    it.each([
      [{ ask: undefined }, 'import with --yes'],
      [{ json: true }, 'import with --yes'],
    ])('is refused if nobody can be asked: %j', async (more, message) => {
      await expect(guessWith(write(LATIN), [], more)).rejects.toThrow(message)
    })
  })
})
