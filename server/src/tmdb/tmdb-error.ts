import { MendableError } from '../model/mendable-error.ts'

/** Thrown when TMDB does not let this token in, or cannot be used at all: there is no point in going on. */
export class TmdbRefused extends MendableError {
  override readonly name = 'TmdbRefused'
}

/** Thrown when one thing could not be had from TMDB, though it was tried again; others may be had. */
export class TmdbUnavailable extends MendableError {
  override readonly name = 'TmdbUnavailable'
}
