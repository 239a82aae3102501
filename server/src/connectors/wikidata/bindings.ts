import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { isImdbId, isTmdbId } from '../../model/show.ts'

/** What a row of a query result says of an item. */
export interface ItemFacts {
  /** The id of the item: `Q1079`. */
  readonly item: string
  readonly imdbIds: readonly string[]
  readonly tmdbIds: readonly string[]
  readonly titles: readonly string[]
}

/** Names of variables, in lower case. The numbers are the properties of Wikidata. */
const IMDB_VARIABLE = /imdb|^p345$/
const TMDB_MOVIE_VARIABLE = /tmdb.*(movie|film)|^p4947$/
const TMDB_SERIES_VARIABLE = /tmdb.*(tv|series|show)|^p4983$/
/** Variables of text. Descriptions are sentences, not titles. */
const TITLE_VARIABLE = /title|label|alias|name/
const DESCRIPTION_VARIABLE = /description$/

/**
 * Reads a row: in the verbose form, where values are objects with a type, or in the plain form, where they are texts.
 * Undefined if no value is an item of Wikidata.
 */
export function readBinding(row: JsonObject): ItemFacts | undefined {
  const facts = { imdbIds: [] as string[], tmdbIds: [] as string[], titles: [] as string[] }
  let item: string | undefined
  for (const [variable, cell] of Object.entries(row)) {
    const name = variable.toLowerCase()
    const value = readValue(cell)
    if (value === undefined) continue
    const entity = /^https?:\/\/www\.wikidata\.org\/(?:entity|wiki)\/(Q\d{1,12})$/.exec(value)?.[1]
    if (entity !== undefined) item ??= entity
    else if (IMDB_VARIABLE.test(name)) facts.imdbIds.push(value)
    else if (TMDB_MOVIE_VARIABLE.test(name)) facts.tmdbIds.push(`movie/${value}`)
    else if (TMDB_SERIES_VARIABLE.test(name)) facts.tmdbIds.push(`tv/${value}`)
    // The label service has the id of an item without a label in its place.
    else if (isTitle(name, cell) && !/^Q\d+$/.test(value)) facts.titles.push(value)
  }
  if (item === undefined) return undefined
  return {
    item,
    imdbIds: facts.imdbIds.filter(isImdbId),
    tmdbIds: facts.tmdbIds.filter((id) => isTmdbId(id)),
    titles: facts.titles,
  }
}

function readValue(cell: unknown): string | undefined {
  const value = isObject(cell) ? cell.value : cell
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** Whether a value is a title: a text with a language, or the value of a variable that is named so. */
function isTitle(variable: string, cell: unknown): boolean {
  if (DESCRIPTION_VARIABLE.test(variable)) return false
  return (isObject(cell) && 'xml:lang' in cell) || TITLE_VARIABLE.test(variable)
}
