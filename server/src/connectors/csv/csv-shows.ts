import type { FeedLine } from '../../ingest/parse/feed-lines.ts'
import { toNumberedList } from '../records/series-builder.ts'
import { addOption, emptyOptions, type OptionRecord, type OptionsByCountry } from '../records/streaming-options.ts'
import { posterSet } from '../records/values.ts'
import { CSV_FIELDS, type CsvField, type CsvMapping } from './csv-mapping.ts'

/** The cells of a row by field; empty cells are missing. */
export type Cells = Partial<Record<CsvField, string>>

interface CsvEpisode {
  readonly title: string | undefined
  readonly options: OptionsByCountry
}

interface CsvSeason extends CsvEpisode {
  readonly episodes: Map<number, CsvEpisode>
}

interface CsvShow {
  /** The line of the first row of the show. */
  readonly line: number
  readonly cells: Cells
  readonly options: OptionsByCountry
  readonly seasons: Map<number, CsvSeason>
}

const ID_FIELDS = ['id', 'imdbId', 'tmdbId'] as const

/** Groups the rows of a table by show: by any equal id, else by type, year and title. */
export class CsvShows {
  private readonly mapping: CsvMapping
  private readonly shows: CsvShow[] = []
  private readonly byKey = new Map<string, CsvShow>()

  constructor(mapping: CsvMapping) {
    this.mapping = mapping
  }

  /** Adds the offer of a row to its show, season or episode. */
  addRow(cells: Cells, line: number): void {
    const show = this.findOrCreate(cells, line)
    const country = (cells.country ?? '').toLowerCase()
    addOption(findItemOptions(show, cells), [country], this.toOption(cells))
  }

  /** One record for each show, in the order of first rows. */
  *lines(): Generator<FeedLine> {
    for (const show of this.shows) yield { line: show.line, text: JSON.stringify(this.toRecord(show)) }
  }

  /** The show of a row. Fields that no earlier row of the show had are taken from the row. */
  private findOrCreate(cells: Cells, line: number): CsvShow {
    const idKeys = ID_FIELDS.flatMap((field) => (cells[field] === undefined ? [] : [`${field} ${cells[field]}`]))
    const titleKey = `${cells.showType} ${cells.year} ${cells.title}`
    const byId = idKeys.map((key) => this.byKey.get(key)).find((show) => show !== undefined)
    const byTitle = this.byKey.get(titleKey)
    const show = byId ?? (byTitle !== undefined && !hasConflictingIds(byTitle.cells, cells) ? byTitle : this.add(line))
    for (const key of [...idKeys, titleKey]) if (!this.byKey.has(key)) this.byKey.set(key, show)
    for (const field of Object.keys(cells) as CsvField[]) show.cells[field] ??= cells[field] as string
    return show
  }

  private add(line: number): CsvShow {
    const show: CsvShow = { line, cells: {}, options: emptyOptions(), seasons: new Map() }
    this.shows.push(show)
    return show
  }

  private toOption(cells: Cells): OptionRecord {
    const { service, type, addon, link, videoLink, quality, price, currency } = cells
    return {
      service,
      type,
      addon,
      link,
      videoLink,
      quality: quality?.toLowerCase(),
      audios: this.splitList(cells.audios).map(parseLocaleCell),
      subtitles: this.splitList(cells.subtitles).map((text) => {
        const captions = /\s*\(cc\)$/i
        return { closedCaptions: captions.test(text), locale: parseLocaleCell(text.replace(captions, '')) }
      }),
      price: price === undefined ? undefined : { amount: price.replace(',', '.'), currency },
      startsOn: parseTimeCell(cells.startsOn),
      expiresOn: parseTimeCell(cells.expiresOn),
      availableSince: parseTimeCell(cells.availableSince),
    }
  }

  private toRecord({ cells, options, seasons }: CsvShow): object {
    const value = (field: CsvField) => {
      const cell = cells[field]
      if (cell === undefined) return undefined
      if (CSV_FIELDS[field] === 'list') return this.splitList(cell)
      return CSV_FIELDS[field] === 'number' && !Number.isNaN(Number(cell)) ? Number(cell) : cell
    }
    const isMovie = cells.showType === 'movie'
    return {
      kind: 'show',
      showType: cells.showType,
      id: cells.id,
      imdbId: cells.imdbId,
      tmdbId: cells.tmdbId,
      title: cells.title,
      overview: cells.overview,
      ...(isMovie
        ? { releaseYear: value('year') }
        : { firstAirYear: value('year'), lastAirYear: value('lastAirYear') }),
      originalTitle: cells.originalTitle,
      genres: value('genres'),
      directors: value('directors'),
      creators: value('creators'),
      cast: value('cast'),
      rating: value('rating'),
      runtime: value('runtime'),
      imageSet: posterSet(cells.poster ?? ''),
      streamingOptions: options,
      ...(seasons.size > 0 && { seasons: toSeasons(seasons) }),
      originalLanguage: cells.originalLanguage,
    }
  }

  private splitList(cell: string | undefined): string[] {
    return (cell ?? '')
      .split(this.mapping.listDelimiter ?? ';')
      .map((text) => text.trim())
      .filter((text) => text !== '')
  }
}

function hasConflictingIds(a: Cells, b: Cells): boolean {
  return ID_FIELDS.some((field) => a[field] !== undefined && b[field] !== undefined && a[field] !== b[field])
}

/** The options of the show, season or episode that a row is about. */
function findItemOptions(show: CsvShow, cells: Cells): OptionsByCountry {
  if (cells.season === undefined) return show.options
  const season = getOrCreate(show.seasons, Number(cells.season), () => ({
    title: cells.seasonTitle,
    options: emptyOptions(),
    episodes: new Map(),
  }))
  if (cells.episode === undefined) return season.options
  const createEpisode = () => ({ title: cells.episodeTitle, options: emptyOptions() })
  return getOrCreate(season.episodes, Number(cells.episode), createEpisode).options
}

function getOrCreate<T>(map: Map<number, T>, number: number, create: () => T): T {
  let item = map.get(number)
  if (item === undefined) {
    item = create()
    map.set(number, item)
  }
  return item
}

/** Parses a locale such as `eng` or `spa-419`. */
function parseLocaleCell(text: string): object {
  const [language, region] = text.trim().split('-')
  return region === undefined ? { language } : { language, region }
}

/** Parses a date, a date with a time, or Unix seconds. Anything else is passed through for the importer to report. */
function parseTimeCell(cell: string | undefined): number | string | undefined {
  if (cell === undefined || /^\d+$/.test(cell)) return cell === undefined ? undefined : Number(cell)
  const seconds = Math.floor(Date.parse(cell) / 1000)
  return Number.isNaN(seconds) ? cell : seconds
}

function toSeasons(seasons: ReadonlyMap<number, CsvSeason>): object[] {
  return toNumberedList(seasons, (season) => ({
    title: season?.title,
    streamingOptions: season?.options ?? {},
    episodes: toNumberedList(season?.episodes ?? new Map(), (episode) => ({
      title: episode?.title,
      streamingOptions: episode?.options ?? {},
    })),
  }))
}
