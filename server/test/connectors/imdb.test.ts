import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aMovie, anImageSet, anOption, aSeries, aSnapshot } from '../support/builders.ts'
import { checkCatalog } from '../support/check-catalog.ts'
import { formatGolden, importSource, nativeFeed } from '../support/import-source.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TestService } from '../support/test-service.ts'

const FOLDER = fileURLToPath(new URL('./imdb/', import.meta.url))
const DATA = { format: 'imdb', path: FOLDER }
const ALL = { ...DATA, options: { create: true as const } }

/** Copies the tables into a new folder and replaces some; undefined deletes one. */
function copyTables(changes: Record<string, string | Buffer | undefined>): string {
  const folder = temporaryFolder()
  cpSync(FOLDER, folder, { recursive: true })
  for (const [name, content] of Object.entries(changes)) {
    rmSync(join(folder, name), { force: true })
    if (content !== undefined) writeFileSync(join(folder, name), content)
  }
  return folder
}

const heat = aMovie({
  id: '1',
  imdbId: 'tt0113277',
  tmdbId: 'movie/949',
  title: 'Heat',
  overview: 'Two men.',
  rating: 77,
})
const dark = aSeries({ id: '2', imdbId: 'tt5753856', tmdbId: 'tv/70523', title: 'Dark', rating: 80 })

