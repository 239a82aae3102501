import { slug } from '../connectors/slug.ts'
import type { JsonObject } from '../ingest/parse/fields.ts'
import { numberIn, objectsIn, textIn } from './answer-fields.ts'

/** TMDB's genres by id. Some of those of series are two at once, some are nearest to another one. */
const GENRES: Readonly<Record<number, readonly string[]>> = {
  28: ['action'],
  12: ['adventure'],
  16: ['animation'],
  35: ['comedy'],
  80: ['crime'],
  99: ['documentary'],
  18: ['drama'],
  10751: ['family'],
  14: ['fantasy'],
  36: ['history'],
  27: ['horror'],
  10402: ['music'],
  9648: ['mystery'],
  10749: ['romance'],
  878: ['scifi'],
  53: ['thriller'],
  10752: ['war'],
  37: ['western'],
  10759: ['action', 'adventure'],
  10762: ['family'],
  10763: ['news'],
  10764: ['reality'],
  10765: ['scifi', 'fantasy'],
  10766: ['drama'],
  10767: ['talk'],
  10768: ['war'],
  // A film that was made for television is no genre of its own.
  10770: [],
}

/** A genre as a native feed names it: by its id, or with a name where nobody may know it yet. */
type StatedGenre = string | { readonly id: string; readonly name: string }

/** The genres of a title; one that TMDB has brought up since is taken by its name. */
export function genresOf(details: JsonObject): StatedGenre[] {
  const genres = objectsIn(details, 'genres').flatMap((genre): readonly StatedGenre[] => {
    const known = GENRES[numberIn(genre, 'id') ?? 0]
    const name = textIn(genre, 'name')
    if (known !== undefined || name === undefined) return known ?? []
    const id = slug(name)
    return id === undefined ? [] : [{ id, name }]
  })
  return [...new Set(genres)]
}
