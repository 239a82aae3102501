import type { Show } from 'marquee-client'

/**
 * The path of a show: `/show/67/the-godfather`. The slug is that of the original title, so a show has one path in all
 * languages. The id alone decides: a path without a slug, or with an old one, leads to the same page.
 */
export function showPath({ id, originalTitle }: Pick<Show, 'id' | 'originalTitle'>): string {
  const slug = slugify(originalTitle)
  return slug === '' ? `/show/${id}` : `/show/${id}/${encodeURIComponent(slug)}`
}

/** The id of a show by the rest of its path. Ids of TMDB have a slash: `movie/238`. */
export function readShowId(rest: string): string {
  const [, tmdbId, id = ''] = /^(?:((?:movie|tv)\/\d+)|([^/]+))(?:\/[^/]*)?$/.exec(rest) ?? []
  return decodeURIComponent(tmdbId ?? (id === '' ? rest : id))
}

const MAX_SLUG_LENGTH = 80

/** Letters and digits of a title in lower case with hyphens between its words. Accents are dropped, other scripts kept. */
function slugify(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}|['’]/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return [...words.filter((word) => word !== '').join('-')].slice(0, MAX_SLUG_LENGTH).join('').replace(/-+$/, '')
}
