import { ownEntry } from '../../lib/objects.ts'
import { STANDARD_GENRES } from '../../model/genre.ts'
import { slugify } from './ids.ts'

/** What the usual genres are called elsewhere, by the name without case and signs. */
const GENRE_ALIASES: Readonly<Record<string, string>> = {
  'action-adventure': 'action',
  animated: 'animation',
  anime: 'animation',
  comedies: 'comedy',
  'crime-drama': 'crime',
  docs: 'documentary',
  documentaries: 'documentary',
  docuseries: 'documentary',
  dramas: 'drama',
  children: 'family',
  kids: 'family',
  'kids-family': 'family',
  'children-family': 'family',
  historical: 'history',
  musical: 'music',
  mysteries: 'mystery',
  'reality-tv': 'reality',
  'reality-show': 'reality',
  romantic: 'romance',
  'romantic-comedy': 'romance',
  'sci-fi': 'scifi',
  'science-fiction': 'scifi',
  'sci-fi-fantasy': 'scifi',
  sciencefiction: 'scifi',
  suspense: 'thriller',
  'talk-show': 'talk',
  talkshow: 'talk',
  thrillers: 'thriller',
  westerns: 'western',
}

const standardGenreIds = new Set(STANDARD_GENRES.map(({ id }) => id))

/** A genre as a feed states it: the id of a usual one, or an id and a name of its own. */
export type GenreRecord = string | { readonly id: string; readonly name: string }

/** The genre that a name means. */
export function parseGenre(name: string): GenreRecord | undefined {
  const id = slugify(name)
  if (id === undefined) return undefined
  const known = ownEntry(GENRE_ALIASES, id) ?? id
  return standardGenreIds.has(known) ? known : { id, name: name.trim() }
}

/** The genres that names mean, each once. */
export function parseGenres(names: readonly string[]): GenreRecord[] {
  const genres = new Map<string, GenreRecord>()
  for (const name of names) {
    const genre = parseGenre(name)
    if (genre !== undefined) genres.set(typeof genre === 'string' ? genre : genre.id, genre)
  }
  return [...genres.values()]
}
