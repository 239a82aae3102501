import { isImdbId, isTmdbId } from '../../../model/show.ts'

/** A row of Watchmode's id map. */
export interface IdMapRow {
  /** Watchmode's own id. */
  readonly id: number
  readonly imdbId: string | undefined
  readonly tmdbId: string | undefined
}

/** The headings of the id map. */
export const ID_MAP_COLUMNS = ['Watchmode ID', 'IMDB ID', 'TMDB ID', 'TMDB Type', 'Title', 'Year']

/**
 * Parses a line of the id map: `3173903,tt0903747,1396,tv,Breaking Bad,2008`. The ids come before the title, which may be
 * quoted, so they are split at commas. Undefined for the headings, and for a line without ids.
 */
export function parseIdMapLine(text: string): IdMapRow | undefined {
  const [id = '', imdb = '', tmdb = '', kind = ''] = text.split(',', 4).map((cell) => cell.trim().replace(/^"|"$/g, ''))
  const tmdbId = `${kind}/${tmdb}`
  if (!/^\d{1,15}$/.test(id)) return undefined
  return {
    id: Number(id),
    imdbId: isImdbId(imdb) ? imdb : undefined,
    tmdbId: isTmdbId(tmdbId) ? tmdbId : undefined,
  }
}
