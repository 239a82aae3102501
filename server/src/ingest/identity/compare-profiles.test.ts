import { describe, expect, it } from 'vitest'
import { compareProfiles } from './compare-profiles.ts'
import { isMatch } from './find-match.ts'
import { type Described, toProfile } from './profile.ts'

const film = (title: string, year: number | undefined, more: Partial<Described> = {}): Described => ({
  showType: 'movie',
  title,
  ...(year !== undefined && { year }),
  ...more,
})

const series = (title: string, year: number | undefined, seasonCount: number, more: Partial<Described> = {}) =>
  ({ ...film(title, year, more), showType: 'series', seasonCount }) as const

function areJoined(one: Described, other: Described): boolean {
  const comparison = compareProfiles(toProfile(one), toProfile(other))
  return comparison !== undefined && isMatch(comparison)
}

const HALLOWS = { directors: ['David Yates'], cast: ['Daniel Radcliffe', 'Emma Watson', 'Rupert Grint'] }
const GOKU = { creators: ['Akira Toriyama'], cast: ['Masako Nozawa', 'Mayumi Tanaka', 'Toru Furuya'] }
const ANIMATED = { genres: ['animation'], cast: ['Sora Sato', 'Jun Ito', 'Miyu Oda'] }

/** A list has the show with the year 2021. */
const WRONG_YEAR: Partial<Described> = { records: { list: [{ key: '1', by: 'title', year: 2021 }] } }

const APART: readonly (readonly [string, Described, Described])[] = [
  [
    'the two parts of a story',
    film('Harry Potter and the Deathly Hallows: Part 1', 2010, { ...HALLOWS, runtime: 146 }),
    film('Harry Potter and the Deathly Hallows: Part 2', 2011, { ...HALLOWS, runtime: 130 }),
  ],
  [
    'a series and its sequel of one letter more',
    series('Dragon Ball', 1986, 9, GOKU),
    series('Dragon Ball Z', 1989, 9, GOKU),
  ],
  ['a series that was made again', series('Ben 10', 2005, 4, { lastAirYear: 2008 }), series('Ben 10', 2016, 4)],
  [
    'films of one name and neighbouring years, by others',
    film('Cargo', 2017, { directors: ['Ben Howling'], cast: ['Martin Freeman', 'Simone Landers'], runtime: 105 }),
    film('Cargo', 2018, { directors: ['Arati Kadav'], cast: ['Vikrant Massey', 'Shweta Tripathi'], runtime: 119 }),
  ],
  [
    'a film that one list has with a wrong year, and another one of the year after that',
    film('Scream', 1996, { ...WRONG_YEAR, directors: ['Wes Craven'], runtime: 112 }),
    film('Scream', 2022, { runtime: 114 }),
  ],
  [
    'films of one name and year without people that differ much in length',
    film('The Secret of the South', 2018, { directors: ['Felix Ortiz'], runtime: 105 }),
    film('The Secret of the South', 2018, { runtime: 74 }),
  ],
  [
    'a film and the documentary about it',
    film('Frozen Kingdom', 2019, { directors: ['Ann Lee'], cast: ['Idina Moss', 'Josh Gold'], runtime: 103 }),
    film('Frozen Kingdom: The Making Of', 2019, {
      directors: ['Megan Hart'],
      cast: ['Ann Lee', 'Idina Moss', 'Josh Gold'],
      runtime: 45,
    }),
  ],
  [
    'series of one name whose casts share but their consonants',
    series('The Children at Night', 1968, 1, { cast: ['Mark Larsson', 'Alice Garcia', 'Oscar Graham', 'Ana Reyes'] }),
    series('The Children at Night', 1944, 1, { cast: ['Luke Garcia', 'Jorge Woods', 'Simon Baker', 'Ian Hays'] }),
  ],
  [
    'series of one name, decades apart, with one actor in both',
    series('Magic Summer Days', 2021, 1, { cast: ['Yuki Wada', 'Kaito Mori', 'Kana Sato', 'Rin Abe'] }),
    series('Magic Summer Days', 1995, 4, { cast: ['Kaito Mori', 'Ken Ito', 'Megumi Oda', 'Jun Endo'] }),
  ],
  [
    'series of neighbouring years and other numbers of seasons, with nothing else to tell',
    series('The Market of Wyoming', 2020, 3, { cast: ['Paul Flores', 'Ann Lee', 'Thomas Schneider'] }),
    series('The Market of Wyoming', 2021, 1),
  ],
  [
    'animated series of one name and year with other voices and other numbers of seasons',
    series('The Bright Window of Kyoto', 1965, 1, ANIMATED),
    series('The Bright Window of Kyoto', 1965, 4, { cast: ['Yuki Suzuki', 'Megumi Mori', 'Daisuke Kato'] }),
  ],
  [
    'a series and its sequel of one consonant more, by the same people',
    series('Majo Majo Tenshi', 2004, 1, { cast: ['Miyu Matsumoto', 'Ryota Goto', 'Hiroshi Sasaki'] }),
    series('Majo Majo Tenshis', 2008, 1, { cast: ['Miyu Matsumoto', 'Ryota Goto', 'Ren Yamada'] }),
  ],
  ['what has nothing but the title', film('Home', undefined), film('Home', undefined)],
]

