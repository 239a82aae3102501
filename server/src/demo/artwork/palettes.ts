/** Colours that go together: the dark ground, the sky above it, two strong tones and a light one for type. */
export interface Palette {
  readonly ground: string
  readonly sky: string
  readonly main: string
  readonly second: string
  readonly light: string
}

/** How a genre is drawn: its palettes, its scenes and its type. */
export interface Mood {
  readonly palettes: readonly Palette[]
  readonly scenes: readonly SceneName[]
  readonly font: 'serif' | 'sans' | 'round'
}

export type SceneName = 'hills' | 'rings' | 'city' | 'peaks' | 'tiles' | 'waves' | 'planet' | 'discs' | 'woods' | 'rays'

const parsePalette = (text: string): Palette => {
  const [ground = '', sky = '', main = '', second = '', light = ''] = text.split(' ')
  return { ground, sky, main, second, light }
}

const DUSK = parsePalette('#1b1033 #5b2a6e #f2785c #f7b267 #fff3e2')
const OCEAN = parsePalette('#06283d #1363a0 #47b5c4 #f6d186 #f4fbff')
const EMBER = parsePalette('#190a0a #5c1a1b #d7263d #f46036 #fff0e6')
const FOREST = parsePalette('#0b2219 #1f5a45 #7fb685 #e9c46a #f6fbef')
const NOIR = parsePalette('#0d0f14 #2a303c #8d99ae #e0b04b #f5f3ea')
const NEON = parsePalette('#0a0a2a #2b1c6b #ff3cac #2de2e6 #f5f0ff')
const CANDY = parsePalette('#3a1c71 #8e3b8a #ff8fa3 #ffd166 #fff7f0')
const SAND = parsePalette('#2b1a10 #9a5a2e #e9a05b #f4d9a6 #fff6e6')
const ICE = parsePalette('#0e1b2c #3a6186 #a7c7d9 #e8eef2 #ffffff')
const ROSE = parsePalette('#2a0f1f #7a2848 #e56b8a #f7c1bb #fff1ef')
const MOSS = parsePalette('#15180c #4a5320 #a3a847 #e8d9a0 #fbf8e8')
const BLOOD = parsePalette('#060507 #1d1418 #8c1c2b #c9c2b8 #f3ece4')
const MINT = parsePalette('#08302f #12726b #5fd3bc #fff1a8 #f3fffb')
const SUNNY = parsePalette('#12355b #2f7fb8 #ffb627 #ff6b35 #fffaf0')
const PLUM = parsePalette('#150a21 #43225f #9d6bce #f2a7d0 #fbf3ff')
const STEEL = parsePalette('#101418 #36454f #5f8ea0 #d9d2c0 #f7f7f2')

const createMood = (palettes: readonly Palette[], scenes: readonly SceneName[], font: Mood['font']): Mood => ({
  palettes,
  scenes,
  font,
})

const DRAMA = createMood([DUSK, STEEL, OCEAN, ROSE, SAND], ['hills', 'rings', 'discs', 'rays', 'peaks'], 'serif')

const MOODS: Readonly<Record<string, Mood>> = {
  action: createMood([EMBER, NEON, SUNNY, STEEL], ['rays', 'city', 'peaks'], 'sans'),
  adventure: createMood([SUNNY, SAND, FOREST, OCEAN], ['peaks', 'hills', 'rays'], 'sans'),
  animation: createMood([CANDY, SUNNY, MINT, PLUM], ['tiles', 'hills', 'discs', 'planet'], 'round'),
  comedy: createMood([SUNNY, CANDY, MINT, ROSE], ['tiles', 'discs', 'waves'], 'round'),
  crime: createMood([NOIR, EMBER, STEEL], ['city', 'rays', 'rings'], 'serif'),
  documentary: createMood([OCEAN, FOREST, SAND, ICE], ['waves', 'hills', 'rings'], 'sans'),
  drama: DRAMA,
  family: createMood([SUNNY, MINT, CANDY], ['hills', 'tiles', 'discs'], 'round'),
  fantasy: createMood([PLUM, FOREST, DUSK, ICE], ['peaks', 'woods', 'planet'], 'serif'),
  history: createMood([SAND, MOSS, NOIR], ['rings', 'hills', 'rays'], 'serif'),
  horror: createMood([BLOOD, EMBER, NOIR], ['woods', 'rings', 'peaks'], 'serif'),
  music: createMood([NEON, PLUM, CANDY, DUSK], ['waves', 'discs', 'rings'], 'sans'),
  mystery: createMood([PLUM, NOIR, OCEAN, DUSK], ['woods', 'rings', 'city'], 'serif'),
  news: createMood([STEEL, OCEAN, NOIR], ['rays', 'waves'], 'sans'),
  reality: createMood([CANDY, SUNNY, NEON], ['discs', 'tiles'], 'sans'),
  romance: createMood([ROSE, DUSK, CANDY], ['discs', 'hills', 'waves'], 'serif'),
  scifi: createMood([NEON, ICE, OCEAN, PLUM], ['planet', 'rings', 'waves'], 'sans'),
  talk: createMood([DUSK, SUNNY, MINT], ['discs', 'waves'], 'sans'),
  thriller: createMood([NOIR, BLOOD, STEEL, OCEAN], ['rays', 'city', 'woods'], 'sans'),
  war: createMood([MOSS, STEEL, EMBER], ['rays', 'hills', 'peaks'], 'sans'),
  western: createMood([SAND, EMBER, DUSK], ['hills', 'rays', 'peaks'], 'serif'),
}

/** How shows of the genre look. */
export function genreMood(genre: string): Mood {
  return MOODS[genre] ?? DRAMA
}
