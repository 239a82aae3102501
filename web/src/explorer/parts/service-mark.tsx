import type { ServiceInfo } from 'marquee-client'
import { safeColor } from './safe-color.ts'

/**
 * Two letters of a service on its colour: where its logo would be too wide to read. It is drawn, since the policy of the
 * pages allows no styles in HTML, and this has its colours from there too.
 */
export function ServiceMark({ service }: { service: Pick<ServiceInfo, 'name' | 'themeColorCode'> }) {
  const ground = safeColor(service.themeColorCode)
  return (
    <svg class="service-mark" viewBox="0 0 26 26" role="img" aria-label={service.name}>
      <title>{service.name}</title>
      <rect width="26" height="26" rx="6" fill={ground} />
      <text x="13" y="13" dy="0.36em" text-anchor="middle" fill={inkOn(ground)}>
        {lettersOf(service.name)}
      </text>
    </svg>
  )
}

/** The initials of the first two words, or the first two letters of a single one: one letter alone fits too many. */
function lettersOf(name: string): string {
  const [first = '', second] = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const letters = [...first]
  return second === undefined ? letters.slice(0, 2).join('') : `${letters[0]}${[...second][0]}`
}

/** Black or white, whichever stands out more from a colour. */
function inkOn(color: string): string {
  const channels = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16) / 255))
  const [red = 0, green = 0, blue = 0] = channels
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return luminance > 0.179 ? '#000' : '#fff'
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}
