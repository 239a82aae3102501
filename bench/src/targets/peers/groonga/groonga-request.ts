import type { HttpRequest } from '../../../lib/http.ts'
import type { ApiRequest } from '../../../workloads/api-request.ts'
import type { Page } from '../../target.ts'
import { maxEdits, normalize } from '../analyzer.ts'
import { type FilterQuery, LOOKAHEAD, parseChangesQuery, parseFilterQuery, parseShowType } from '../peer-store.ts'
import { catalogKey, changeKind } from './schema.ts'

/** Parameters of Groonga's `select`. */
type Select = Readonly<Record<string, string | number>>

const MAX_RESULTS = 20

/**
 * Translates a request into a `select`. Tuned: an index for each filter, the most selective one first; columns of sort
 * values; shows prerendered per country and reached by reference.
 */
export function groongaRequest(request: ApiRequest, cursor: string | undefined): HttpRequest {
  const query = new URLSearchParams(toSelect(request, cursor) as Record<string, string>)
  return { method: 'GET', path: `/d/select.json?${query}`, headers: {} }
}

function toSelect(request: ApiRequest, cursor: string | undefined): Select {
  switch (request.kind) {
    case 'show':
      return showSelect(request)
    case 'filters':
      return filterSelect(parseFilterQuery({ ...request.query, cursor }))
    case 'title':
      return titleSelect(request)
    case 'changes':
      return changeSelect(request, cursor)
    default:
      throw new Error(`Groonga does not support ${request.kind}`)
  }
}

function showSelect({ path, query: { country } }: ApiRequest): Select {
  const key = path.slice('/shows/'.length)
  const column = key.startsWith('tt') ? 'imdb' : key.includes('/') ? 'tmdb' : '_key'
  const texts =
    country === undefined ? 'all_options,all_seasons' : `listing_${country}.options,listing_${country}.seasons,outline`
  return {
    table: 'Shows',
    filter: `${column} == ${column === '_key' ? key : quote(key)}`,
    output_columns: `_key,head,${texts}`,
    limit: 1,
  }
}

function filterSelect(search: FilterQuery): Select {
  const { country, order, descending, from } = search
  const direction = descending ? '-' : ''
  return {
    table: 'Listings',
    filter: [
      ...search.keywords.map((word) => `words @^ ${quote(word)}`),
      search.catalogs.length > 0
        ? anyOf(
            'catalogs',
            search.catalogs.map((catalog) => catalogKey(country, catalog)),
          )
        : `country == ${quote(country)}`,
      ...(search.language === undefined ? [] : [`language == ${quote(search.language)}`]),
      ...genreConditions(search),
      ...rangeConditions('year', search.yearMin, search.yearMax),
      ...rangeConditions('rating', search.ratingMin, search.ratingMax),
      ...(search.movie === undefined ? [] : [`movie == ${search.movie}`]),
      ...(from === undefined ? [] : [cursorCondition(search, from)]),
    ].join(' && '),
    sort_keys: `${direction}${order},show._key`,
    output_columns: `show._key,${order},show.head,options${search.episodes ? ',seasons' : ''}`,
    limit: search.limit - LOOKAHEAD,
  }
}

function genreConditions({ genres, allGenres }: FilterQuery): string[] {
  if (genres.length === 0) return []
  return allGenres ? genres.map((genre) => `genres @ ${quote(genre)}`) : [anyOf('genres', genres)]
}

/** Years and ratings that are not known are 0. */
function rangeConditions(column: string, min: number | undefined, max: number | undefined): string[] {
  if (min === undefined && max === undefined) return []
  return [`between(${column}, ${min ?? 1}, "include", ${max ?? 9999}, "include")`]
}

/** The shows after the last one of the page before. */
function cursorCondition({ order, descending }: FilterQuery, [text, id]: readonly [string, number]): string {
  const value = order === 'title' ? quote(text) : text
  return `(${order} ${descending ? '<' : '>'} ${value} || (${order} == ${value} && show._key > ${id}))`
}

