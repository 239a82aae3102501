/** A title in Watchmode's answers, with the parts that can be appended. */
export type TitleDocument = ReturnType<typeof buildTitle>

/** The parts that are sent only if they are asked for. */
export const PARTS = ['sources', 'seasons', 'episodes', 'cast_crew']

/** The streaming services. */
export const SOURCES = [
  { id: 203, name: 'Netflix', type: 'sub', logo_100px: 'https://cdn.test/netflix.png', regions: ['US', 'GB', 'DE'] },
  { id: 24, name: 'Amazon', type: 'purchase', logo_100px: 'https://cdn.test/amazon.png', regions: ['US', 'GB'] },
  { id: 26, name: 'Prime Video', type: 'sub', logo_100px: 'https://cdn.test/prime.png', regions: ['US', 'GB', 'DE'] },
  { id: 77, name: 'STARZ (Via Amazon Prime)', type: 'sub', logo_100px: '', regions: ['US'] },
  { id: 502, name: 'Lantern Lane', type: 'free', logo_100px: 'https://cdn.test/lantern.png', regions: ['US', 'DE'] },
  { id: 55, name: 'A&E', type: 'tve', logo_100px: 'https://cdn.test/ae.png', regions: ['US'] },
]

const NO_DEEP_LINK = 'Deeplinks available for paid plans only.'

/** Whether a title is a movie; the others are series. */
export function isMovie(id: number): boolean {
  return id % 3 !== 0
}

/** The generated document of a title. */
export function buildTitle(id: number, revision: number) {
  const type = isMovie(id) ? (id % 5 === 0 ? 'tv_special' : 'movie') : 'tv_series'
  const hasIds = id % 7 !== 0
  return {
    id,
    title: `The Harbour ${id}`,
    original_title: `Der Hafen ${id}`,
    plot_overview: `What happens at quay ${id}, in revision ${revision}.`,
    type,
    runtime_minutes: 90 + (id % 30),
    year: 1990 + (id % 30),
    end_year: isMovie(id) ? null : 1992 + (id % 30),
    release_date: `${1990 + (id % 30)}-03-01`,
    imdb_id: hasIds ? `tt${String(7_000_000 + id)}` : null,
    tmdb_id: hasIds ? 5_000 + id : null,
    tmdb_type: hasIds ? (isMovie(id) ? 'movie' : 'tv') : null,
    genres: [7],
    genre_names: ['Drama', 'Crime'],
    user_rating: 7.4,
    critic_score: 60,
    us_rating: 'TV-MA',
    poster: `https://cdn.test/posters/${id}.jpg`,
    backdrop: `https://cdn.test/backdrops/${id}.jpg`,
    original_language: 'de',
    similar_titles: [],
    networks: [],
    sources: buildSources(id, revision),
    seasons: isMovie(id) ? [] : [buildSeason(id, 0), buildSeason(id, 1), buildSeason(id, 2)],
    episodes: isMovie(id) ? [] : [0, 1, 2].flatMap((season) => buildEpisodes(id, season)),
    cast_crew: [
      { person_id: 3, type: 'Cast', full_name: 'Second Billed', role: 'A sailor', order: 2 },
      { person_id: 2, type: 'Cast', full_name: 'First Billed', role: 'A captain', order: 1 },
      { person_id: 4, type: 'Crew', full_name: 'Dana Director', role: 'Director', order: 1 },
      { person_id: 5, type: 'Crew', full_name: 'Wim Writer', role: 'Writer', order: 2 },
    ],
  }
}

function buildSources(id: number, revision: number) {
  const link = (service: string) => ({
    ios_url: NO_DEEP_LINK,
    android_url: NO_DEEP_LINK,
    web_url: `https://${service}.test/title/${id}`,
  })
  const whole = isMovie(id) ? { seasons: null, episodes: null } : { seasons: 2, episodes: 6 }
  return [
    {
      source_id: 203,
      name: 'Netflix',
      type: 'sub',
      region: 'US',
      ...link('netflix'),
      format: '4K',
      price: null,
      ...whole,
    },
    {
      source_id: 203,
      name: 'Netflix',
      type: 'sub',
      region: 'DE',
      ...link('netflix'),
      format: 'HD',
      price: null,
      ...whole,
    },
    ...['SD', 'HD'].map((format, i) => ({
      ...{ source_id: 24, name: 'Amazon', type: 'rent', region: 'US', ...link('amazon'), format },
      ...{ price: 2.99 + i + revision, ...whole },
    })),
    { source_id: 24, name: 'Amazon', type: 'buy', region: 'GB', ...link('amazon'), format: 'HD', price: 9.5, ...whole },
    {
      source_id: 77,
      name: 'STARZ (Via Amazon Prime)',
      type: 'sub',
      region: 'US',
      ...link('starz'),
      format: 'HD',
      price: null,
      ...whole,
    },
    {
      source_id: 502,
      name: 'Lantern Lane',
      type: 'free',
      region: 'US',
      ...link('lantern'),
      format: null,
      price: null,
      ...whole,
    },
    { source_id: 55, name: 'A&E', type: 'tve', region: 'US', ...link('ae'), format: 'HD', price: null, ...whole },
    {
      ...{ source_id: 26, name: 'Prime Video', type: 'sub', region: 'US', ...link('prime') },
      ...{ web_url: NO_DEEP_LINK, format: 'HD', price: null, ...whole },
    },
  ]
}

function buildSeason(id: number, number: number) {
  return {
    id: id * 100 + number,
    name: number === 0 ? 'Specials' : `Season ${number}`,
    number,
    air_date: `${1990 + (id % 30) + number}-03-01`,
    episode_count: 3,
    overview: '',
    poster_url: '',
  }
}

function buildEpisodes(id: number, season: number) {
  return [1, 2, 3].map((number) => ({
    id: id * 10_000 + season * 100 + number,
    name: `Chapter ${number}`,
    episode_number: number,
    season_number: season,
    season_id: id * 100 + season,
    imdb_id: null,
    overview: `Chapter ${number} of season ${season}.`,
    release_date: `${1990 + (id % 30) + season}-03-0${number}`,
    runtime_minutes: 45,
    thumbnail_url: '',
    sources: [
      {
        ...{
          source_id: 24,
          name: 'Amazon',
          type: 'buy',
          region: 'US',
          ios_url: NO_DEEP_LINK,
          android_url: NO_DEEP_LINK,
        },
        ...{ web_url: `https://amazon.test/episode/${id}/${season}/${number}`, format: 'HD', price: 1.99 },
      },
    ],
  }))
}
