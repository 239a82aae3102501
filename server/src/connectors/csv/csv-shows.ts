import { createHash } from 'node:crypto'
import type { FeedLine } from '../../ingest/lines/feed-lines.ts'
import type { ShowType } from '../../model/show.ts'
import { addOption, emptyOptions, type OptionRecord, type OptionsByCountry } from '../records/streaming-options.ts'
import { pickExternalIds, posterSet, withRecordId } from '../records/values.ts'
import { ExternalSort, MAX_GROUP_LENGTH, type ScratchFolder } from '../streams/external-sort.ts'
import { toNumberedList } from '../streams/series-builder.ts'
import type { Amount } from './cell-parsers.ts'
import type { CsvField } from './csv-mapping.ts'
import type { CsvRow } from './csv-row.ts'

type Values = Partial<Record<CsvField, unknown>>

interface CsvEpisode {
  readonly title: unknown
  readonly options: OptionsByCountry
}

interface CsvSeason extends CsvEpisode {
  readonly episodes: Map<number, CsvEpisode>
}

interface CsvShow {
  readonly values: Values
  key?: string
  readonly options: OptionsByCountry
  readonly seasons: Map<number, CsvSeason>
}

/** What is the same for all rows of a table. */
export interface CsvShowOptions {
  /** The name of the source, in which the table's own ids are unique. */
  readonly source: string
  readonly partial: boolean
  /** The `service` of an option, by what the table calls it. */
  readonly toService: (name: string) => unknown
}

/** A row as it is written to disk. */
type SpooledRow = Pick<CsvRow, 'line' | 'values' | 'key'>

/** Bytes that are sorted in memory: the parser of tables needs memory beside them. */
const RUN_BYTES = 12 * 1024 * 1024

/** Digits of a show's number in the keys of the sort, which are compared as text. */
const NUMBER_DIGITS = 10

/**
 * Joins the rows of each show: by any equal id, else by type, year and title. Rows may come in any order, so an external
 * sort on disk groups them by show.
 */
export class CsvShows {
  private readonly options: CsvShowOptions
  private readonly numbers = new ShowNumbers()
  private readonly sort: ExternalSort

  constructor(options: CsvShowOptions, scratch: ScratchFolder) {
    this.options = options
    this.sort = new ExternalSort(scratch, RUN_BYTES)
  }

  get count(): number {
    return this.numbers.count
  }

  /** Adds a row to its show. Returns false if nothing says which show it is of. */
  addRow(row: CsvRow): boolean {
    const number = row.missing === undefined ? this.numbers.findOrAdd(row) : this.numbers.find(row)
    if (number === undefined) return false
    const { line, values, key } = row
    const spooled: SpooledRow = { line, values, ...(key !== undefined && { key }) }
    this.sort.add(String(number).padStart(NUMBER_DIGITS, '0'), JSON.stringify(spooled))
    return true
  }

  /** One record for each show, in the order of first rows. No row may be added afterwards. */
  *lines(): Generator<FeedLine> {
    for (const { texts, size } of this.sort.groups()) {
      const rows = texts.map((text) => JSON.parse(text) as SpooledRow)
      const { line } = rows[0] as SpooledRow
      if (size <= MAX_GROUP_LENGTH) yield { line, text: JSON.stringify(this.toRecord(this.join(rows))) }
      else {
        const detail = `the rows of a show have ${size} letters, at most ${MAX_GROUP_LENGTH} are read`
        yield { line, problem: 'line_too_long', detail }
      }
    }
  }

  /** The show of some rows. Each field has its value from the first row that has one. */
  private join(rows: readonly SpooledRow[]): CsvShow {
    const show: CsvShow = { values: {}, options: emptyOptions(), seasons: new Map() }
    for (const { values, key } of rows) {
      for (const field of Object.keys(values) as CsvField[]) show.values[field] ??= values[field]
      if (key !== undefined) show.key ??= key
      const countries = (values.country as readonly string[] | undefined) ?? []
      addOption(findItemOptions(show, values), countries, this.toOption(values))
    }
    return show
  }

  private toOption(values: Values): OptionRecord {
    const { service, type, addon, link, videoLink, quality, startsOn, expiresOn, availableSince } = values
    const tracks = (field: 'audios' | 'subtitles') => (values[field] as { locale: object }[] | undefined) ?? []
    const price = values.price as Amount | undefined
    return {
      service: this.options.toService(String(service)),
      type,
      addon,
      link,
      videoLink,
      quality,
      audios: tracks('audios').map(({ locale }) => locale),
      subtitles: tracks('subtitles'),
      price: price && { amount: price.amount, currency: price.currency ?? values.currency },
      startsOn,
      expiresOn,
      availableSince,
    }
  }

