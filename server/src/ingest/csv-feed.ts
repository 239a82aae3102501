import type { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { CSV_FIELDS, type CsvField, type CsvMapping, posterSet } from './csv-mapping.ts'
import type { FeedLine } from './feed-lines.ts'

type Cells = Partial<Record<CsvField, string>>

interface CsvSeason {
  title: string | undefined
  options: Record<string, object[]>
  episodes: Map<number, { title: string | undefined; options: Record<string, object[]> }>
}

interface CsvShow {
  readonly line: number
  readonly cells: Cells
  readonly options: Record<string, object[]>
  readonly seasons: Map<number, CsvSeason>
}

/**
 * A spreadsheet as a native feed: each row is an offer of a show, a season or an episode, and the rows of one show
 * become one record. What is wrong with a value is found by the importer, as in any feed, under the row's line.
 */
export async function* csvFeed(source: Readable, mapping: CsvMapping): AsyncGenerator<FeedLine> {
  const header = { kind: 'feed', source: mapping.source ?? 'csv', mode: mapping.mode ?? 'snapshot' }
  for (const record of [header, ...(mapping.reference ?? [])]) yield { line: 1, text: JSON.stringify(record) }
  const shows = new Map<string, CsvShow>()
  const skipped: FeedLine[] = []
  for await (const { record, info } of rowsOf(source, mapping, skipped)) {
    const cells = readCells(record as Record<string, string>, mapping)
    const problem = placeProblem(cells)
    if (problem === undefined) addRow(shows, cells, info.lines, mapping)
    else skipped.push({ line: info.lines, problem: 'unreadable_line', detail: problem })
  }
  for (const show of shows.values()) yield recordLine(show, mapping)
  yield* skipped
}

/** What is wrong with the place that a row names within a series. */
function placeProblem({ season, episode }: Cells): string | undefined {
  for (const [field, cell] of Object.entries({ season, episode })) {
    if (cell !== undefined && !/^[1-9]\d{0,3}$/.test(cell)) {
      return `the ${field} is ${JSON.stringify(cell)}; a whole number from 1 to 9999 is needed`
    }
  }
  return episode !== undefined && season === undefined ? 'the row names an episode, but no season' : undefined
}

/** The rows of a table; those that cannot be read are put aside as problems. */
function rowsOf(source: Readable, { delimiter = ',' }: CsvMapping, skipped: FeedLine[]) {
  const parser = parse({
    columns: true,
    delimiter,
    bom: true,
    info: true,
    skip_empty_lines: true,
    trim: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error === undefined) return
      // A quotation mark that is never closed swallows the rest of the table.
      const problem = error.code === 'CSV_QUOTE_NOT_CLOSED' ? 'truncated_feed' : 'unreadable_line'
      skipped.push({ line: Number(error.lines ?? 1), problem, detail: error.message })
    },
  })
  source.on('error', (error) => parser.destroy(error))
  return source.pipe(parser) as AsyncIterable<{ record: unknown; info: { lines: number } }>
}

function readCells(row: Readonly<Record<string, string>>, { columns, defaults = {} }: CsvMapping): Cells {
  const cells: Cells = { ...defaults }
  for (const [heading, field] of Object.entries(columns)) {
    const cell = row[heading]
    if (cell !== undefined && cell !== '') cells[field] = cell
  }
  return cells
}

function addRow(shows: Map<string, CsvShow>, cells: Cells, line: number, mapping: CsvMapping): void {
  const { id, imdbId, tmdbId, title, year, showType } = cells
  const key = id ?? imdbId ?? tmdbId ?? `${showType} ${year} ${title}`
  let show = shows.get(key)
  if (show === undefined) {
    show = { line, cells, options: {}, seasons: new Map() }
    shows.set(key, show)
  }
  const country = (cells.country ?? '').toLowerCase()
  const list = optionsOf(show, cells)
  list[country] = [...(list[country] ?? []), optionOf(cells, mapping)]
}

