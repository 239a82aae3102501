import { fold } from '../../../catalog/index/analyzer.ts'
import type { GivenOptions } from '../../connector.ts'
import { isKnownGenre } from '../../records/genres.ts'
import { CellProblem, isShowTypeName, parseCell, parseDuration } from '../cell-parsers.ts'
import { type ColumnRule, CSV_FIELDS, type CsvField } from '../csv-mapping.ts'
import { detectDateFormat } from '../date-format.ts'

/** What the cells of a column say about a field: how they are read, why they are none, or what must be told. */
export type RuleGuess = { readonly rule: ColumnRule } | { readonly rejected: string } | { readonly problem: string }

/** This share of the cells must be readable. */
const MIN_SHARE = 0.9

/** A column of show types has few different cells. */
const MAX_TYPES = 50

/** Age ratings of many countries, as they stand in a column that is called "rating". */
const AGE_RATING =
  /^(G|PG|R|NC|UR|NR|TV|U|UA|A|M|MA|AL|ALL|AGES?|FSK|E|T|L|C|N)\b|^\d{1,2}\s*\+|^(ab|age|ages|dès|od)\s*\d|NOT[ _]RATED?|_AGES/i
/** Why a column of age ratings is left out. */
export const AGE_RATINGS = 'age ratings, which the catalog has no place for'
const AGES: ReadonlySet<string> = new Set('0 3 4 6 7 8 9 10 11 12 13 14 15 16 17 18 21'.split(' '))

/** Headings under which countries are where a title can be watched, not where it was made. */
const AVAILABILITY = /avail|territor|market|code|region/i

/** More minutes than this are seconds or milliseconds. */
const MAX_MINUTES = 1_000

/** Checks whether the cells of a column can be a field, and finds out how they are read. */
export function guessRule(field: CsvField, profile: ColumnProfile, { dateFormat, countries }: GivenOptions): RuleGuess {
  if (profile.cells.length === 0) return { rejected: 'empty in all rows of the sample' }
  const plain: ColumnRule = { field }
  switch (CSV_FIELDS[field]) {
    case 'showType':
      return guessShowType(profile)
    case 'rating':
      return guessRating(profile)
    case 'countries':
      return guessCountries(profile, countries !== undefined)
    case 'genres':
      return guessGenres(profile)
    case 'texts':
      return { rule: withSeparator(plain, detectSeparator(profile, true)) }
    case 'locales':
      return requireReadable(withSeparator(plain, detectSeparator(profile, false)), profile)
    case 'time':
      return guessTime(field, profile, typeof dateFormat === 'string' ? dateFormat : undefined)
    case 'duration':
    case 'minutes':
      return guessDuration(field, profile)
    case 'imdbId':
      return requireReadable(plain, profile, (cell) => /tt\d{5,}|^\d{7,8}$/.test(cell))
    default:
      return requireReadable(plain, profile)
  }
}

/** The rule, if nearly all cells can be read by it. */
function requireReadable(rule: ColumnRule, profile: ColumnProfile, test?: (cell: string) => boolean): RuleGuess {
  const isReadable = test ?? ((cell: string) => !(parseCell(CSV_FIELDS[rule.field], cell, rule) instanceof CellProblem))
  const example = profile.cells.find((cell) => !isReadable(cell))
  if (profile.share(isReadable) >= MIN_SHARE) return { rule }
  return { rejected: `cells such as ${JSON.stringify(example?.slice(0, 40))} are no ${rule.field}` }
}

function withSeparator(rule: ColumnRule, separator: string | undefined): ColumnRule {
  return separator === undefined ? rule : { ...rule, separator }
}

/** Show types, with the value of each cell written out. */
function guessShowType(profile: ColumnProfile): RuleGuess {
  const rule: ColumnRule = { field: 'showType' }
  if (profile.distinct.size > MAX_TYPES || profile.share(isShowTypeName) < MIN_SHARE) {
    return { rejected: 'cells are no types of shows' }
  }
  const values = [...profile.distinct].filter(isShowTypeName).map((cell) => [cell, parseCell('showType', cell, rule)])
  return { rule: { ...rule, values: Object.fromEntries(values) as Record<string, string> } }
}

