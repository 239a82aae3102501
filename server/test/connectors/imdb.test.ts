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
})
