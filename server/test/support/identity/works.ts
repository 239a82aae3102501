import movies from '../../../src/demo/data/movies.json' with { type: 'json' }
import series from '../../../src/demo/data/series.json' with { type: 'json' }
import type { Random } from '../../../src/demo/random.ts'
import { makeLookalikes } from './lookalikes.ts'
import namesakes from './namesakes.json' with { type: 'json' }
import vocabulary from './vocabulary.json' with { type: 'json' }
import { makePeople, type Work, words } from './work.ts'

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Makes works: real ones and their namesakes first, then invented ones with sequels, remakes and franchises among them. */
export function makeWorks(random: Random, count: number): Work[] {
  const works = [...realWorks(), ...namesakes.map(toNamesake)]
  while (works.length < count) {
    const work = makeWork(random)
    works.push(work)
    works.push(...makeLookalikes(random, work))
  }
  return works
}

function realWorks(): Work[] {
  const language = (code: string) => (code === 'hi' ? 'in' : code === 'ja' ? 'ja' : code === 'en' ? 'en' : 'other')
  return [
    ...movies.map((movie): Work => {
      const { title, year, directors, cast, runtime, genres } = movie
      const original = 'original' in movie ? { original: movie.original as string } : {}
      const fixed = { lastYear: year, seasons: 0, genre: genres[0] ?? 'drama', language: language(movie.language) }
      return { showType: 'movie', title, ...original, year, directors, cast, runtime, ...fixed } as Work
    }),
    ...series.map((show): Work => {
      const { title, creators, cast, genres } = show
      const years = show.seasons as number[][]
      const [year, last] = [years[0]?.[0] ?? 2000, years.at(-1) ?? []]
      const original = 'original' in show ? { original: show.original as string } : {}
      const run = { year, lastYear: last[2] ?? last[0] ?? year, seasons: years.length }
      const fixed = { runtime: 0, genre: genres[0] ?? 'drama', language: language(show.language) }
      return { showType: 'series', title, ...original, ...run, directors: creators, cast, ...fixed } as Work
    }),
  ]
}

function toNamesake(entry: (typeof namesakes)[number]): Work {
  const [showType, title, year, directors, cast, length, lastYear = year] = entry as [
    Work['showType'],
    string,
    number,
    string[],
    string[],
    number,
    number?,
  ]
  const isMovie = showType === 'movie'
  const lengths = { runtime: isMovie ? length : 0, seasons: isMovie ? 0 : length }
  return { showType, title, year, lastYear, directors, cast, ...lengths, genre: 'drama', language: 'en' }
}

function makeWork(random: Random): Work {
  const u = random.next()
  const language = u < 0.2 ? 'in' : u < 0.27 ? 'ja' : u < 0.37 ? 'other' : 'en'
  const isMovie = random.chance(language === 'in' ? 0.95 : language === 'ja' ? 0.25 : 0.68)
  // Services list mostly what is new.
  const year = 2021 - Math.floor(random.next() ** 2.4 * 70)
  const seasons = isMovie ? 0 : random.chance(0.45) ? 1 : 1 + random.int(8)
  const titles = makeTitle(random, language)
  const genre = language === 'ja' ? 'animation' : random.chance(0.15) ? 'documentary' : 'drama'
  return {
    showType: isMovie ? 'movie' : 'series',
    ...titles,
    language,
    year,
    lastYear: year + Math.max(0, seasons - 1) + (random.chance(0.15) ? 1 : 0),
    seasons,
    directors: makePeople(random, language, random.chance(0.9) ? 1 : 2),
    cast: makePeople(random, language, genre === 'documentary' ? random.int(4) : 3 + random.int(12)),
    runtime: isMovie ? 70 + random.int(language === 'in' ? 110 : 70) : 0,
    genre,
  }
}

function makeTitle(random: Random, language: Work['language']): Pick<Work, 'title' | 'original'> {
  if (language === 'in') {
    // Single words are few, so they would make more namesakes than there are.
    const count = random.chance(0.12) ? 1 : random.chance(0.6) ? 2 : 3
    return {
      title: pickMany(random, words.indianWords as string[], count)
        .map(capitalize)
        .join(' '),
    }
  }
  if (language === 'ja') {
    const romaji = pickMany(random, words.japanese as string[], 2 + random.int(2)).join(
      random.chance(0.4) ? ' no ' : ' ',
    )
    return random.chance(0.6) ? { title: makeEnglishTitle(random), original: romaji } : { title: romaji }
  }
  if (language === 'other') {
    const [head, tail] = [random.pick(vocabulary.foreign), random.pick(vocabulary.foreignTails)]
    const place = random.chance(0.7) ? random.pick(words.places as string[]) : undefined
    const [of, de] = place === undefined ? ['', ''] : [` of ${place}`, ` de ${place}`]
    return { title: `${head[1]} ${tail[1]}${of}`, original: `${head[0]} ${tail[0]}${de}` }
  }
  return { title: makeEnglishTitle(random) }
}

function makeEnglishTitle(random: Random): string {
  const noun = () => capitalize(random.pick(words.nouns as string[]))
  const adjective = () => capitalize(random.pick(words.adjectives as string[]))
  const place = () => random.pick(words.places as string[])
  const name = () => random.pick(words.given as string[])
  const subtitle = () => random.pick(vocabulary.subtitles)
  const patterns: (() => string)[] = [
    () => `The ${adjective()} ${noun()}`,
    () => `The ${adjective()} ${noun()}`,
    () => `The ${noun()} of ${place()}`,
    () => `${adjective()} ${noun()}s`,
    () => `${noun()} in the ${noun()}`,
    () => `${noun()} & ${noun()}`,
    () => `${noun()} and ${noun()}`,
    () => `A ${noun()} for ${name()}`,
    () => `${name()} and the ${adjective()} ${noun()}`,
    () => `${name()}'s ${noun()}`,
    () => `The ${noun()}`,
    () => `The ${noun()} ${noun()}`,
    () => `${noun()} ${noun()}`,
    () => `${adjective()} ${noun()}: ${subtitle()}`,
    () => `${noun()} of ${noun()}: ${subtitle()}`,
    () => `${name()} ${random.pick(words.surnames as string[])}: ${random.pick(vocabulary.standUp)}`,
    () => `${place()} ${noun()}s`,
    () => `My ${adjective()} ${noun()}`,
    () => `Spider-${noun()}`,
    () => `${2 + random.int(18)} ${noun()}s`,
    () => `Once Upon a ${noun()} in ${place()}`,
    () => `How to ${random.pick(['Catch', 'Lose', 'Find', 'Steal'])} a ${noun()}`,
  ]
  return random.pick(patterns)()
}

function pickMany(random: Random, list: readonly string[], count: number): string[] {
  return Array.from({ length: count }, () => random.pick(list))
}
