import type { DemoBrand } from '../market/reference-data.ts'
import { escapeXml, estimateWidth } from './svg-text.ts'

/** For a light background, for a dark background, and white only. */
export const LOGO_THEMES = ['light', 'dark', 'white'] as const
export type LogoTheme = (typeof LOGO_THEMES)[number]

const LOGO_FONT = "Inter,'Helvetica Neue',Arial,'Noto Sans',sans-serif"

/** Draws a wordmark with a monogram. It replaces the brand's logo and does not imitate it. */
export function drawLogo(brand: DemoBrand, theme: LogoTheme): string {
  // A fixed length: the fonts of some machines are wider than the estimate.
  const nameWidth = Math.ceil(estimateWidth(brand.name) * 33)
  const width = 72 + nameWidth
  const name = escapeXml(brand.name)
  const initial = escapeXml([...brand.name][0] ?? '')
  const color = theme === 'dark' ? lightenForDark(brand.color) : brand.color
  const ink = theme === 'light' ? '#17171c' : '#fff'
  const badge =
    theme === 'white'
      ? '<rect x="5.5" y="9.5" width="45" height="45" rx="13" fill="none" stroke="#fff" stroke-width="3"/>'
      : `<rect x="4" y="8" width="48" height="48" rx="14" fill="${color}"/><path d="M4 38C16 30 34 48 52 36V42A14 14 0 0 1 38 56H18A14 14 0 0 1 4 42Z" fill="#fff" fill-opacity=".16"/>`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="64" viewBox="0 0 ${width} 64" role="img" aria-label="${name}">` +
    `${badge}<g font-family="${LOGO_FONT}" font-weight="700"><text x="28" y="42" text-anchor="middle" font-size="28" fill="${theme === 'white' ? '#fff' : contrastingInk(color)}">${initial}</text>` +
    `<text x="64" y="43" font-size="32" textLength="${nameWidth}" lengthAdjust="spacingAndGlyphs" fill="${ink}">${name}</text></g></svg>`
  )
}

/** Black or white, whichever has more contrast on the colour. */
function contrastingInk(color: string): string {
  return luminance(color) > 0.42 ? '#17171c' : '#fff'
}

function lightenForDark(color: string): string {
  if (luminance(color) > 0.06) return color
  return `#${parseChannels(color)
    .map((value) =>
      Math.round(value + (255 - value) * 0.32)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = parseChannels(color).map((value) => (value / 255) ** 2.2)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function parseChannels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}

/** The target of a demo link: a show, a season or an episode. */
interface WatchSubject {
  readonly id: string
  readonly title: string
  readonly season?: string
  readonly episode?: string
  readonly isVideo: boolean
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' })

const PAGE_STYLE =
  ':root{color-scheme:light dark;--bg:#f4f2ee;--card:#fff;--ink:#1b1b20;--soft:#66656e;--line:#e3e0da}' +
  '@media(prefers-color-scheme:dark){:root{--bg:#121216;--card:#1d1d23;--ink:#f2f1ee;--soft:#a3a2ad;--line:#303038}}' +
  '*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--bg);' +
  "color:var(--ink);font:16px/1.55 Inter,'Helvetica Neue',Arial,'Noto Sans',sans-serif}" +
  'main{width:100%;max-width:520px;background:var(--card);border:1px solid var(--line);border-radius:20px;overflow:hidden;box-shadow:0 18px 50px rgb(0 0 0/.12)}' +
  'header{padding:22px 28px;display:flex;align-items:center;justify-content:space-between;gap:16px;font-weight:700;font-size:20px}' +
  'header small{font-weight:600;font-size:13px;opacity:.85}' +
  'section{padding:26px 28px 30px}h1{margin:0 0 4px;font-size:30px;line-height:1.2;overflow-wrap:anywhere}' +
  'p{margin:0;color:var(--soft)}.part{font-weight:600}.note{margin-top:22px;padding-top:18px;border-top:1px solid var(--line)}'

/** Renders the page of a demo link. It states that the link is invented. */
export function renderWatchPage(brand: DemoBrand, country?: string, subject?: WatchSubject): string {
  const name = escapeXml(brand.name)
  const place = country === undefined ? '' : escapeXml(countryNames.of(country.toUpperCase()) ?? country)
  const through = brand.through === undefined ? place : `through ${escapeXml(brand.through)}`
  const title = subject === undefined ? name : escapeXml(subject.title)
  const part = subject === undefined ? '' : partTitle(subject)
  const what = subject === undefined ? 'home page' : subject.isVideo ? 'video link' : 'link'
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<meta name="robots" content="noindex"><title>${title} · ${name} · demo</title><style>${PAGE_STYLE}</style></head><body><main>` +
    `<header style="background:${brand.color};color:${contrastingInk(brand.color)}"><span>${name}</span><small>${through}</small></header>` +
    `<section><h1>${title}</h1>${part === '' ? '' : `<p class="part">${part}</p>`}` +
    `<p class="note">This is an invented ${what} of the demo catalog, whose availability says nothing about the real one. Nothing can be watched here, and this page does not belong to ${name}.</p>` +
    '</section></main></body></html>'
  )
}

function partTitle({ season, episode }: WatchSubject): string {
  if (season === undefined) return ''
  return episode === undefined ? `Season ${season}` : `Season ${season}, episode ${episode}`
}
