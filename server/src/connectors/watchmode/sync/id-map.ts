import { isImdbId, isTmdbId } from '../../../model/show.ts'
import { ApiUnavailableError } from '../../fetch/api-client.ts'

/** A row of Watchmode's id map. */
export interface IdMapRow {
  /** Watchmode's own id. */
  readonly id: number
  readonly imdbId: string | undefined
  readonly tmdbId: string | undefined
}

/** The columns that are read, folded. */
const COLUMNS = ['watchmodeid', 'imdbid', 'tmdbid', 'tmdbtype'] as const

/**
 * Parses the lines of Watchmode's id map: `3173903,tt0903747,1396,tv,Breaking Bad,2008`. The ids come before the title,
 * which may be quoted, so a line is split at commas up to the last id.
 */
export class IdMapParser {
  private positions: readonly number[] | undefined

  /** The row of a line; undefined for the headings, and for a line without an id of its own. */
  parseLine(text: string): IdMapRow | undefined {
    if (this.positions === undefined) {
      this.positions = findPositions(text)
      return undefined
    }
    const cells = text.split(',', Math.max(...this.positions) + 1)
    const [id = '', imdb = '', tmdb = '', kind = ''] = this.positions.map((i) => unquote(cells[i] ?? ''))
    const tmdbId = `${kind.toLowerCase()}/${tmdb}`
    if (!/^\d{1,15}$/.test(id)) return undefined
    return {
      id: Number(id),
      imdbId: isImdbId(imdb) ? imdb : undefined,
      tmdbId: isTmdbId(tmdbId) ? tmdbId : undefined,
    }
  }
}

/** The positions of the id columns by the headings. */
function findPositions(line: string): readonly number[] {
  const headings = line.split(',').map((heading) =>
    unquote(heading)
      .toLowerCase()
      .replace(/[^a-z]/g, ''),
  )
  const title = headings.indexOf('title')
  const positions = COLUMNS.map((column) => headings.indexOf(column))
  // A title may hold commas, so that columns after it cannot be counted.
  if (positions.some((at) => at < 0 || (title >= 0 && at > title))) {
    const found = line.slice(0, 120)
    throw new ApiUnavailableError(
      `The id map of Watchmode begins with "${found}"; the columns Watchmode ID, IMDB ID, TMDB ID and TMDB Type are needed before the title`,
    )
  }
  return positions
}

function unquote(cell: string): string {
  return cell
    .trim()
    .replace(/^\ufeff/, '')
    .replace(/^"|"$/g, '')
    .trim()
}