/** The options of the item that a row is about, made where it is the first row of the item. */
function optionsOf(show: CsvShow, cells: Cells): Record<string, object[]> {
  if (cells.season === undefined) return show.options
  const season = placed(show.seasons, Number(cells.season), () => ({
    title: cells.seasonTitle,
    options: {},
    episodes: new Map(),
  }))
  if (cells.episode === undefined) return season.options
  return placed(season.episodes, Number(cells.episode), () => ({ title: cells.episodeTitle, options: {} })).options
}

function placed<T>(map: Map<number, T>, number: number, make: () => T): T {
  let item = map.get(number)
  if (item === undefined) {
    item = make()
    map.set(number, item)
  }
  return item
}

function optionOf(cells: Cells, mapping: CsvMapping): object {
  const { service, type, addon, link, videoLink, quality, price, currency } = cells
  return {
    service,
    type,
    addon,
    link,
    videoLink,
    quality: quality?.toLowerCase(),
    audios: listOf(cells.audios, mapping).map(localeOf),
    subtitles: listOf(cells.subtitles, mapping).map((text) => {
      const captions = /\s*\(cc\)$/i
      return { closedCaptions: captions.test(text), locale: localeOf(text.replace(captions, '')) }
    }),
    price: price === undefined ? undefined : { amount: price.replace(',', '.'), currency },
    startsOn: timeOf(cells.startsOn),
    expiresOn: timeOf(cells.expiresOn),
    availableSince: timeOf(cells.availableSince),
  }
}

/** `eng`, or `spa-419`. */
function localeOf(text: string): object {
  const [language, region] = text.trim().split('-')
  return region === undefined ? { language } : { language, region }
}

/** Unix seconds of a date, of a date with a time, or as they are; anything else is left for the importer to refuse. */
function timeOf(cell: string | undefined): number | string | undefined {
  if (cell === undefined || /^\d+$/.test(cell)) return cell === undefined ? undefined : Number(cell)
  const seconds = Math.floor(Date.parse(cell) / 1000)
  return Number.isNaN(seconds) ? cell : seconds
}

function listOf(cell: string | undefined, { listDelimiter = ';' }: CsvMapping): string[] {
  return (cell ?? '')
    .split(listDelimiter)
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

function recordLine({ line, cells, options, seasons }: CsvShow, mapping: CsvMapping): FeedLine {
  const value = (field: CsvField) => {
    const cell = cells[field]
    if (cell === undefined) return undefined
    if (CSV_FIELDS[field] === 'list') return listOf(cell, mapping)
    return CSV_FIELDS[field] === 'number' && !Number.isNaN(Number(cell)) ? Number(cell) : cell
  }
  const movie = cells.showType === 'movie'
  const record = {
    kind: 'show',
    showType: cells.showType,
    id: cells.id,
    imdbId: cells.imdbId,
    tmdbId: cells.tmdbId,
    title: cells.title,
    overview: cells.overview,
    ...(movie ? { releaseYear: value('year') } : { firstAirYear: value('year'), lastAirYear: value('lastAirYear') }),
    originalTitle: cells.originalTitle,
    genres: value('genres'),
    directors: value('directors'),
    creators: value('creators'),
    cast: value('cast'),
    rating: value('rating'),
    runtime: value('runtime'),
    imageSet: posterSet(cells.poster ?? ''),
    streamingOptions: options,
    ...(seasons.size > 0 && { seasons: seasonList(seasons) }),
    originalLanguage: cells.originalLanguage,
  }
  return { line, text: JSON.stringify(record) }
}

/** Seasons and episodes are known by their place, so those that no row names are there without options. */
function seasonList(seasons: ReadonlyMap<number, CsvSeason>): object[] {
  return places(seasons, (season) => ({
    title: season?.title,
    streamingOptions: season?.options ?? {},
    episodes: places(season?.episodes ?? new Map(), (episode) => ({
      title: episode?.title,
      streamingOptions: episode?.options ?? {},
    })),
  }))
}

function places<T>(items: ReadonlyMap<number, T>, show: (item: T | undefined) => object): object[] {
  const last = Math.max(0, ...items.keys())
  return Array.from({ length: last }, (_, i) => show(items.get(i + 1)))
}