/** Ratings, with their scale. Age ratings stand in columns of the same name. */
function guessRating(profile: ColumnProfile): RuleGuess {
  const numbers = profile.cells.flatMap((cell) => {
    const number = /^\d{1,3}(?:[.,]\d+)?/.exec(cell)?.[0]
    return number === undefined ? [] : [Number(number.replace(',', '.'))]
  })
  const best = Math.max(0, ...numbers)
  // Whole numbers up to ten are marks; a column of ages has older ones, too.
  const isAge = (cell: string) => AGE_RATING.test(cell) || (best > 10 && AGES.has(cell))
  if (profile.share(isAge) >= MIN_SHARE || profile.share((cell) => AGE_RATING.test(cell)) > 0.5) {
    return { rejected: AGE_RATINGS }
  }
  // IMDb and TMDB rate up to ten, even if a short table has only bad titles.
  const isOfTen = /imdb|tmdb|vote/i.test(profile.heading)
  const scale = best <= 5 && !isOfTen ? 5 : best <= 10 ? 10 : 100
  return requireReadable({ field: 'rating', scale }, profile)
}

/** Countries where a title can be watched. Names under a plain heading are where it was made. */
function guessCountries(profile: ColumnProfile, isGiven: boolean): RuleGuess {
  if (AVAILABILITY.test(profile.heading)) return requireReadable({ field: 'country' }, profile)
  const hasCodes = profile.share((cell) => /^[a-z]{2}([\s,;|/]+[a-z]{2})*$/i.test(cell)) >= MIN_SHARE
  if (hasCodes && isGiven) return { rejected: '--countries says where the titles can be watched' }
  if (hasCodes) return requireReadable({ field: 'country' }, profile)
  return { rejected: 'where a title was made, not where it can be watched' }
}

/** Genres. A column of the name "category" or "type" has them if most are known. */
function guessGenres(profile: ColumnProfile): RuleGuess {
  const separator = detectSeparator(profile, false)
  const isGenreHeading = /genre|gener|gêner|géner|gatun|tür|listed|ジャンル|장르/i.test(profile.heading)
  const known = profile.share((cell) => cell.split(separator ?? ',').some((label) => isKnownGenre(label)))
  if (!isGenreHeading && known < 0.3) return { rejected: 'cells are no genres' }
  return { rule: withSeparator({ field: 'genres' }, separator) }
}

/** Dates, with their format. One that fits several must be told. */
function guessTime(field: CsvField, profile: ColumnProfile, dateFormat: string | undefined): RuleGuess {
  if (dateFormat !== undefined) return requireReadable({ field, format: dateFormat }, profile)
  const found = detectDateFormat(profile.cells)
  if ('format' in found) return { rule: { field, format: found.format } }
  if ('unknown' in found)
    return { rejected: `cells such as ${JSON.stringify(found.unknown.slice(0, 40))} are no dates` }
  const formats = found.ambiguous.join(' or ')
  const example = JSON.stringify(found.example)
  return {
    problem: `The dates of ${profile.heading}, such as ${example}, may be ${formats}: say which with --date-format`,
  }
}

/** Durations. Numbers without a unit are minutes unless they are too large. */
function guessDuration(field: CsvField, profile: ColumnProfile): RuleGuess {
  const durations = profile.cells.map(parseDuration)
  const minutes = durations.flatMap((duration) => duration?.minutes ?? []).sort((a, b) => a - b)
  const median = minutes[Math.floor(minutes.length / 2)] ?? 0
  if (median > MAX_MINUTES) return { rejected: 'numbers too large for minutes' }
  return requireReadable({ field }, profile)
}

/** Headings of a table's own ids, normalized, the likeliest first. */
const KEY_HEADINGS = [
  'showid',
  'titleid',
  'contentid',
  'assetid',
  'programid',
  'movieid',
  'seriesid',
  'videoid',
  'catalogid',
  'netflixid',
  'sku',
  'uid',
  'uuid',
  'guid',
  'id',
].map(toHeadingKey)

/** If more rows than this repeat a title under another id, the ids are of rows. */
const MAX_REPEATED_SHARE = 0.05

/**
 * The columns that are the table's own id of a title. Ids that only count the rows (`s1`, `s2`, `s3`) are others in the
 * next edition of the table, so title, type and year are added to them. Ids of offers or episodes are none of titles.
 */
export function guessKey(profiles: readonly ColumnProfile[], rules: ReadonlyMap<string, ColumnRule>): string[] {
  const candidates = KEY_HEADINGS.flatMap((name) =>
    profiles.filter(({ heading, keys }) => keys.includes(name) && !rules.has(heading)),
  )
  const column = (field: ColumnRule['field']) => profiles.find(({ heading }) => rules.get(heading)?.field === field)
  const identity = [column('title'), column('showType'), column('year')].filter((profile) => profile !== undefined)
  const key = candidates.find((profile) => isTitleKey(profile, identity))
  if (key === undefined) return []
  return [key, ...(isRowNumber(key) ? identity : [])].map(({ heading }) => heading)
}

