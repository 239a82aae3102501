import { createHash } from 'node:crypto'
import { tokenize } from '../../catalog/index/analyzer.ts'
import { DERIVED_IDS, isImdbId, isTmdbId, type ShowType } from '../../model/show.ts'

/** Converts a name into an id: its words in ASCII lower case, joined by hyphens; undefined if no letters are left. */
export function slugify(name: string): string | undefined {
  const words = tokenize(name).flatMap((word) => word.replace(/[^a-z0-9]/g, '') || [])
  const id = words.join('-').slice(0, 64).replace(/-$/, '')
  return id === '' ? undefined : id
}

/** Own ids longer than this are replaced by their hash. */
const MAX_RECORD_ID_CHARS = 300

/**
 * Names a record by the id that its service uses, so that every import recognises it again. A show without an IMDb or TMDB
 * id also gets a show id: a hash of that, in a range that the catalog does not allocate in sequence, which is the same in
 * every catalog.
 */
export function withRecordId(show: Readonly<Record<string, unknown>>, service: string, id: string): object {
  const derived = deriveShowId(service, id)
  const hasOutsideId = show.imdbId !== undefined || show.tmdbId !== undefined
  const recordId = id.length <= MAX_RECORD_ID_CHARS ? id : derived
  return { ...show, recordId, ...(!hasOutsideId && { id: derived }) }
}

function deriveShowId(service: string, id: string): string {
  const hash = createHash('sha256').update(`${service}\n${id}`).digest().readBigUInt64BE()
  const { first, last } = DERIVED_IDS
  return String(BigInt(first) + (hash % BigInt(last - first + 1)))
}

/** Picks the first valid IMDb and TMDB id. A TMDB id that is only a number gets the kind of the show type. */
export function pickExternalIds(
  showType: ShowType,
  candidates: { readonly imdb: readonly string[]; readonly tmdb: readonly string[] },
): { imdbId: string | undefined; tmdbId: string | undefined } {
  const prefix = showType === 'movie' ? 'movie/' : 'tv/'
  return {
    imdbId: candidates.imdb.find(isImdbId),
    tmdbId: candidates.tmdb.map((id) => (id.includes('/') ? id : prefix + id)).find((id) => isTmdbId(id, showType)),
  }
}
