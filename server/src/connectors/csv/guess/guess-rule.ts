import type { GivenOptions } from '../../framework/connector.ts'
import { isKnownGenre } from '../../records/genres.ts'
import { CellProblem, isShowTypeName, parseCell } from '../cell-parsers.ts'
import { CSV_FIELDS, type CsvField } from '../csv-fields.ts'
import type { ColumnRule } from '../csv-mapping.ts'
import { detectDateFormat } from '../date-format.ts'
import { parseDuration } from '../number-cells.ts'
import { type ColumnProfile, detectSeparator } from './column-profile.ts'

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
