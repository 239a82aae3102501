import type { FeedLine } from '../../ingest/parse/feed-lines.ts'
import type { ShowType } from '../../model/show.ts'
import { pickExternalIds, withRecordId } from '../records/ids.ts'
import { addOption, emptyOptions, type OptionRecord, type OptionsByCountry } from '../records/streaming-options.ts'
import { posterSet } from '../records/values.ts'
import { toNumberedList } from '../series/series-builder.ts'
import type { CsvField } from './csv-fields.ts'
import type { CsvRow } from './csv-row.ts'
import type { Amount } from './number-cells.ts'

type Values = Partial<Record<CsvField, unknown>>

interface CsvEpisode {
  readonly title: unknown
  readonly options: OptionsByCountry
}

interface CsvSeason extends CsvEpisode {
  readonly episodes: Map<number, CsvEpisode>
}

interface CsvShow {
  /** The line of the first row of the show. */
  readonly line: number
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

const ID_FIELDS = ['id', 'imdbId', 'tmdbId'] as const

/** Groups the rows of a table by show: by any equal id, else by type, year and title. */
export class CsvShows {
  private readonly options: CsvShowOptions
  private readonly shows: CsvShow[] = []
  private readonly byKey = new Map<string, CsvShow>()

  constructor(options: CsvShowOptions) {
    this.options = options
  }

  get count(): number {
    return this.shows.length
  }

  /** Adds the offer of a row to its show, season or episode. Returns false if nothing says which show it is of. */
  addRow(row: CsvRow): boolean {
    const show = row.missing === undefined ? this.findOrCreate(row) : this.findById(row)
    if (show === undefined) return false
    const countries = (row.values.country as readonly string[] | undefined) ?? []
    addOption(findItemOptions(show, row.values), countries, this.toOption(row.values))
    return true
  }

  /** One record for each show, in the order of first rows. */
  *lines(): Generator<FeedLine> {
    for (const show of this.shows) yield { line: show.line, text: JSON.stringify(this.toRecord(show)) }
  }

  /** The show of a row. Fields that no earlier row of the show had are taken from the row. */
  private findOrCreate(row: CsvRow): CsvShow {
    const { values, key, line } = row
    const idKeys = listIdKeys(row)
    const titleKey = `title ${values.showType} ${values.year} ${values.title}`
    const byId = this.findById(row)
    const byTitle = this.byKey.get(titleKey)
    const isSame = byTitle !== undefined && !hasConflictingIds(byTitle, { values, key })
    const show = byId ?? (isSame ? byTitle : this.add(line))
    for (const one of [...idKeys, titleKey]) if (!this.byKey.has(one)) this.byKey.set(one, show)
    for (const field of Object.keys(values) as CsvField[]) show.values[field] ??= values[field]
    if (key !== undefined) show.key ??= key
    return show
  }

  private findById(row: CsvRow): CsvShow | undefined {
    return listIdKeys(row)
      .map((key) => this.byKey.get(key))
      .find((show) => show !== undefined)
  }

  private add(line: number): CsvShow {
    const show: CsvShow = { line, values: {}, options: emptyOptions(), seasons: new Map() }
    this.shows.push(show)
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

/** The keys of all ids of a row. */
function listIdKeys({ values, key }: CsvRow): string[] {
  return [
    ...ID_FIELDS.flatMap((field) => (values[field] === undefined ? [] : [`${field} ${values[field]}`])),
    ...(key === undefined ? [] : [`key ${key}`]),
  ]
}

function toList(value: unknown): string[] {
  return typeof value === 'string' ? [value] : []
}

/** Whether two rows have different ids of the same kind. */
function hasConflictingIds(
  a: Pick<CsvShow, 'values' | 'key'>,
  b: { readonly values: Values; readonly key: string | undefined },
): boolean {
  const differ = (one: unknown, other: unknown) => one !== undefined && other !== undefined && one !== other
  return differ(a.key, b.key) || ID_FIELDS.some((field) => differ(a.values[field], b.values[field]))
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
