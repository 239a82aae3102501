/** Ratings of a show from 1 to 100, by the source that stated them. */
export type Ratings = Readonly<Record<string, number>>

/** What answers print: the average of what the sources say, as a whole number, or 0 where nobody says anything. */
export function averageRating(ratings: Ratings): number {
  const parts = Object.values(ratings)
  return parts.length === 0 ? 0 : Math.round(parts.reduce((sum, part) => sum + part, 0) / parts.length)
}

/** Ratings with what a source says now; 0 takes its part away. */
export function withRating(ratings: Ratings, source: string, rating: number): Ratings {
  const { [source]: _, ...others } = ratings
  return rating === 0 ? others : { ...others, [source]: rating }
}
