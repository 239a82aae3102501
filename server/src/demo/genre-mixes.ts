import type { ShowType } from '../model/show.ts'
import { Random } from './random.ts'

const MIXES = 400

/** Genres, each as often as it is met. */
const MOVIE_GENRES = (
  'drama drama drama drama drama comedy comedy comedy comedy thriller thriller thriller action action action romance romance horror ' +
  'horror crime crime documentary documentary adventure family scifi fantasy mystery animation history music war western'
).split(' ')
const SERIES_GENRES = (
  'drama drama drama drama drama comedy comedy comedy crime crime documentary documentary animation animation reality reality mystery ' +
  'thriller action adventure scifi fantasy family romance history talk news horror music war'
).split(' ')

const mixes = { movie: makeMixes(MOVIE_GENRES, 11), series: makeMixes(SERIES_GENRES, 12) }

/** One to three genres that go together. The lists are shared between shows. */
export function genreMix(random: Random, showType: ShowType): readonly string[] {
  return random.pick(mixes[showType])
}

function makeMixes(genres: readonly string[], stream: number): readonly (readonly string[])[] {
  const random = new Random(MIXES, stream)
  return Array.from({ length: MIXES }, () => {
    const mix = new Set([random.pick(genres)])
    if (random.chance(0.7)) mix.add(random.pick(genres))
    if (random.chance(0.3)) mix.add(random.pick(genres))
    return [...mix]
  })
}
