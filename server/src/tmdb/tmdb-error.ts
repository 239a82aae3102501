import { UserError } from '../lib/user-error.ts'

/** Thrown when TMDB does not let this token in, or cannot be used at all: there is no point in going on. */
export class TmdbRefused extends UserError {
  override readonly name = 'TmdbRefused'
}

/** Thrown when one thing could not be had from TMDB, though it was tried again; others may be had. */
export class TmdbUnavailable extends UserError {
  override readonly name = 'TmdbUnavailable'
}
