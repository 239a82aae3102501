import type { Attribution } from '../model/source.ts'

/** What TMDB's terms ask for wherever its data is shown, and what JustWatch asks for where its offers are. */
export const TMDB_ATTRIBUTION: readonly Attribution[] = [
  {
    text: 'This product uses the TMDB API but is not endorsed or certified by TMDB.',
    link: 'https://www.themoviedb.org',
  },
  { text: 'Watch provider data by JustWatch.', link: 'https://www.justwatch.com' },
]
