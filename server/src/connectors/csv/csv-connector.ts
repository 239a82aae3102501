import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { decompress, describeGzipError, type FeedLine } from '../../ingest/parse/feed-lines.ts'
import { describeSystemError } from '../../lib/system-error.ts'
import { type Connector, ConnectorError } from '../framework/connector.ts'
import { addOption, emptyOptions, type OptionRecord, type OptionsByCountry } from '../records/streaming-options.ts'
import { posterSet } from '../records/values.ts'
import { openFileFeed } from '../streams/source-files.ts'
import { CSV_FIELDS, type CsvField, type CsvMapping, CsvMappingError, parseCsvMapping } from './csv-mapping.ts'

/** Tables whose columns a mapping gives a meaning. */
export const csvConnector: Connector = {
  name: 'csv',
  summary: 'tables, one offer a row, plain or gzipped',
  options: {
    mapping: { value: 'file', description: 'JSON file that maps the columns to fields', required: true },
  },
  open: async (path, { mapping }) => {
    const read = readMappingFile(String(mapping))
    return openFileFeed(path, (stream) => readCsvFeed(stream, read))
  },
}

function readMappingFile(path: string): CsvMapping {
  try {
    return parseCsvMapping(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new ConnectorError(
      `the mapping ${path} cannot be used: ${describeSystemError(error) ?? (error as Error).message}`,
    )
  }
}

const NEWLINE = 0x0a

type Cells = Partial<Record<CsvField, string>>

interface CsvSeason {
  title: string | undefined
  options: OptionsByCountry
  episodes: Map<number, { title: string | undefined; options: OptionsByCountry }>
}

interface CsvShow {
  readonly line: number
  readonly cells: Cells
  readonly options: OptionsByCountry
  readonly seasons: Map<number, CsvSeason>
}

/**
 * A spreadsheet as a native feed: each row is an offer of a show, a season or an episode, and the rows of one show
 * become one record. What is wrong with a value is found by the importer, as in any feed, under the row's line.
 */
export async function* readCsvFeed(source: Readable, mapping: CsvMapping): AsyncGenerator<FeedLine> {
  const header = { kind: 'feed', source: mapping.source ?? 'csv', mode: mapping.mode ?? 'snapshot' }
  for (const record of [header, ...(mapping.reference ?? [])]) yield { line: 1, text: JSON.stringify(record) }
  const shows = new CsvShows()
  const skipped: FeedLine[] = []
  let broken: string | undefined
  const bytes = readWholeLines(source, (detail) => {
    broken = detail
  })
  let line = 1
  for await (const { record, info } of parseRows(bytes, mapping, skipped)) {
    line = info.lines
    const cells = readCells(record as Record<string, string>, mapping)
    const problem = findNumberProblem(cells)
    if (problem === undefined) addRow(shows, cells, info.lines, mapping)
    else skipped.push({ line: info.lines, problem: 'unreadable_line', detail: problem })
  }
  if (broken !== undefined) skipped.push({ line: line + 1, problem: 'truncated_feed', detail: broken })
  for (const show of shows.all) yield toRecordLine(show, mapping)
  yield* skipped
}

/** What is wrong with the place that a row names within a series. */
function findNumberProblem({ season, episode }: Cells): string | undefined {
  for (const [field, cell] of Object.entries({ season, episode })) {
    if (cell !== undefined && !/^[1-9]\d{0,3}$/.test(cell)) {
      return `the ${field} is ${JSON.stringify(cell)}; a whole number from 1 to 9999 is needed`
    }
  }
  return episode !== undefined && season === undefined ? 'the row names an episode, but no season' : undefined
}

/** The bytes of a table, out of gzip if need be. Of one that breaks off, the line that it breaks off in is left out. */
async function* readWholeLines(source: Readable, onBreak: (detail: string) => void): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let started = false
  try {
    for await (const chunk of decompress(source)) {
      started = true
      const end = chunk.lastIndexOf(NEWLINE) + 1
      if (end > 0) {
        yield* rest
        yield chunk.subarray(0, end)
        rest = []
      }
      // The chunk may be used again by its stream.
      if (end < chunk.length) rest.push(Buffer.from(chunk.subarray(end)))
    }
  } catch (error) {
    onBreak(describeGzipError(error))
    return
  }
  if (!started) onBreak('it is empty')
  yield* rest
}