  private toRecord({ values, key, options, seasons }: CsvShow): object {
    const showType = values.showType as ShowType
    const isMovie = showType === 'movie'
    const ids = pickExternalIds(showType, { imdb: toList(values.imdbId), tmdb: toList(values.tmdbId) })
    const poster = values.poster as string | undefined
    const record = {
      kind: 'show',
      ...(this.options.partial && { partial: true }),
      showType,
      id: values.id,
      ...ids,
      title: values.title,
      overview: values.overview,
      ...(isMovie
        ? { releaseYear: values.year, runtime: values.runtime }
        : {
            firstAirYear: values.year,
            lastAirYear: values.lastAirYear,
            seasonCount: values.seasonCount,
            episodeCount: values.episodeCount,
          }),
      originalTitle: values.originalTitle,
      genres: values.genres,
      ...(isMovie ? { directors: values.directors } : { creators: values.creators }),
      cast: values.cast,
      rating: values.rating,
      ...(poster === undefined && this.options.partial ? {} : { imageSet: posterSet(poster ?? '') }),
      streamingOptions: options,
      ...(seasons.size > 0 && { seasons: toSeasons(seasons) }),
      originalLanguage: values.originalLanguage,
    }
    return key === undefined || values.id !== undefined ? record : withRecordId(record, this.options.source, key)
  }
}

function toList(value: unknown): string[] {
  return typeof value === 'string' ? [value] : []
}

/** The options of the show, season or episode that a row is about. */
function findItemOptions(show: CsvShow, values: Values): OptionsByCountry {
  if (values.season === undefined) return show.options
  const season = getOrCreate(show.seasons, Number(values.season), () => ({
    title: values.seasonTitle,
    options: emptyOptions(),
    episodes: new Map(),
  }))
  if (values.episode === undefined) return season.options
  const createEpisode = () => ({ title: values.episodeTitle, options: emptyOptions() })
  return getOrCreate(season.episodes, Number(values.episode), createEpisode).options
}

function getOrCreate<T>(map: Map<number, T>, number: number, create: () => T): T {
  let item = map.get(number)
  if (item === undefined) {
    item = create()
    map.set(number, item)
  }
  return item
}

function toSeasons(seasons: ReadonlyMap<number, CsvSeason>): object[] {
  return toNumberedList(seasons, (season) => ({
    title: season?.title,
    streamingOptions: season?.options ?? {},
    episodes: toNumberedList(season?.episodes ?? new Map<number, CsvEpisode>(), (episode) => ({
      title: episode?.title,
      streamingOptions: episode?.options ?? {},
    })),
  }))
}

const ID_FIELDS = ['id', 'imdbId', 'tmdbId'] as const

/** The ids of a show as hashes: its own key, then those of `ID_FIELDS`; 0 where it has none. */
type IdHashes = readonly number[]

/**
 * Numbers the shows of a table in the order of their first rows. Rows are of one show if any of their ids is equal, else
 * if type, year and title are. Only hashes are held in memory, some hundred bytes a show, whatever the table says of it.
 */
class ShowNumbers {
  private readonly byHash = new Map<number, number>()
  /** By show and kind of id, the hash of the first id that a row had. */
  private readonly ids: number[][] = ['key', ...ID_FIELDS].map(() => [])
  private total = 0

  get count(): number {
    return this.total
  }

  /** The number of the show that a row is of; a new one if there is none yet. */
  findOrAdd(row: CsvRow): number {
    const { showType, year, title } = row.values
    const ids = hashIds(row)
    const titleHash = hash(`title ${showType} ${year} ${title}`)
    const byTitle = this.byHash.get(titleHash)
    const isSame = byTitle !== undefined && !this.hasOtherIds(byTitle, ids)
    const number = this.findByIds(ids) ?? (isSame ? byTitle : this.total++)
    for (const one of [...ids, titleHash]) if (one !== 0 && !this.byHash.has(one)) this.byHash.set(one, number)
    for (const [kind, id] of ids.entries()) {
      const known = this.ids[kind] as number[]
      if (number === known.length) known.push(id)
      else if (known[number] === 0) known[number] = id
    }
    return number
  }

  /** The number of a show that an earlier row has any id of this row with. */
  find(row: CsvRow): number | undefined {
    return this.findByIds(hashIds(row))
  }

  private findByIds(ids: IdHashes): number | undefined {
    for (const id of ids) {
      const number = id === 0 ? undefined : this.byHash.get(id)
      if (number !== undefined) return number
    }
    return undefined
  }

  /** Whether a show has another id of a kind that the row has. */
  private hasOtherIds(number: number, ids: IdHashes): boolean {
    return ids.some((id, kind) => {
      const known = this.ids[kind]?.[number] ?? 0
      return id !== 0 && known !== 0 && id !== known
    })
  }
}

function hashIds({ values, key }: CsvRow): IdHashes {
  const fields = ID_FIELDS.map((field) => (values[field] === undefined ? 0 : hash(`${field} ${values[field]}`)))
  return [key === undefined ? 0 : hash(`key ${key}`), ...fields]
}

/** 53 bits of SHA-256, never 0: a number that JavaScript holds exactly, and that no two ids of a table share. */
function hash(text: string): number {
  const digest = createHash('sha256').update(text).digest()
  return digest.readUIntBE(0, 6) * 32 + ((digest[6] as number) & 31) || 1
}
