import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aStandIn } from '../support/tmdb/sync-with.ts'
import { type TitleFacts, titleFacts } from '../support/tmdb/title-facts.ts'
import { STAND_IN_TOKEN } from '../support/tmdb/tmdb-stand-in.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/marquee.js', import.meta.url))
const DOCUMENT = fileURLToPath(new URL('../../../docs/first-catalog.md', import.meta.url))

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
    'title.principals': table('tconst ordering nconst category job characters', []),
    'name.basics': table(
      'nconst primaryName birthYear deathYear primaryProfession knownForTitles',
      titles.map(({ people }, i) => [person(i), people[0] as string, '\\N', '\\N', 'director', '\\N']),
    ),
  }
}

/** Serves the tables of IMDb as its site does. */
async function serveTables(): Promise<string> {
  const tables = imdbTables()
  const server = createServer((request, response) => {
    const table = tables[(request.url ?? '').slice(1).replace('.tsv.gz', '')]
    response.writeHead(table === undefined ? 404 : 200).end(table === undefined ? '' : gzipSync(table))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A folder with the two lists, and `npx` that runs the built program. */
function prepareFolder(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'lists'))
  mkdirSync(join(folder, 'bin'))
  const write = (name: string, titles: readonly TitleFacts[]) =>
    writeFileSync(join(folder, 'lists', name), HEAD + titles.map(toRow).join(''))
  // The last movie is known to nobody else.
  write('netflix_titles.csv', [...MOVIES.slice(0, 18), ...SERIES.slice(0, 6), titleFacts('movie', 99, 0)])
  write('disney_plus_titles.csv', [...MOVIES.slice(14, 28), ...SERIES.slice(4, 9)])
  writeFileSync(join(folder, 'bin', 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`)
  chmodSync(join(folder, 'bin', 'npx'), 0o755)
  return folder
}

/** Starts the service on a free port, and waits until it listens. */
const SERVE = `npx marquee serve > serve.log 2>&1 &
SERVICE=$!
trap 'kill $SERVICE; wait $SERVICE' EXIT
until grep -q '"address"' serve.log; do sleep 0.05; done
export ADDRESS=$(grep -o '"address":"[^"]*' serve.log | cut -d'"' -f4)
export MARQUEE_URL=$ADDRESS
`

/** A line of the document that says what is typed. */
const COMMAND = /^\$ (.*)$/

/** The commands of the document as one script, which prints a mark before the output of each. */
function toScript(document: string, imdb: string): string {
  const lines = document.split('\n').flatMap((line) => {
    const command = COMMAND.exec(line)?.[1]
    // The service is started in another terminal.
    if (command === undefined) return line === 'npx marquee serve' ? [SERVE] : []
    const local = command
      .replaceAll('https://datasets.imdbws.com', imdb)
      .replace(/'http:\/\/127\.0\.0\.1:8080([^']*)'/, '"$ADDRESS"\'$1\'')
    return ["echo '@@@'", local]
  })
  return `set -e\n${lines.join('\n')}\n`
}

/** The document with the outputs of a run in place of its own. */
function withOutputs(document: string, outputs: readonly string[]): string {
  let command = -1
  let isConsole = false
  return document
    .split('\n')
    .flatMap((line) => {
      if (line === '```console') isConsole = true
      else if (isConsole && line === '```') isConsole = false
      else if (isConsole) return COMMAND.test(line) ? [line, ...splitLines(outputs[++command] ?? '')] : []
      return [line]
    })
    .join('\n')
}

function splitLines(output: string): string[] {
  return output === '' ? [] : output.replace(/\n$/, '').split('\n')
}

test('the commands of docs/first-catalog.md make a catalog of two lists, IMDb and TMDB, and print what it shows', {
  timeout: 120_000,
}, async () => {
  const standIn = await aStandIn({ movies: 30, series: 10 })
  const folder = prepareFolder()
  const document = readFileSync(DOCUMENT, 'utf8')
  const { PATH, HOME = folder } = process.env
  const script = spawn('bash', ['-c', toScript(document, await serveTables())], {
    cwd: folder,
    env: {
      PATH: `${join(folder, 'bin')}:${PATH}`,
      HOME,
      PORT: '0',
      LOG_LEVEL: 'info',
      MARQUEE_WORKERS: '1',
      TMDB_TOKEN: STAND_IN_TOKEN,
      TMDB_API: standIn.address,
      TMDB_FILES: standIn.address,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  script.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk
  })
  script.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  const [code] = await once(script, 'close')
  // Standard error has progress lines on a slow machine.
  expect(code, stderr).toBe(0)
  const outputs = stdout.split('@@@\n').slice(1)
  // `npx vitest run server/test/process/first-catalog.test.ts --update` writes the outputs into the document.
  await expect(withOutputs(document, outputs)).toMatchFileSnapshot(DOCUMENT)
  expect(stdout).toContain('https://image.tmdb.org/')
})