describe('the IMDb tables', () => {
  let service: TestService
  beforeEach(async () => {
    service = await TestService.open(temporaryFolder())
  })
  afterEach(async () => {
    expect(checkCatalog(service.ledger.catalog)).toEqual([])
    await service.close()
  })

  it('become this native feed with --create', async () => {
    await expect(formatGolden(await nativeFeed(service, ALL))).toMatchFileSnapshot(join(FOLDER, 'native.txt'))
  })

  it('enrich shows by IMDb id, and create none', async () => {
    await service.import(aSnapshot(heat, dark))
    const before = (await service.get('/shows/1')).body
    const report = await importSource(service, DATA)
    expect(report).toMatchObject({ source: 'imdb', mode: 'delta', shows: 2, created: 0, altered: 2, notices: {} })
    const { body } = await service.get('/shows/1')
    expect(body).toEqual({
      ...before,
      releaseYear: 1995,
      originalTitle: 'Heat',
      genres: [
        { id: 'action', name: 'Action' },
        { id: 'crime', name: 'Crime' },
        { id: 'drama', name: 'Drama' },
      ],
      directors: ['Michael Mann'],
      cast: ['Al Pacino', 'Robert De Niro'],
      rating: 80,
      runtime: 170,
    })
    expect(body.imageSet).toEqual(anImageSet('1'))
  })

  it('add the episodes of series, and keep their options', async () => {
    await service.import(aSnapshot(dark))
    const { seasons: before } = (await service.get('/shows/2')).body
    await importSource(service, DATA)
    const { body } = await service.get('/shows/2')
    expect(body).toMatchObject({
      firstAirYear: 2017,
      lastAirYear: 2020,
      creators: ['Baran bo Odar', 'Jantje Friese'],
      cast: ['Louis Hofmann'],
      rating: 84,
      seasonCount: 2,
      episodeCount: 3,
    })
    expect(body.seasons[0]).toMatchObject({ title: 'Season 1', firstAirYear: 2017, lastAirYear: 2018 })
    expect(
      body.seasons.map((season: { episodes: { title: string }[] }) => season.episodes.map(({ title }) => title)),
    ).toEqual([
      ['Secrets', 'Lies'],
      ['Episode 1', 'Episode 2', 'Episode 3'],
    ])
    expect(body.seasons[0].episodes[0]).toMatchObject({ airYear: 2017, overview: 'What happens in episode 1.' })
    expect(body.seasons[0].episodes[0].streamingOptions).toEqual(before[0].episodes[0].streamingOptions)
  })

  it('create all movies and series with --create, with translated titles', async () => {
    expect(await importSource(service, ALL)).toMatchObject({ created: 4, notices: {} })
    const { body: amelie } = await service.get('/shows/tt0211915?output_language=de')
    expect(amelie).toMatchObject({ title: 'Die fabelhafte Welt der Amelie', releaseYear: 2001, rating: 0 })
    expect((await service.get('/shows/tt0211915?output_language=ja')).body.title).toBe('Ameri')
    const { body: old } = await service.get('/shows/tt0000101')
    expect(old).toMatchObject({
      cast: ['Fred Astaire'],
      genres: [{ id: 'biography' }, { id: 'short' }, { id: 'scifi' }],
    })
    for (const id of ['tt0000102', 'tt0000103', 'tt6305578'])
      expect((await service.get(`/shows/${id}`)).status).toBe(404)
  })

  it('change nothing in a second import, also gzipped', async () => {
    await importSource(service, ALL)
    const folder = temporaryFolder()
    for (const name of readdirSync(FOLDER).filter((one) => one.endsWith('.tsv'))) {
      writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(join(FOLDER, name))))
    }
    expect(await importSource(service, { ...ALL, path: folder })).toMatchObject({
      unchanged: 4,
      altered: 0,
      created: 0,
    })
  })

  it('lose a rating when it is gone from the table, and leave those of other sources', async () => {
    await service.import(aSnapshot(heat))
    await importSource(service, DATA)
    const path = copyTables({ 'title.ratings.tsv': 'tconst\taverageRating\tnumVotes\ntt0000101\t5.6\t12\n' })
    await importSource(service, { ...DATA, path })
    expect((await service.get('/shows/1')).body.rating).toBe(77)
  })

  it('merge with the offers of another source, which stay when IMDb is dropped', async () => {
    await importSource(service, ALL)
    const option = anOption({ link: 'https://netflix.test/heat' })
    const { shows } = await service.import(aSnapshot({ ...heat, id: '900', streamingOptions: { us: [option] } }))
    expect(shows).toBe(1)
    expect((await service.get('/shows/tt0113277')).body).toMatchObject({ rating: 80, streamingOptions: { us: [{}] } })
    await service.import([{ kind: 'feed', source: 'imdb', mode: 'snapshot' }])
    const { body } = await service.get('/shows/tt0113277')
    expect(body).toMatchObject({ rating: 77, streamingOptions: { us: [{ link: 'https://netflix.test/heat' }] } })
  })

  it('note a title that is of another type in the catalog', async () => {
    await service.import(aSnapshot(aSeries({ id: '1', imdbId: 'tt0113277' })))
    expect(await importSource(service, DATA)).toMatchObject({ shows: 0, notices: { left_out: 1 } })
    expect((await service.get('/shows/1')).body.showType).toBe('series')
  })

  it('keep their ratings if the table is truncated, missing or unreadable', async () => {
    await service.import(aSnapshot(heat, dark))
    await importSource(service, DATA)
    const head = 'tconst\taverageRating\tnumVotes\n'
    const noise = Array.from({ length: 3000 }, (_, i) => `tt${i}\t${(i * 7) % 100}\t${i * 7919}\n`).join('')
    const zipped = gzipSync(`${head}${noise}`)
    const gone = { 'title.ratings.tsv': undefined }
    for (const [changes, complete] of [
      [gone, true],
      [{ ...gone, 'title.ratings.tsv.gz': zipped.subarray(0, zipped.length / 2) }, false],
      [{ 'title.ratings.tsv': `${head}garbage\n` }, false],
      [{ 'title.ratings.tsv': `${head}tt0113277\t8` }, false],
      [{ 'title.ratings.tsv': '' }, false],
    ] as const) {
      const report = await importSource(service, { ...DATA, path: copyTables(changes) })
      expect(report).toMatchObject({ complete, altered: 0, unchanged: 2 })
    }
  })

  it('are refused without title.basics, or if that is another table', async () => {
    const path = copyTables({ 'title.basics.tsv': undefined })
    await expect(importSource(service, { ...DATA, path })).rejects.toThrow(/neither title\.basics\.tsv\.gz nor/)
    copyFileSync(join(path, 'title.crew.tsv'), join(path, 'title.basics.tsv'))
    await expect(importSource(service, { ...DATA, path })).rejects.toThrow(/title\.basics has no column titleType/)
    await expect(importSource(service, { ...DATA, path: join(path, 'title.crew.tsv') })).rejects.toThrow(/no folder/)
  })

  it('take a wanted title whose genres are missing, and keep the genres that it has', async () => {
    await service.import(aSnapshot({ ...heat, genres: ['crime'] }))
    const basics = readFileSync(join(FOLDER, 'title.basics.tsv'), 'utf8')
    const path = copyTables({ 'title.basics.tsv': basics.replace('170\tAction,Crime,Drama', '170\t\\N') })
    expect(await importSource(service, { ...DATA, path })).toMatchObject({ complete: true, altered: 1, notices: {} })
    expect((await service.get('/shows/1')).body).toMatchObject({ runtime: 170, genres: [{ id: 'crime' }] })
  })

  const columns = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.tsv'))
    .flatMap((name) => {
      const [head = ''] = readFileSync(join(FOLDER, name), 'utf8').split('\n')
      return head.split('\t').map((column, i) => ({ name, column, i }))
    })

  it('may have no value in any column of any table', async () => {
    await service.import(aSnapshot(heat, dark))
    expect(columns.length).toBeGreaterThan(35)
    for (const { name, column, i } of columns) {
      const rows = readFileSync(join(FOLDER, name), 'utf8').trimEnd().split('\n')
      const emptied = rows.map((row, line) => (line === 0 ? row : row.split('\t').with(i, '\\N').join('\t')))
      const path = copyTables({ [name]: `${emptied.join('\n')}\n` })
      for (const options of [{}, { link: true }, { create: true }] as const) {
        const records = await nativeFeed(service, { ...DATA, path, options })
        const problems = records.filter((record) => 'problem' in record)
        expect({ column, problems }).toEqual({ column, problems: [] })
        const isId = i === 0 && name === 'title.basics.tsv'
        expect(records.filter(({ kind }) => kind === 'show').length).toBeGreaterThanOrEqual(isId ? 0 : 2)
      }
    }
  })

  it('may have no value at all beside the ids', async () => {
    await service.import(aSnapshot(heat, dark))
    const tables = new Map<string, string>()
    for (const name of new Set(columns.map((one) => one.name))) {
      const rows = readFileSync(join(FOLDER, name), 'utf8').trimEnd().split('\n')
      const empty = rows.map((row, line) => {
        const [id, ...others] = row.split('\t')
        return line === 0 ? row : [id, ...others.map(() => '\\N')].join('\t')
      })
      tables.set(name, `${empty.join('\n')}\n`)
    }
    const before = (await service.get('/shows/1')).body
    const path = copyTables(Object.fromEntries(tables))
    const report = await importSource(service, { ...DATA, path })
    expect(report).toMatchObject({ shows: 2, complete: true, notices: {} })
    expect((await service.get('/shows/1')).body).toEqual(before)
  })
})