/** Whether a column has an id in every row, and one id for the rows of a title. */
function isTitleKey({ all, cells }: ColumnProfile, identity: readonly ColumnProfile[]): boolean {
  if (cells.length < all.length || all.length === 0) return false
  const keysByTitle = new Map<string, Set<string>>()
  for (const [row, key] of all.entries()) {
    const title = identity.map((profile) => profile.all[row]).join('\t')
    const keys = keysByTitle.get(title) ?? new Set()
    keysByTitle.set(title, keys.add(key))
  }
  const repeated = [...keysByTitle.values()].reduce((sum, keys) => sum + keys.size - 1, 0)
  return repeated <= all.length * MAX_REPEATED_SHARE
}

/** Whether the ids count the rows, with the same letters before each number. */
function isRowNumber({ all }: ColumnProfile): boolean {
  const parsed = all.map((cell) => /^(\D*)(\d+)$/.exec(cell))
  let steps = 0
  for (const [i, match] of parsed.entries()) {
    const before = parsed[i - 1]
    if (match && before && match[1] === before[1] && Number(match[2]) === Number(before[2]) + 1) steps++
  }
  return all.length > 2 && steps >= (all.length - 1) * 0.95
}

/** The heading of a column and the cells of the sample that are not empty. */
export class ColumnProfile {
  readonly heading: string
  readonly index: number
  readonly cells: readonly string[]
  /** The cells of all sampled rows, empty ones included. */
  readonly all: readonly string[]
  readonly distinct: ReadonlySet<string>
  /** What the heading is compared by: all of it, and what it is without a unit: `Runtime (mins)`. */
  readonly keys: readonly string[]

  constructor(heading: string, index: number, rows: readonly (readonly string[])[]) {
    this.heading = heading
    this.index = index
    this.all = rows.map((row) => row[index]?.trim() ?? '')
    this.cells = this.all.filter((cell) => cell !== '')
    this.distinct = new Set(this.cells)
    this.keys = [...new Set([heading, heading.replace(/\(.*?\)|\[.*?\]/g, '')].map(toHeadingKey))]
  }

  /** The share of the cells that pass a test; 0 if there are none. */
  share(test: (cell: string) => boolean): number {
    return this.cells.length === 0 ? 0 : this.cells.filter(test).length / this.cells.length
  }
}

/** A heading without case, accents, spaces and punctuation: `releaseYear`, `release_year` and `Release Year` are equal. */
export function toHeadingKey(heading: string): string {
  return fold(heading).replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
}

/** Texts that hardly occur inside of the items of a list. */
const STRONG_SEPARATORS = [';', '|', '\n']
/** Texts that also occur inside: "Downey, Jr.", "Spy/Espionage". */
const WEAK_SEPARATORS = [',', ' / ', '/']

/** A text separates a list if this share of the cells has it; a slash must be in more. */
const MIN_SEPARATED_SHARE = 0.005
const MIN_SLASH_SHARE = 0.05

/** The text between the items of the lists in a column; undefined if the cells are no lists, or lists in brackets. */
function detectSeparator({ cells }: ColumnProfile, hasNames: boolean): string | undefined {
  const countWith = (text: string) => cells.filter((cell) => cell.includes(text)).length
  const isCommon = (text: string) =>
    countWith(text) > 0 &&
    countWith(text) >= cells.length * (text.includes('/') ? MIN_SLASH_SHARE : MIN_SEPARATED_SHARE)
  // Of "Mann, Michael; Pacino, Al" the semicolon counts, although commas are more frequent.
  const strong = STRONG_SEPARATORS.find((text) => isCommon(text) && countWith(text) >= countWith(',') * 0.3)
  if (strong !== undefined) return strong
  const weak = WEAK_SEPARATORS.filter(isCommon).sort((a, b) => countWith(b) - countWith(a))[0]
  if (weak !== ',' || !hasNames) return weak
  // "Mann, Michael" is one name: its two parts are single words.
  const lists = cells.filter((cell) => cell.includes(',')).map((cell) => cell.split(',').map((part) => part.trim()))
  const inverted = lists.filter((parts) => parts.length === 2 && parts.every((part) => !part.includes(' ')))
  return inverted.length > lists.length * 0.8 ? undefined : ','
}
