import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { PROGRAM } from './marquee-process.ts'
import { type TitleFacts, titleFacts } from './tmdb/title-facts.ts'

/** Titles of the stand-in: movies and series by number. */
const MOVIES = Array.from({ length: 30 }, (_, i) => titleFacts('movie', i + 1, 0))
const SERIES = Array.from({ length: 10 }, (_, i) => titleFacts('tv', i + 1, 0))

const HEAD = 'show_id,type,title,director,cast,country,date_added,release_year,rating,duration,listed_in,description\n'

/** A title as the well-known lists have it. */
function toRow({ kind, title, people, year, runtime, seasons, overview }: TitleFacts, i: number): string {
  const isMovie = kind === 'movie'
  const [director, ...cast] = people
  const cells = [
    `s${i + 1}`,
    isMovie ? 'Movie' : 'TV Show',
    title,
    isMovie ? director : '',
    cast.join(', '),
    'United States, France',
    i === 3 ? ' August 4, 2021' : 'September 25, 2021',
    year,
    i === 5 ? `${runtime} min` : 'TV-MA',
    i === 5 ? '' : isMovie ? `${runtime} min` : `${seasons} Season${seasons === 1 ? '' : 's'}`,
    isMovie ? 'Dramas, International Movies' : 'Crime TV Shows, Docuseries',
    overview,
  ]
  return `${cells.map((cell) => (/[",]/.test(String(cell)) ? `"${cell}"` : cell)).join(',')}\n`
}

/** The tables of IMDb with the same titles and some others. Every column may hold `\N`. */
function imdbTables(): Record<string, string> {
  const titles = [...MOVIES, ...SERIES].filter(({ imdbId }) => imdbId !== null)
  const table = (head: string, rows: readonly (readonly (string | number)[])[]) =>
    `${[head.split(' '), ...rows].map((row) => row.join('\t')).join('\n')}\n`
  const person = (i: number) => `nm${String(i + 1).padStart(7, '0')}`
  return {
    'title.basics': table(
      'tconst titleType primaryTitle originalTitle isAdult startYear endYear runtimeMinutes genres',
      [
        ['tt0000001', 'short', 'Carmencita', 'Carmencita', 0, 1894, '\\N', '\\N', '\\N'],
        ...titles.map(({ imdbId, kind, title, year, runtime }) => [
          ...[imdbId as string, kind === 'movie' ? 'movie' : 'tvSeries', title, title, 0, year, '\\N', runtime],
          year % 2 === 0 ? 'Drama' : '\\N',
        ]),
      ],
    ),
    'title.ratings': table(
      'tconst averageRating numVotes',
      titles.map(({ imdbId, average, votes }) => [imdbId as string, average.toFixed(1), votes + 1]),
    ),
    'title.crew': table(
      'tconst directors writers',
      titles.map(({ imdbId }, i) => [imdbId as string, person(i), '\\N']),
    ),
    'title.akas': table('titleId ordering title region language types attributes isOriginalTitle', []),
    'title.episode': table('tconst parentTconst seasonNumber episodeNumber', []),
    'title.principals': table('tconst ordering nconst category job characters', []),
    'name.basics': table(
      'nconst primaryName birthYear deathYear primaryProfession knownForTitles',
      titles.map(({ people }, i) => [person(i), people[0] as string, '\\N', '\\N', 'director', '\\N']),
    ),
  }
}

/** Serves the tables of IMDb as its site does, until the test ends. */
export async function serveTables(): Promise<string> {
  const tables = imdbTables()
  const server = createServer((request, response) => {
    const table = tables[(request.url ?? '').slice(1).replace('.tsv.gz', '')]
    response.writeHead(table === undefined ? 404 : 200).end(table === undefined ? '' : gzipSync(table))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Writes the two lists that docs/first-catalog.md starts with into a folder. */
export function writeLists(folder: string): void {
  mkdirSync(join(folder, 'lists'))
  const write = (name: string, titles: readonly TitleFacts[]) =>
    writeFileSync(join(folder, 'lists', name), HEAD + titles.map(toRow).join(''))
  // The last movie is known to nobody else.
  write('netflix_titles.csv', [...MOVIES.slice(0, 18), ...SERIES.slice(0, 6), titleFacts('movie', 99, 0)])
  write('disney_plus_titles.csv', [...MOVIES.slice(14, 28), ...SERIES.slice(4, 9)])
}

/** Writes programs `npx` and `marquee` that run the built program into a folder, for commands as they are printed. */
export function writePrograms(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, skipName] of [
    ['npx', 'shift\n'],
    ['marquee', ''],
  ] as const) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${skipName}exec "${process.execPath}" "${PROGRAM}" "$@"\n`)
    chmodSync(join(folder, name), 0o755)
  }
}
