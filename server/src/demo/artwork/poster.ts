import { mixText, Random } from '../random.ts'
import { type Palette, SCENES, type SceneName } from './scenes.ts'
import { escapeXml, fitText } from './svg-text.ts'

/** What to draw: a poster, or a backdrop if the title is empty. */
interface PosterSubject {
  readonly id: string
  readonly genre: string
  readonly isVertical: boolean
  /** In pixels; the height follows from the aspect ratio. */
  readonly width: number
  readonly title: string
}

const FONTS: Readonly<Record<Mood['font'], string>> = {
  serif: "Georgia,'Noto Serif','Noto Serif CJK JP','Hiragino Mincho ProN','Nanum Myeongjo',serif",
  sans: "'Helvetica Neue',Inter,Arial,'Noto Sans','Noto Sans CJK JP','Hiragino Sans','Malgun Gothic',sans-serif",
  round:
    "Nunito,'Trebuchet MS','Segoe UI',Verdana,'Noto Sans','Noto Sans CJK JP','Hiragino Maru Gothic ProN',sans-serif",
}

const VERTICAL_SIZES = [58, 52, 46, 41, 36, 32, 28, 25, 22]
const HORIZONTAL_SIZES = [52, 46, 41, 36, 32, 28, 25, 22]

/** Draws an image of a show as SVG. The drawing depends only on the id, the genre and the orientation. */
export function drawPoster({ id, genre, isVertical, width, title }: PosterSubject): string {
  const mood = genreMood(genre)
  const random = new Random(mixText(id), isVertical ? 1 : 2)
  // A stream of its own: all images of a show share the palette and the scene.
  const styleRandom = new Random(mixText(id), 3)
  const palette = styleRandom.pick(mood.palettes)
  const scene = SCENES[styleRandom.pick(mood.scenes)]
  const [w, h] = isVertical ? [400, 600] : [640, 360]
  const height = Math.round((width * h) / w)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${w} ${h}" role="img"${title === '' ? '' : ` aria-label="${escapeXml(title)}"`}>` +
    `<defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="${palette.ground}"/><stop offset=".75" stop-color="${palette.sky}"/></linearGradient>` +
    `<linearGradient id="d" x2="0" y2="1"><stop stop-color="${palette.ground}" stop-opacity="0"/><stop offset=".55" stop-color="${palette.ground}" stop-opacity=".82"/><stop offset="1" stop-color="${palette.ground}"/></linearGradient></defs>` +
    `<rect width="${w}" height="${h}" fill="url(#s)"/>${scene({ width: w, height: h, palette, random })}` +
    `${title === '' ? '' : drawTitle(title, w, h, isVertical, mood, palette)}</svg>`
  )
}

/** Draws the title at the bottom, over a dark gradient. */
function drawTitle(title: string, w: number, h: number, isVertical: boolean, mood: Mood, palette: Palette): string {
  const margin = isVertical ? 30 : 32
  const { lines, size } = fitText(
    title,
    isVertical ? w - 2 * margin : w * 0.7,
    isVertical ? VERTICAL_SIZES : HORIZONTAL_SIZES,
    isVertical ? 4 : 3,
  )
  const leading = size * 1.12
  const foot = h - margin - size * 0.1
  const top = foot - leading * (lines.length - 1)
  const bar = top - size * 0.98
  const scrim = Math.max(0, bar - 110)
  const texts = lines.map(
    (line, i) => `<text x="${margin}" y="${Math.round(top + i * leading)}">${escapeXml(line)}</text>`,
  )
  return (
    `<rect y="${Math.round(scrim)}" width="${w}" height="${Math.round(h - scrim)}" fill="url(#d)"/>` +
    `<rect x="${margin}" y="${Math.round(bar - 10)}" width="44" height="5" rx="2.5" fill="${palette.second}"/>` +
    `<g fill="${palette.light}" font-family="${FONTS[mood.font]}" font-size="${size}" font-weight="700">${texts.join('')}</g>`
  )
}

/** How shows of a genre look: palettes, scenes and font. */
interface Mood {
  readonly palettes: readonly Palette[]
  readonly scenes: readonly SceneName[]
  readonly font: 'serif' | 'sans' | 'round'
}

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

/** The mood of a genre. */
function genreMood(genre: string): Mood {
  return MOODS[genre] ?? DRAMA
}
