import type { DemoBrand } from './services.ts'
import { escapeXml, estimatedWidth } from './svg-text.ts'

/** On light ground, on dark ground, and all in white. */
export const LOGO_THEMES = ['light', 'dark', 'white'] as const
export type LogoTheme = (typeof LOGO_THEMES)[number]

const FONT = "Inter,'Helvetica Neue',Arial,'Noto Sans',sans-serif"

/** A plain wordmark with a monogram. It stands in for a brand's logo and does not imitate it. */
export function drawLogo(brand: DemoBrand, theme: LogoTheme): string {
  const width = Math.ceil(72 + estimatedWidth(brand.name) * 33)
  const name = escapeXml(brand.name)
  const initial = escapeXml([...brand.name][0] ?? '')
  const color = theme === 'dark' ? readableOnDark(brand.color) : brand.color
  const ink = theme === 'light' ? '#17171c' : '#fff'
  const badge =
    theme === 'white'
      ? '<rect x="5.5" y="9.5" width="45" height="45" rx="13" fill="none" stroke="#fff" stroke-width="3"/>'
      : `<rect x="4" y="8" width="48" height="48" rx="14" fill="${color}"/><path d="M4 38C16 30 34 48 52 36V42A14 14 0 0 1 38 56H18A14 14 0 0 1 4 42Z" fill="#fff" fill-opacity=".16"/>`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="64" viewBox="0 0 ${width} 64" role="img" aria-label="${name}">` +
    `${badge}<g font-family="${FONT}" font-weight="700"><text x="28" y="42" text-anchor="middle" font-size="28" fill="${theme === 'white' ? '#fff' : inkOn(color)}">${initial}</text>` +
    `<text x="64" y="43" font-size="32" letter-spacing="-.5" fill="${ink}">${name}</text></g></svg>`
  )
}

/** Black or white, whichever reads better on the colour. */
export function inkOn(color: string): string {
  return luminance(color) > 0.42 ? '#17171c' : '#fff'
}

function readableOnDark(color: string): string {
  if (luminance(color) > 0.06) return color
  return `#${channels(color)
    .map((value) =>
      Math.round(value + (255 - value) * 0.32)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = channels(color).map((value) => (value / 255) ** 2.2)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}
