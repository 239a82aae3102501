import { buildGenre, type TitleFacts } from './title-facts.ts'

const COUNTRIES = ['US', 'GB', 'DE', 'FR']

type Json = Record<string, unknown>

/** The TMDB document of a movie or series, without appended parts. */
export function buildDetails(title: TitleFacts): Json {
  const { kind, id, year } = title
  const both = {
    adult: false,
    backdrop_path: `/b${kind}${id}.jpg`,
    genres: title.genres.map(buildGenre),
    homepage: '',
    id,
    original_language: title.originalLanguage,
    overview: title.overview,
    popularity: title.popularity,
    poster_path: `/p${kind}${id}.jpg`,
    status: 'Released',
    tagline: '',
    vote_average: title.average,
    vote_count: title.votes,
  }
  if (kind === 'movie') {
    return {
      ...both,
      imdb_id: title.imdbId,
      original_title: `${title.title} (original)`,
      release_date: `${year}-05-04`,
      runtime: title.runtime,
      title: title.title,
      video: false,
    }
  }
  return {
    ...both,
    created_by: [{ id: 1, name: title.people[5] }],
    first_air_date: `${year}-01-10`,
    last_air_date: `${year + title.seasons - 1}-11-02`,
    in_production: false,
    name: title.title,
    number_of_episodes: seasonNumbers(title).reduce((sum, n) => sum + title.episodesOf(n), 0),
    number_of_seasons: title.seasons,
    original_name: `${title.title} (original)`,
    seasons: [0, ...seasonNumbers(title)].map((n) => ({
      air_date: `${year + Math.max(n - 1, 0)}-01-10`,
      episode_count: title.episodesOf(n),
      id: id * 100 + n,
      name: n === 0 ? 'Specials' : `Season ${n}`,
      overview: '',
      poster_path: null,
      season_number: n,
      vote_average: 0,
    })),
  }
}

function seasonNumbers({ seasons }: TitleFacts): number[] {
  return Array.from({ length: seasons }, (_, i) => i + 1)
}

/** The TMDB document at a path below a title; undefined if there is none. */
export function buildPart(
  title: TitleFacts,
  part: string,
  imageLanguages: readonly string[] | undefined,
): Json | undefined {
  const season = /^season\/(\d+)(\/watch\/providers)?$/.exec(part)
  if (season !== null) {
    const n = Number(season[1])
    if (title.kind !== 'tv' || n > title.seasons) return undefined
    return season[2] === undefined ? seasonDocument(title, n) : providersDocument(title, n)
  }
  switch (part) {
    case 'watch/providers':
      return providersDocument(title, 0)
    case 'external_ids':
      return { imdb_id: title.imdbId, wikidata_id: null }
    case 'credits':
      return title.kind === 'movie' ? creditsDocument(title) : undefined
    case 'aggregate_credits':
      return title.kind === 'tv' ? aggregateCredits(title) : undefined
    case 'translations':
      return translationsDocument(title)
    case 'alternative_titles':
      return alternativeTitles(title)
    case 'images':
      return imagesDocument(title, imageLanguages)
  }
  return undefined
}

function providersDocument(title: TitleFacts, season: number): Json {
  const results: Json = {}
  for (const country of COUNTRIES) {
    const buckets = Object.entries(title.offers(country, season)).map(([bucket, providers]) => [
      bucket,
      providers.map(({ id, name, priorities }) => ({
        logo_path: `/logo${id}.jpg`,
        provider_id: id,
        provider_name: name,
        display_priority: priorities[country],
      })),
    ])
    if (buckets.length === 0) continue
    const link = `https://www.themoviedb.org/${title.kind}/${title.id}/watch?locale=${country}`
    results[country] = { link, ...Object.fromEntries(buckets) }
  }
  return { id: title.id, results }
}

