import type { RealMovie, RealSeries } from '../real-title.ts'
import { CLASSIC_MOVIES } from './movies-classic.ts'
import { MODERN_MOVIES } from './movies-modern.ts'
import { NINETIES_MOVIES } from './movies-nineties.ts'
import { WORLD_MOVIES } from './movies-world.ts'
import { COMEDY_SERIES } from './series-comedy.ts'
import { DRAMA_SERIES } from './series-drama.ts'
import { FANTASTIC_SERIES } from './series-fantastic.ts'
import { WORLD_SERIES } from './series-world.ts'

/** A well-known title under the id that the demo gives it. */
export interface RealEntry {
  readonly id: string
  readonly title: RealMovie | RealSeries
}

/** Ids follow from the positions in these lists: a new title goes to the end of its list's last part. */
const MOVIES: readonly RealMovie[] = [...CLASSIC_MOVIES, ...NINETIES_MOVIES, ...MODERN_MOVIES, ...WORLD_MOVIES]
const SERIES: readonly RealSeries[] = [...DRAMA_SERIES, ...FANTASTIC_SERIES, ...COMEDY_SERIES, ...WORLD_SERIES]
const FIRST_MOVIE_ID = 1001
const FIRST_SERIES_ID = 5001

/** All well-known titles, movies and series mixed, so that a small demo has some of both. */
export const REAL_TITLES: readonly RealEntry[] = mixed()

function mixed(): RealEntry[] {
  const entries = [
    ...MOVIES.map((title, i) => ({ id: String(FIRST_MOVIE_ID + i), title, place: (i + 0.5) / MOVIES.length })),
    ...SERIES.map((title, i) => ({ id: String(FIRST_SERIES_ID + i), title, place: (i + 0.5) / SERIES.length })),
  ]
  return entries
    .sort((a, b) => a.place - b.place || Number(a.id) - Number(b.id))
    .map(({ id, title }) => ({ id, title }))
}