/** The rows of a table; those that cannot be read are put aside as problems. */
function parseRows(source: AsyncIterable<Buffer>, { delimiter = ',', columns }: CsvMapping, skipped: FeedLine[]) {
  const parser = parse({
    columns: (headings: string[]) => checkHeadings(headings, columns),
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
  const bytes = Readable.from(source)
  bytes.on('error', (error) => parser.destroy(error))
  return bytes.pipe(parser) as AsyncIterable<{ record: unknown; info: { lines: number } }>
}

function checkHeadings(headings: string[], columns: CsvMapping['columns']): string[] {
  const lacking = Object.keys(columns).filter((heading) => !headings.includes(heading))
  if (lacking.length === 0) return headings
  const quoted = (names: readonly string[]) => names.map((name) => JSON.stringify(name.slice(0, 40))).join(', ')
  const [only = '', ...others] = headings
  const delimiter = others.length > 0 ? undefined : [';', '\t', '|'].find((one) => only.includes(one))
  const hint =
    delimiter === undefined ? '' : `; "delimiter": ${JSON.stringify(delimiter)} in the mapping would part them`
  throw new CsvMappingError(
    `the table has no column ${quoted(lacking)}; its columns are ${quoted(headings.slice(0, 50))}${hint}`,
  )
}

function readCells(row: Readonly<Record<string, string>>, { columns, defaults = {} }: CsvMapping): Cells {
  const cells: Cells = { ...defaults }
  for (const [heading, field] of Object.entries(columns)) {
    const cell = row[heading]
    if (cell !== undefined && cell !== '') cells[field] = cell
  }
  return cells
}

function addRow(shows: CsvShows, cells: Cells, line: number, mapping: CsvMapping): void {
  const show = shows.findOrCreate(cells, line)
  const country = (cells.country ?? '').toLowerCase()
  const list = findItemOptions(show, cells)
  addOption(list, [country], toOption(cells, mapping))
}

const ID_FIELDS = ['id', 'imdbId', 'tmdbId'] as const

/** The shows of a table. Rows belong together by any of their ids, else by type, year and title. */
class CsvShows {
  readonly all: CsvShow[] = []
  private readonly byKey = new Map<string, CsvShow>()

  /** The show that a row is about, with what the row says of it where no row before did. */
  findOrCreate(cells: Cells, line: number): CsvShow {
    const ids = ID_FIELDS.flatMap((field) => (cells[field] === undefined ? [] : [`${field} ${cells[field]}`]))
    const name = `${cells.showType} ${cells.year} ${cells.title}`
    const byId = ids.map((key) => this.byKey.get(key)).find((show) => show !== undefined)
    const byName = this.byKey.get(name)
    const show = byId ?? (byName !== undefined && !hasConflictingIds(byName.cells, cells) ? byName : this.add(line))
    for (const key of [...ids, name]) if (!this.byKey.has(key)) this.byKey.set(key, show)
    for (const field of Object.keys(cells) as CsvField[]) show.cells[field] ??= cells[field] as string
    return show
  }

  private add(line: number): CsvShow {
    const show: CsvShow = { line, cells: {}, options: emptyOptions(), seasons: new Map() }
    this.all.push(show)
    return show
  }
}

function hasConflictingIds(a: Cells, b: Cells): boolean {
  return ID_FIELDS.some((field) => a[field] !== undefined && b[field] !== undefined && a[field] !== b[field])
}

/** The options of the item that a row is about, made where it is the first row of the item. */
function findItemOptions(show: CsvShow, cells: Cells): OptionsByCountry {
  if (cells.season === undefined) return show.options
  const season = getOrCreate(show.seasons, Number(cells.season), () => ({
    title: cells.seasonTitle,
    options: emptyOptions(),
    episodes: new Map(),
  }))
  if (cells.episode === undefined) return season.options
  return getOrCreate(season.episodes, Number(cells.episode), () => ({
    title: cells.episodeTitle,
    options: emptyOptions(),
  })).options
}

function getOrCreate<T>(map: Map<number, T>, number: number, make: () => T): T {
  let item = map.get(number)
  if (item === undefined) {
    item = make()
    map.set(number, item)
  }
  return item
}

function toOption(cells: Cells, mapping: CsvMapping): OptionRecord {
  const { service, type, addon, link, videoLink, quality, price, currency } = cells
  return {
    service,
    type,
    addon,
    link,
    videoLink,
    quality: quality?.toLowerCase(),
    audios: splitList(cells.audios, mapping).map(parseLocaleCell),
    subtitles: splitList(cells.subtitles, mapping).map((text) => {
      const captions = /\s*\(cc\)$/i
      return { closedCaptions: captions.test(text), locale: parseLocaleCell(text.replace(captions, '')) }
    }),
    price: price === undefined ? undefined : { amount: price.replace(',', '.'), currency },
    startsOn: parseTimeCell(cells.startsOn),
    expiresOn: parseTimeCell(cells.expiresOn),
    availableSince: parseTimeCell(cells.availableSince),
  }
}

/** `eng`, or `spa-419`. */
function parseLocaleCell(text: string): object {
  const [language, region] = text.trim().split('-')
  return region === undefined ? { language } : { language, region }
}

/** Unix seconds of a date, of a date with a time, or as they are; anything else is left for the importer to refuse. */
function parseTimeCell(cell: string | undefined): number | string | undefined {
  if (cell === undefined || /^\d+$/.test(cell)) return cell === undefined ? undefined : Number(cell)
  const seconds = Math.floor(Date.parse(cell) / 1000)
  return Number.isNaN(seconds) ? cell : seconds
}

function splitList(cell: string | undefined, { listDelimiter = ';' }: CsvMapping): string[] {
  return (cell ?? '')
    .split(listDelimiter)
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

function toRecordLine({ line, cells, options, seasons }: CsvShow, mapping: CsvMapping): FeedLine {
  const value = (field: CsvField) => {
    const cell = cells[field]
    if (cell === undefined) return undefined
    if (CSV_FIELDS[field] === 'list') return splitList(cell, mapping)
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
  return toNumberedList(seasons, (season) => ({
    title: season?.title,
    streamingOptions: season?.options ?? {},
    episodes: toNumberedList(season?.episodes ?? new Map(), (episode) => ({
      title: episode?.title,
      streamingOptions: episode?.options ?? {},
    })),
  }))
}

function toNumberedList<T>(items: ReadonlyMap<number, T>, show: (item: T | undefined) => object): object[] {
  const last = Math.max(0, ...items.keys())
  return Array.from({ length: last }, (_, i) => show(items.get(i + 1)))
}
