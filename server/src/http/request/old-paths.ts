import { isImdbId, isTmdbId } from '../../model/show.ts'
import { ApiError, quoteValue } from '../exchange/errors.ts'
import { extractQueryString } from './parameter-parser.ts'

/** A path of an older version of the public interface, and the present path for the same. */
interface OldPath {
  readonly pattern: RegExp
  readonly present: string
}

/** The paths of the versions before `v4`, without the version segment that some of them had. */
const OLD_PATHS: readonly OldPath[] = [
  { pattern: /^\/get\/title$/, present: '/shows/search/title' },
  { pattern: /^\/get(?:\/.*)?$/, present: '/shows/{id}' },
  { pattern: /^\/search\/title$/, present: '/shows/search/title' },
  { pattern: /^\/search\/(?:basic|pro|ultra|filters?)$/, present: '/shows/search/filters' },
  { pattern: /^\/(?:services?|country)$/, present: '/countries' },
  { pattern: /^\/(?:services?|country)\/[^/]+$/, present: '/countries/{country-code}' },
  { pattern: /^\/leaving$/, present: '/changes?change_type=expiring' },
  // The paths that are the same today but for the version before them.
  { pattern: /^\/v[123]\/(?:shows|changes|countries|genres)(?:\/.*)?$/, present: '' },
]

const OLD_VERSION = /^\/v[123](?=\/|$)/

/**
 * The present path for a URL of an older version, without its base; empty if only the version is old. Undefined if the
 * URL never was one.
 */
export function presentPath(url: string): string | undefined {
  const path = extractPath(url)
  const unversioned = path.replace(/^\/v[1-4](?=\/)/, '')
  const known = OLD_PATHS.find(({ pattern }) => pattern.test(unversioned) || pattern.test(path))
  if (known === undefined) return OLD_VERSION.test(path) ? '' : undefined
  if (known.present === '') return unversioned
  return known.present === '/shows/{id}' ? presentShowPath(url) : known.present
}

/** The path of the show whose id was a parameter. */
function presentShowPath(url: string): string {
  const parameters = new URLSearchParams(extractQueryString(url))
  const imdbId = parameters.get('imdb_id') ?? ''
  const tmdbId = parameters.get('tmdb_id') ?? ''
  return `/shows/${isImdbId(imdbId) ? imdbId : isTmdbId(tmdbId) ? tmdbId : '{id}'}`
}

/** The error of a path of an older version, which names the present one; undefined for other paths. */
export function oldPathError(url: string): ApiError | undefined {
  const present = presentPath(url)
  if (present === undefined) return undefined
  const now =
    present === ''
      ? 'the present one is /v4, and /docs lists its paths.'
      : `the present path is /v4${present} with a direct key, ${present} with a marketplace key.`
  return new ApiError(
    'not_found',
    `The path ${quoteValue(extractPath(url))} is of an older version of this API; ${now}`,
  )
}

/** The path of a URL, without slashes at its end. */
function extractPath(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/(?<=.)\/+$/, '')
}