describe('the IMDb tables and shows without an IMDb id', () => {
  let service: TestService
  beforeEach(async () => {
    service = await TestService.open(temporaryFolder())
  })
  afterEach(async () => {
    expect(checkCatalog(service.ledger.catalog)).toEqual([])
    await service.close()
  })

  const HEAD = 'tconst\ttitleType\tprimaryTitle\toriginalTitle\tisAdult\tstartYear\tendYear\truntimeMinutes\tgenres\n'
  const row = (id: number, type: string, title: string, year: number | string, end: number | string = '\\N') =>
    `tt${String(id).padStart(7, '0')}\t${type}\t${title}\t${title}\t0\t${year}\t${end}\t90\t\\N\n`
  /** A folder of titles and their votes. */
  function titles(rows: string, votes: Record<number, number>, more: Record<string, string> = {}): string {
    const folder = temporaryFolder()
    const ratings = Object.entries(votes).map(([id, count]) => `tt${id.padStart(7, '0')}\t7.0\t${count}\n`)
    writeFileSync(join(folder, 'title.basics.tsv'), HEAD + rows)
    writeFileSync(join(folder, 'title.ratings.tsv'), `tconst\taverageRating\tnumVotes\n${ratings.join('')}`)
    for (const [name, content] of Object.entries(more)) writeFileSync(join(folder, name), content)
    return folder
  }
  const unlinked = (id: string, title: string, year: number, more = {}) => {
    const { imdbId, tmdbId, ...movie } = aMovie({ id, title, originalTitle: title, releaseYear: year, ...more })
    return movie
  }
  const imdbIds = async (...ids: string[]) =>
    Promise.all(ids.map(async (id) => (await service.get(`/shows/${id}`)).body.imdbId))

  const TWINS =
    row(31, 'short', 'The Twins', 1988) +
    row(32, 'movie', 'The Twins', 1988) +
    row(33, 'movie', 'The Twins', 1989) +
    row(34, 'tvSeries', 'The Twins', 1988)

  it('take the title with the most votes where several fit by title and year', async () => {
    await service.import(aSnapshot(unlinked('1', 'the twins!', 1988)))
    const path = titles(TWINS, { 31: 40, 32: 9_000, 33: 100_000, 34: 500_000 })
    expect(await importSource(service, { ...DATA, path })).toMatchObject({ shows: 0 })
    const linked = await importSource(service, { ...DATA, path, options: { link: true } })
    expect(linked).toMatchObject({ shows: 1, created: 0, altered: 1, notices: {} })
    expect(await imdbIds('1')).toEqual(['tt0000032'])
    const again = await importSource(service, { ...DATA, path, options: { link: true } })
    expect(again).toMatchObject({ shows: 1, created: 0, altered: 0 })
  })

  it('become shows of their own with --create, beside the one that is linked', async () => {
    await service.import(aSnapshot(unlinked('1', 'The Twins', 1988)))
    const path = titles(TWINS, { 31: 40, 32: 9_000 })
    const report = await importSource(service, { ...DATA, path, options: { create: true } })
    expect(report).toMatchObject({ shows: 4, created: 3, altered: 1, notices: {} })
    expect(await imdbIds('1', 'tt0000031', 'tt0000033')).toEqual(['tt0000032', 'tt0000031', 'tt0000033'])
    expect((await service.get('/shows/tt0000031')).body.id).not.toBe('1')
  })

  it.each(['link', 'create'])('leave a tie unlinked with a notice (--%s)', async (option) => {
    await service.import(aSnapshot(unlinked('1', 'The Twins', 1988)))
    const path = titles(TWINS, { 31: 40, 32: 40 })
    const report = await importSource(service, { ...DATA, path, options: { [option]: true } })
    expect(report.notices).toEqual({ ambiguous_show: 1 })
    expect(report.noticeList).toMatchObject([
      {
        record: 'The Twins (1988)',
        message: 'tt0000031, tt0000032 fit it by title and year, each with 40 votes; it is not linked',
      },
    ])
    expect(await imdbIds('1')).toEqual([''])
  })

  it('are linked to neither of two shows that they fit', async () => {
    const dubbed = unlinked('3', 'The Twin', 1988, { originalTitle: 'The Twins' })
    await service.import(aSnapshot(unlinked('1', 'The Twins', 1988), dubbed))
    const path = titles(row(32, 'movie', 'The Twins', 1988), { 32: 5 })
    const report = await importSource(service, { ...DATA, path, options: { link: true } })
    expect(report).toMatchObject({ shows: 0, notices: { ambiguous_show: 1 } })
    expect(await imdbIds('1', '3')).toEqual(['', ''])
  })

  it('take a title whose year is one off or within the run of a series, but none further away', async () => {
    const { imdbId, tmdbId, ...series } = aSeries({
      id: '3',
      title: 'Long Run',
      originalTitle: 'Long Run',
      firstAirYear: 2019,
    })
    await service.import(aSnapshot(unlinked('1', 'Near', 2001), unlinked('2', 'Far', 2001), series))
    const path = titles(
      row(41, 'movie', 'Near', 2002) + row(42, 'movie', 'Far', 2003) + row(43, 'tvSeries', 'Long Run', 2011, 2020),
      {},
    )
    await importSource(service, { ...DATA, path, options: { link: true } })
    expect(await imdbIds('1', '2', '3')).toEqual(['tt0000041', '', 'tt0000043'])
  })

  it.each(['link', 'create'])('are not linked to a show with other people (--%s)', async (option) => {
    await service.import(aSnapshot(unlinked('1', 'The Twins', 1988, { directors: ['Ann Other'], cast: ['Bo Derry'] })))
    const more = {
      'title.crew.tsv': 'tconst\tdirectors\twriters\ntt0000032\tnm0000001\t\\N\n',
      'name.basics.tsv': 'nconst\tprimaryName\nnm0000001\tIvan Reitman\n',
    }
    const path = titles(row(31, 'movie', 'The Twins', 1988) + row(32, 'movie', 'The Twins', 1988), { 32: 9 }, more)
    const report = await importSource(service, { ...DATA, path, options: { [option]: true } })
    expect(report).toMatchObject({ notices: { left_out: 1 } })
    expect(report.noticeList[0]?.message).toContain('no person in common')
    expect(await imdbIds('1')).toEqual([''])
  })
})
