import movies from '../../../src/demo/data/movies.json' with { type: 'json' }
import series from '../../../src/demo/data/series.json' with { type: 'json' }
import type { Random } from '../../../src/demo/random.ts'
import namesakes from './namesakes.json' with { type: 'json' }
import vocabulary from './vocabulary.json' with { type: 'json' }

/** A movie or a series as it is in truth. Lists tell of it, each in its own way. */
export interface Work {
  readonly showType: 'movie' | 'series'
  readonly title: string
  /** The title in the language of the original, if that is another one. */
  readonly original?: string
  /** How its title is likely to be altered: names of India and Japan are transliterated in several ways. */
  readonly language: 'en' | 'in' | 'ja' | 'other'
  readonly year: number
  /** Of a series. */
  readonly lastYear: number
  readonly seasons: number
  readonly directors: readonly string[]
  readonly cast: readonly string[]
  readonly runtime: number
  readonly genre: string
}

const words = Object.fromEntries(
  Object.entries(vocabulary).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text.split(' ')]] : [])),
) as Record<string, string[]>

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Makes works: real ones and their namesakes first, then invented ones with sequels, remakes and franchises among them. */
export function makeWorks(random: Random, count: number): Work[] {
  const works = [...realWorks(), ...namesakes.map(toNamesake)]
  while (works.length < count) {
    const work = makeWork(random)
    works.push(work)
    const u = random.next()
    if (u < 0.04) works.push(makeNamesake(random, work))
    else if (u < 0.08) works.push(makeSequel(random, work))
    else if (u < 0.1) works.push(makeSibling(random, work))
    else if (u < 0.12) works.push(makeAdaptation(random, work))
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

function makePeople(random: Random, language: Work['language'], count: number): string[] {
  const [given, surnames] =
    language === 'in'
      ? [words.indianGiven, words.indianSurnames]
      : language === 'ja'
        ? [words.japaneseGiven, words.japaneseSurnames]
        : [words.given, words.surnames]
  const people = new Set<string>()
  while (people.size < count) {
    const middle = random.chance(0.12) ? ` ${random.pick('ABCDEFGHJKLMRST'.split(''))}.` : ''
    people.add(`${random.pick(given as string[])}${middle} ${random.pick(surnames as string[])}`)
  }
  return [...people]
}

/** Another work of the same title: a remake, or one that has nothing to do with it. */
function makeNamesake(random: Random, work: Work): Work {
  const u = random.next()
  const gap =
    u < 0.12 ? 0 : u < 0.25 ? (random.chance(0.5) ? 1 : -1) : (2 + random.int(30)) * (random.chance(0.5) ? 1 : -1)
  const seasons = work.showType === 'series' ? 1 + random.int(5) : 0
  const year = work.year + gap
  return {
    ...work,
    year,
    seasons,
    lastYear: year + Math.max(0, seasons - 1),
    // Some directors make a film again in another language, with other actors.
    directors: work.language === 'in' && random.chance(0.15) ? work.directors : makePeople(random, work.language, 1),
    cast: makePeople(random, work.language, 3 + random.int(5)),
    runtime: work.showType === 'movie' ? 70 + random.int(90) : 0,
  }
}

function makeSequel(random: Random, work: Work): Work {
  const year = work.year + 1 + random.int(4)
  const subtitle = random.chance(0.3) ? `: ${random.pick(vocabulary.subtitles)}` : ''
  const mark = random.pick(['2', 'II', 'Part 2', 'Part II', 'Two', '3', 'III'])
  return { ...continued(random, work), title: `${work.title.split(':')[0]} ${mark}${subtitle}`, year, lastYear: year }
}

/** Another part of a franchise: the same people within a year, and another subtitle. */
function makeSibling(random: Random, work: Work): Work {
  const [main = '', subtitle] = work.title.split(': ')
  const others = vocabulary.subtitles.filter((one) => one !== subtitle)
  const year = work.year + random.int(3) + (work.showType === 'series' ? 1 : 0)
  return { ...continued(random, work), title: `${main}: ${random.pick(others)}`, year, lastYear: year }
}

function continued(random: Random, work: Work): Work {
  const { original: _, ...rest } = work
  const runtime = work.showType === 'movie' ? 70 + random.int(70) : 0
  return {
    ...rest,
    runtime,
    seasons: work.showType === 'series' ? 1 : 0,
    directors: random.chance(0.6) ? work.directors : makePeople(random, work.language, 1),
    cast: [...work.cast.slice(0, 2), ...makePeople(random, work.language, 3)],
  }
}

/** The same title as a work of the other type. */
function makeAdaptation(random: Random, work: Work): Work {
  const isMovie = work.showType === 'series'
  const year = work.year + 1 + random.int(10)
  const seasons = isMovie ? 0 : 1 + random.int(4)
  return {
    ...work,
    showType: isMovie ? 'movie' : 'series',
    year,
    seasons,
    lastYear: year + Math.max(0, seasons - 1),
    runtime: isMovie ? 70 + random.int(70) : 0,
    cast: makePeople(random, work.language, 4),
  }
}

function pickMany(random: Random, list: readonly string[], count: number): string[] {
  return Array.from({ length: count }, () => random.pick(list))
}
