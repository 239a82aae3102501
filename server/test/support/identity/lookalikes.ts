import type { Random } from '../../../src/demo/random.ts'
import vocabulary from './vocabulary.json' with { type: 'json' }
import { makePeople, type Work } from './work.ts'

/* Works that are easily taken for another one: what real lists have of each kind, more often than they have it. */

const KINDS: readonly (readonly [share: number, make: (random: Random, work: Work) => Work[]])[] = [
  [0.04, (random, work) => [makeNamesake(random, work)]],
  [0.04, (random, work) => [makeSequel(random, work)]],
  [0.02, (random, work) => [makeSibling(random, work)]],
  [0.02, (random, work) => [makeAdaptation(random, work)]],
  [0.004, (random, work) => [makeNeighbour(random, work)]],
  [0.015, (random, work) => [makeMakingOf(random, work)]],
  [0.015, (random, work) => [makeSpinOff(random, work)]],
  [0.01, (random, work) => makeParts(random, work)],
]

/** For about one work in six, works that resemble it. */
export function makeLookalikes(random: Random, work: Work): Work[] {
  let u = random.next()
  for (const [share, make] of KINDS) {
    if (u < share) return make(random, work)
    u -= share
  }
  return []
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

/** A remake in a neighbouring year: in another language, or by a rival. */
function makeNeighbour(random: Random, work: Work): Work {
  const { original: _, ...rest } = makeNamesake(random, work)
  const year = work.year + (random.chance(0.5) ? 1 : -1)
  return { ...rest, year, lastYear: year + Math.max(0, rest.seasons - 1) }
}

/** A documentary about how a work was made: the people of the work are in it. */
function makeMakingOf(random: Random, work: Work): Work {
  const { title, year, directors, cast } = work
  const name = title.split(':')[0] as string
  return {
    showType: 'movie',
    title: random.pick([
      `The Making of ${name}`,
      `${name}: The Making Of`,
      `Inside ${name}`,
      `${name}: Behind the Scenes`,
    ]),
    language: 'en',
    year: year + random.int(2),
    lastYear: year,
    seasons: 0,
    directors: random.chance(0.2) ? directors : makePeople(random, 'en', 1),
    cast: random.chance(0.7) ? [...directors, ...cast.slice(0, 4)] : [],
    runtime: 25 + random.int(60),
    genre: 'documentary',
  }
}

/** A series or film beside the first one whose title differs in a letter or a word: "Dragon Ball Z", "Legally Blondes". */
function makeSpinOff(random: Random, work: Work): Work {
  const name = work.title.split(':')[0] as string
  const year = work.year + 1 + random.int(5)
  return {
    ...continued(random, work),
    title: random.pick([
      `${name} Z`,
      `${name}${name.endsWith('s') ? ' Too' : 's'}`,
      `${name} GT`,
      `${name} Returns`,
      `New ${name}`,
      `${name} Kids`,
    ]),
    year,
    lastYear: year,
    cast: [...work.cast.slice(0, 3), ...makePeople(random, work.language, 2)],
  }
}

/** A story in two parts, shot together: the same people, a year apart at most. */
function makeParts(random: Random, work: Work): Work[] {
  const { original: _, ...rest } = work
  const name = work.title.split(':')[0] as string
  const [one, two] = random.pick([
    [': Part 1', ': Part 2'],
    [' Part One', ' Part Two'],
    [' Vol. 1', ' Vol. 2'],
    [': Chapter 1', ': Chapter 2'],
  ] as const)
  const year = work.year + 3
  const later = year + random.int(2)
  const part = { ...rest, seasons: work.seasons === 0 ? 0 : 1 }
  return [
    { ...part, title: name + one, year, lastYear: year },
    {
      ...part,
      title: name + two,
      year: later,
      lastYear: later,
      runtime: Math.max(0, work.runtime + random.int(9) - 4),
    },
  ]
}