function creditsDocument({ people }: TitleFacts): Json {
  const cast = people.slice(0, 5).map((name, order) => ({ id: order + 1, name, character: `Role ${order}`, order }))
  const crew = [
    { id: 90, name: 'Somebody Else', job: 'Producer', department: 'Production' },
    { id: 91, name: people[5], job: 'Director', department: 'Directing' },
  ]
  // TMDB does not guarantee billing order.
  return { cast: cast.reverse(), crew }
}

/** The list has the cast in order; `order` is that of a season, and a guest of one episode may have 0. */
function aggregateCredits({ people }: TitleFacts): Json {
  const cast = people.slice(0, 5).map((name, i) => {
    return { id: i + 1, name, roles: [], total_episode_count: 30 - 5 * i, order: (i * 3 + 2) % 5 }
  })
  const guest = { id: 99, name: 'Gus Guest', roles: [], total_episode_count: 1, order: 0 }
  return { cast: [...cast, guest], crew: [] }
}

/** Movies have a list of titles, series one of results. */
function alternativeTitles({ kind, id, title }: TitleFacts): Json {
  const titles = [
    { iso_3166_1: 'JP', title: `Yume no ${kind} ${id}`, type: '' },
    { iso_3166_1: 'GB', title: `${title}: The British Title`, type: '' },
    { iso_3166_1: 'US', title, type: 'working title' },
  ]
  return kind === 'movie' ? { titles } : { results: titles }
}

function translationsDocument({ kind, title, overview }: TitleFacts): Json {
  const named = (text: string) => (kind === 'movie' ? { title: text } : { name: text })
  const entry = (language: string, country: string, text: string, about: string) => ({
    iso_3166_1: country,
    iso_639_1: language,
    name: language,
    english_name: language,
    data: { ...named(text), overview: about, homepage: '', tagline: '' },
  })
  return {
    translations: [
      entry('en', 'US', title, overview),
      entry('de', 'DE', `${title}, auf Deutsch`, `Deutsch: ${overview}`),
      entry('de', 'AT', `${title}, auf Wienerisch`, ''),
      entry('fr', 'CA', `${title}, québécois`, `Québécois: ${overview}`),
      entry('fr', 'FR', '', `Français : ${overview}`),
      entry('sv', 'SE', '', ''),
    ],
  }
}

function imagesDocument({ kind, id }: TitleFacts, languages: readonly string[] | undefined): Json {
  const image = (path: string, language: string | null, votes: number) => ({
    aspect_ratio: 1,
    file_path: path,
    height: 1000,
    iso_639_1: language,
    vote_average: votes,
    vote_count: votes,
    width: 1000,
  })
  const wanted = ({ iso_639_1: language }: { iso_639_1: string | null }) =>
    languages === undefined || languages.includes(language ?? 'null')
  return {
    backdrops: [
      image(`/bare${kind}${id}.jpg`, null, 5),
      image(`/wide-en${kind}${id}.jpg`, 'en', 4),
      image(`/wide-de${kind}${id}.jpg`, 'de', 3),
    ].filter(wanted),
    logos: [],
    posters: [
      image(`/p${kind}${id}.jpg`, 'en', 5),
      image(`/tall-de${kind}${id}.jpg`, 'de', 4),
      image(`/tall-bare${kind}${id}.jpg`, null, 3),
    ].filter(wanted),
  }
}

function seasonDocument(title: TitleFacts, season: number): Json {
  const year = title.year + Math.max(season - 1, 0)
  return {
    air_date: `${year}-01-10`,
    episodes: Array.from({ length: title.episodesOf(season) }, (_, i) => ({
      air_date: i === 0 ? `${year}-01-10` : `${year}-02-${String(i + 1).padStart(2, '0')}`,
      episode_number: i + 1,
      id: title.id * 10_000 + season * 100 + i,
      name: `Chapter ${i + 1}`,
      overview: i === 1 ? '' : `What happens in chapter ${i + 1} of season ${season}.`,
      season_number: season,
    })),
    id: title.id * 100 + season,
    name: season === 0 ? 'Specials' : `Season ${season}`,
    season_number: season,
  }
}
