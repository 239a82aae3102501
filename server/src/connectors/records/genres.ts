import { createHash } from 'node:crypto'
import { fold, tokenize } from '../../catalog/index/analyzer.ts'
import { STANDARD_GENRES } from '../../model/genre.ts'
import genreAliases from './genre-aliases.json' with { type: 'json' }
import { slugify } from './values.ts'

/** A genre of a native record: the id of a standard genre, or an id and a name for any other. */
export type GenreRecord = string | { readonly id: string; readonly name: string }

/** Words between the parts of a label, in the languages whose names are known. */
const CONJUNCTIONS = new Set(['and', 'und', 'et', 'y', 'e', 'en', 'och', 'i', 've'])

/** The words of a label without conjunctions, so that "Kids & Family" equals "kids and family". */
function toKey(label: string): string {
  return tokenize(label)
    .filter((word) => !CONJUNCTIONS.has(word))
    .join(' ')
}

/** Standard genres by label: their ids and names in all languages, synonyms, and labels of two genres. */
const genresByLabel = new Map<string, readonly string[]>()
for (const { id, names } of STANDARD_GENRES) {
  for (const label of [id, ...Object.values(names)]) genresByLabel.set(toKey(label), [id])
}
for (const [id, labels] of Object.entries(genreAliases.aliases)) {
  for (const label of labels) genresByLabel.set(toKey(label), [id])
}
for (const [label, ids] of Object.entries(genreAliases.combined)) genresByLabel.set(toKey(label), ids)

/** Labels that have commas inside, so that a list is not split there. */
const labelsWithCommas = new Set(genreAliases.withCommas.map(toKey))
const MAX_COMMA_PARTS = 4

/** Words that say what kind of title it is, not which genre: "TV Dramas", "Horror Movies", "Crime TV Shows". */
const KIND_PREFIX = /^tv\s+/i
const KIND_SUFFIX = /\s+(tv(\s+(shows?|series|programme?s))?|movies?|films?|features?)$/i
const KIND_ONLY = /^(tv(\s+(shows?|series))?|movies?|films?|series|features?)$/i

/**
 * Maps genre labels to genres without duplicates. Names of the standard genres are recognised in every language, with
 * their usual synonyms; a label may hold several ("Action & Adventure", "Drama, Krimi"). Others keep their own name.
 */
export function parseGenres(labels: readonly string[]): GenreRecord[] {
  const genres = new Map<string, GenreRecord>()
  for (const label of labels.flatMap(splitLabels)) {
    for (const genre of parseLabel(label)) genres.set(typeof genre === 'string' ? genre : genre.id, genre)
  }
  return [...genres.values()]
}

/** Whether a label names standard genres only, for finding the genre column of a table. */
export function isKnownGenre(label: string): boolean {
  return findStandardGenres(label) !== undefined
}

/** Splits a text of several labels. Labels that have commas themselves stay whole. */
function splitLabels(text: string): string[] {
  if (findStandardGenres(text) !== undefined) return [text]
  const parts = text.split(/[,;|]/).map((part) => part.trim())
  const labels: string[] = []
  for (let start = 0; start < parts.length; ) {
    let length = Math.min(MAX_COMMA_PARTS, parts.length - start)
    while (length > 1 && !labelsWithCommas.has(toKey(parts.slice(start, start + length).join(' ')))) length--
    labels.push(parts.slice(start, start + length).join(', '))
    start += length
  }
  return labels.filter((label) => label !== '')
}

/** The genres of one label. "Talk Show and Variety" is a standard genre and one of its own. */
function parseLabel(label: string): GenreRecord[] {
  const known = findStandardGenres(label)
  if (known !== undefined) return [...known]
  const parts = label.split(/\s+(?:&|\+|and|und|et|y)\s+|\s*[&/]\s*/i).filter((part) => part.trim() !== '')
  if (parts.length < 2 || !parts.some((part) => findStandardGenres(part) !== undefined)) return toOwnGenre(label)
  return parts.flatMap((part): readonly GenreRecord[] => findStandardGenres(part) ?? toOwnGenre(part))
}

/** The standard genres that a label names; empty if it names a kind of title only; undefined if it is another genre. */
function findStandardGenres(label: string): readonly string[] | undefined {
  const text = label.trim()
  return genresByLabel.get(toKey(text)) ?? (KIND_ONLY.test(text) ? [] : genresByLabel.get(toKey(stripKind(text))))
}

/** A genre that is none of the standard ones. */
function toOwnGenre(label: string): GenreRecord[] {
  const name = capitalize(stripKind(label.trim()))
  if (tokenize(name).length === 0) return []
  // Letters of other scripts do not fit into an id.
  return [{ id: slugify(name) ?? `genre-${createHash('sha256').update(fold(name)).digest('hex').slice(0, 8)}`, name }]
}

function stripKind(label: string): string {
  return label.replace(KIND_PREFIX, '').replace(KIND_SUFFIX, '')
}

/** Capitalizes the words of a label in lower case: "true crime" is shown as "True Crime". */
function capitalize(label: string): string {
  if (label !== label.toLowerCase()) return label
  return label.replace(/(^|[\s/-])(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}
