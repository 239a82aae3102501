import type { Show } from 'marquee-client'

/** The year of a movie, or the years of a series: `2008–2013`. Empty where they are not known. */
export function yearsOf(show: Show): string {
  if (show.showType === 'movie') return String(show.releaseYear ?? '')
  const { firstAirYear: first, lastAirYear: last } = show
  if (first === undefined) return ''
  return last === undefined || last === first ? String(first) : `${first}–${last}`
}