/**
 * The whole title, its start, all words, the last of them unfinished, and all words within the edit distance. What matches
 * in more than one of these ways has a higher score; ties are ordered by popularity.
 */
function titleSelect({ query: { title, country, ...others } }: ApiRequest): Select {
  const phrase = normalize(title!)
  const words = phrase.split(' ')
  const movie = parseShowType(others)
  const fuzzy = words.map((word) => {
    const options = `{"max_distance": ${maxEdits(word)}, "prefix_length": 1, "with_transposition": true}`
    return maxEdits(word) === 0
      ? `TitleWords.Shows_titles @ ${quote(word)}`
      : `fuzzy_search(TitleWords.Shows_titles, ${quote(word)}, ${options})`
  })
  const unfinished = [...words.slice(0, -1).map((word) => `TitleWords.Shows_titles @ ${quote(word)}`)]
  unfinished.push(`TitleWords.Shows_titles @^ ${quote(words.at(-1)!)}`)
  const matches = [
    `Titles.Shows_titles @ ${quote(phrase)}`,
    `Titles.Shows_titles @^ ${quote(phrase)}`,
    `(${unfinished.join(' && ')})`,
    `(${fuzzy.join(' && ')})`,
  ]
  return {
    table: 'Shows',
    filter: `(${matches.join(' || ')})${movie === undefined ? '' : ` && movie == ${movie}`}`,
    sort_keys: `-_score,-popularity_${country}`,
    output_columns: `_key,head,listing_${country}.options`,
    limit: MAX_RESULTS,
  }
}

function changeSelect({ query }: ApiRequest, cursor: string | undefined): Select {
  const search = parseChangesQuery({ ...query, cursor }, Math.floor(Date.now() / 1000))
  const { country, changeType, itemType, services, movie, descending, from } = search
  const comparison = descending ? '<' : '>'
  return {
    table: 'Changes',
    filter: [
      `kind == ${quote(changeKind(country, changeType, itemType))}`,
      `between(time, ${search.min}, "include", ${search.max}, "include")`,
      ...(services.length > 0 ? [`(${services.map((service) => `service == ${quote(service)}`).join(' || ')})`] : []),
      ...(movie === undefined ? [] : [`movie == ${movie}`]),
      ...(from === undefined ? [] : [`(time ${comparison} ${from[0]} || (time == ${from[0]} && rank > ${from[1]}))`]),
    ].join(' && '),
    sort_keys: `${descending ? '-' : ''}time,rank`,
    output_columns: 'time,rank,show._key,body,show.head,listing.options',
    limit: search.limit - LOOKAHEAD,
  }
}

function anyOf(column: string, values: readonly string[]): string {
  if (values.length === 1) return `${column} @ ${quote(values[0]!)}`
  return `in_values(${column}, ${values.map(quote).join(', ')})`
}

/** A string of Groonga's script syntax. */
function quote(text: string): string {
  return JSON.stringify(text)
}

/** `[[status, start, elapsed], [[[hits], [[column, type]…], row…]]]` */
type GroongaResponse = readonly [
  head: readonly unknown[],
  body: readonly [readonly [readonly [number], readonly (readonly [string, string])[], ...GroongaRow[]]],
]
type GroongaRow = readonly (string | number)[]

/** Parses a page from the rows of a `select`; the columns tell which search it was. */
export function parseGroongaPage(body: Buffer): Page {
  const [, [[[hits], columns, ...rows]]] = JSON.parse(body.toString()) as GroongaResponse
  const names = columns.map(([name]) => name)
  const idAt = Math.max(names.indexOf('_key'), names.indexOf('show._key'))
  const ids = rows.map((row) => String(row[idAt]))
  const last = rows.at(-1)
  if (last === undefined || hits <= rows.length) return { ids }
  // Changes continue after a time and a rank, shows after an id and a sort value.
  return { ids, nextCursor: `${last[0]}:${last[1]}` }
}