const JOINED: readonly (readonly [string, Described, Described])[] = [
  [
    'names in other orders and spellings',
    film('Salaam Namaste', 2005, { directors: ['Siddharth Anand'], cast: ['Saif Ali Khan', 'Preity Zinta'] }),
    film('Salam Namaste', 2005, { directors: ['Anand, Siddharth'], cast: ['Khan, Saif Ali', 'Priety Zinta'] }),
  ],
  [
    'a series by its first year, and by that of its newest season',
    series('The Crown of Winter', 2016, 4, { lastAirYear: 2020, cast: ['Claire Foy', 'Olivia Colman'] }),
    series('The Crown of Winter', 2020, 4, { cast: ['Claire Foy', 'Olivia Colman', 'Helena Bonham Carter'] }),
  ],
  [
    'a film without a year, by its people',
    film('Little Women', 2019, { directors: ['Greta Gerwig'], cast: ['Saoirse Ronan', 'Emma Watson'], runtime: 135 }),
    film('Little Women', undefined, { directors: ['Greta Gerwig'], cast: ['Emma Watson'], runtime: 135 }),
  ],
  [
    'an animation in two languages',
    film('Howling Castle', 2004, {
      genres: ['animation'],
      directors: ['Hayao Mori'],
      cast: ['Chieko Baisho', 'Takuya Kimura', 'Akihiro Miwa'],
    }),
    film('Howling Castle', 2004, {
      genres: ['animation'],
      directors: ['Hayao Mori'],
      cast: ['Jean Simons', 'Chris Bale', 'Lauren Call'],
    }),
  ],
  [
    'a series in two languages, with as many seasons',
    series('The Bright Window of Kyoto', 1965, 2, ANIMATED),
    series('The Bright Window of Kyoto', 1965, 2, { cast: ['Jean Simons', 'Chris Bale', 'Lauren Call'] }),
  ],
  [
    'a series by neighbouring years and as many seasons',
    series('The Market of Wyoming', 2020, 1, { cast: ['Paul Flores', 'Ann Lee', 'Thomas Schneider'] }),
    series('The Market of Wyoming', 2021, 1),
  ],
  [
    'a localized title by its original one',
    film('Money House', 2017, { originalTitle: 'La casa del dinero', runtime: 97 }),
    film('La casa del dinero', 2017, { runtime: 98 }),
  ],
]

describe('two descriptions', () => {
  it.each(APART)('are left apart: %s', (_, one, other) => {
    expect(areJoined(one, other)).toBe(false)
    expect(areJoined(other, one)).toBe(false)
  })

  it.each(JOINED)('are joined: %s', (_, one, other) => {
    expect(areJoined(one, other)).toBe(true)
    expect(areJoined(other, one)).toBe(true)
  })
})
