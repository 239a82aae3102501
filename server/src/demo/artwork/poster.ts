import { hashText, Random } from '../random.ts'
import { genreMood, type Mood, type Palette } from './palettes.ts'
import { SCENES } from './scenes.ts'
import { escapeXml, fitText } from './svg-text.ts'

/** What is drawn: a poster, or a backdrop where the title is empty. */
export interface PosterSubject {
  readonly id: string
  readonly genre: string
  readonly isVertical: boolean
  /** In pixels; the height follows from the shape. */
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

/** A picture of the show as SVG: the same for the same id and genre, whatever the width. */
export function drawPoster({ id, genre, isVertical, width, title }: PosterSubject): string {
  const mood = genreMood(genre)
  const random = new Random(hashText(id), isVertical ? 1 : 2)
  // Drawn apart from the scene, so that all images of a show share their colours and their motif.
  const taste = new Random(hashText(id), 3)
  const palette = taste.pick(mood.palettes)
  const scene = SCENES[taste.pick(mood.scenes)]
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

/** The title at the foot, on ground dark enough to read it. */
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
