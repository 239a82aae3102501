import { ownEntry } from '../../lib/objects.ts'
import { STANDARD_GENRES } from '../../model/genre.ts'
import genreAliases from './genre-aliases.json' with { type: 'json' }
import { slugify } from './ids.ts'

/** A genre of a native record: the id of a standard genre, or an id and a name for any other. */
export type GenreRecord = string | { readonly id: string; readonly name: string }

const standardGenreIds = new Set(STANDARD_GENRES.map(({ id }) => id))

/** Maps genre names to genres without duplicates; common other names of the standard genres are recognised. */
export function parseGenres(names: readonly string[]): GenreRecord[] {
  const genres = new Map<string, GenreRecord>()
  for (const name of names) {
    const genre = parseGenre(name)
    if (genre !== undefined) genres.set(typeof genre === 'string' ? genre : genre.id, genre)
  }
  return [...genres.values()]
}

function parseGenre(name: string): GenreRecord | undefined {
  const slug = slugify(name)
  if (slug === undefined) return undefined
  const id = ownEntry<string>(genreAliases, slug) ?? slug
  return standardGenreIds.has(id) ? id : { id: slug, name: name.trim() }
}
