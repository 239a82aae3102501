import type { JsonObject } from '../../ingest/parse/fields.ts'
import { ownEntry } from '../../lib/objects.ts'
import type { Show } from '../../model/show.ts'
import { findServiceName, type ProviderDirectory } from '../providers/provider-directory.ts'
import { parseGenres } from '../records/genres.ts'
import { findLanguageByName, listAliases } from '../records/names.ts'
import { addOption, emptyOptions, type OptionsByCountry } from '../records/streaming-options.ts'
import {
  numberField,
  objectField,
  objectListField,
  textField,
  toText,
  toTexts,
  verticalImage,
  withRecordId,
  yearField,
} from '../records/values.ts'
import { findNumberProblem, SeriesBuilder } from '../streams/series-builder.ts'

/** What a record depends on beside the answer. */
export interface TvmazeContext {
  /** Countries in which the web channel of a series counts as an offer; none for no offers. */
  readonly countries: readonly string[]
  readonly directory: ProviderDirectory
  /** Called with what has no place in the catalog. */
  readonly onLeftOut: (detail: string, record: string) => void
}

/** Services that show their series without a subscription; TVmaze does not say which do. */
const FREE_SERVICES: ReadonlySet<string> = new Set(
  'youtube tubi plutotv roku iplayer itvx all4 arte crackle vimeo pbs ard zdf francetv svt-play nrk-tv dr-tv'.split(
    ' ',
  ),
)

const MAX_CAST = 12

/**
 * Converts a show into a partial `show` record. Of a show that the catalog has, only what TVmaze is better at is stated:
 * episodes, counts and its rating. The texts and people of other sources stay.
 */
export function buildShowRecord(show: JsonObject, known: Show | undefined, context: TvmazeContext): JsonObject {
  const embedded = objectField(show, '_embedded')
  const { seasons, counts } = buildSeasons(objectListField(embedded, 'episodes'), show, context)
  const imdbId = textField(objectField(show, 'externals'), 'imdb')
  const rating = numberField(objectField(show, 'rating'), 'average') ?? 0
  const name = textField(show, 'name') ?? ''
  const aliases = listAliases(
    objectListField(embedded, 'akas').map((aka) => textField(aka, 'name')),
    [known?.title ?? name, known?.originalTitle],
  )
  const record = {
    kind: 'show',
    partial: true,
    showType: 'series',
    ...(imdbId !== undefined && { imdbId }),
    ...(known === undefined ? newShowFields(show, embedded, name) : { title: known.title }),
    ...(rating > 0 && rating <= 10 && { rating: Math.round(rating * 10) }),
    ...counts,
    ...aliases,
    streamingOptions: readWebChannel(show, context),
    seasons,
  }
  return withRecordId(record, 'tvmaze', toText(show.id)) as JsonObject
}

/** The details of a show that the catalog does not have. */
function newShowFields(show: JsonObject, embedded: JsonObject, name: string): object {
  const people = objectListField(embedded, 'cast').flatMap(
    (member) => textField(objectField(member, 'person'), 'name') ?? [],
  )
  const image = textField(objectField(show, 'image'), 'original')
  const language = findLanguageByName(textField(show, 'language') ?? '')
  return {
    title: name,
    overview: toPlainText(textField(show, 'summary') ?? ''),
    firstAirYear: yearField(show, 'premiered'),
    lastAirYear: yearField(show, 'ended'),
    genres: parseGenres(toTexts(show.genres)),
    cast: [...new Set(people)].slice(0, MAX_CAST),
    ...(language !== undefined && { originalLanguage: language }),
    ...(image !== undefined && { imageSet: { verticalPoster: verticalImage(image) } }),
  }
}

/** The seasons from the regular episodes. Specials have no number, and seasons named after years no position. */
function buildSeasons(episodes: readonly JsonObject[], show: JsonObject, context: TvmazeContext) {
  const series = new SeriesBuilder()
  const years = new Map<number, number[]>()
  const skipped = new Set<string>()
  let count = 0
  for (const episode of episodes) {
    const [season, number] = [numberField(episode, 'season'), numberField(episode, 'number')]
    if (number === undefined) continue
    const problem = findNumberProblem(season, number)
    if (problem !== undefined || season === undefined) {
      skipped.add(problem ?? 'an episode without a season')
      continue
    }
    const year = yearField(episode, 'airdate')
    years.set(season, [...(years.get(season) ?? []), ...(year === undefined ? [] : [year])])
    const overview = toPlainText(textField(episode, 'summary') ?? '')
    const fields = {
      title: textField(episode, 'name'),
      ...(overview !== '' && { overview }),
      ...(year !== undefined && { airYear: year }),
    }
    series.addEpisode(season, number, { fields, options: emptyOptions() })
    count++
  }
  for (const [season, all] of years) {
    const fields = all.length === 0 ? {} : { firstAirYear: Math.min(...all), lastAirYear: Math.max(...all) }
    series.addSeason(season, { fields, options: emptyOptions() })
  }
  const [first] = skipped
  if (first !== undefined)
    context.onLeftOut(`Episodes of "${textField(show, 'name')}" are left out: ${first}`, toText(show.id))
  const counts = count === 0 ? {} : { seasonCount: Math.max(...years.keys()), episodeCount: count }
  return { seasons: series.toSeasons(), counts }
}

/**
 * The record of a show that TVmaze no longer has, or no longer links. Its offers end. The show stays, since the catalog
 * had it before; a removal would delete it if it has no other offers.
 */
export function buildEmptyRecord({ id, title }: Show): JsonObject {
  return { kind: 'show', partial: true, showType: 'series', id, title, streamingOptions: {} }
}

/** The offer of the web channel on which a series was first shown, with the page of the series there. */
function readWebChannel(show: JsonObject, { countries, directory }: TvmazeContext): OptionsByCountry {
  const options = emptyOptions()
  const channel = objectField(show, 'webChannel')
  const [id, name] = [numberField(channel, 'id'), textField(channel, 'name')]
  const link = textField(show, 'officialSite') ?? textField(channel, 'officialSite')
  if (id === undefined || name === undefined || link === undefined || !/^https?:\/\//.test(link)) return options
  // A channel without a country is a worldwide one.
  const home = textField(objectField(channel, 'country'), 'code')?.toLowerCase()
  for (const country of countries) {
    const mapped = home === undefined || home === country ? directory.find(id, name, country) : undefined
    if (mapped === undefined) continue
    addOption(options, [country], {
      service: { id: mapped.service, name: findServiceName(mapped) },
      type: FREE_SERVICES.has(mapped.service) ? 'free' : 'subscription',
      link,
    })
  }
  return options
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
}

/** The plain text of a short HTML fragment: tags are dropped, paragraphs become spaces, character references are decoded. */
function toPlainText(html: string): string {
  return html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<(\/?(p|br|div|li|ul|ol)\b[^>]*)>/gi, ' ')
    .replace(/<[a-z/!][^>]*>/gi, '')
    .replace(/&(#x?[0-9a-f]{1,6}|[a-z]{1,10});/gi, (reference, name: string) => decodeReference(name) ?? reference)
    .replace(/\s+/g, ' ')
    .trim()
}

function decodeReference(name: string): string | undefined {
  if (!name.startsWith('#')) return ownEntry(ENTITIES, name.toLowerCase())
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isCharacter = code > 31 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : undefined
}
