import type { ServiceInfo, StreamingOption } from 'marquee-client'
import { safeImageUrl } from '../../components/safe-url.tsx'
import { useBrokenImage } from './poster.tsx'
import './service-logo.css'

/**
 * The logo of a service or an addon, for light or dark ground. Where there is none, its name. Its room is the same
 * whatever its shape, so that nothing moves when it comes.
 */
export function ServiceLogo({ service }: { service: Pick<ServiceInfo, 'name' | 'imageSet'> }) {
  const { isBroken, ...watched } = useBrokenImage()
  const light = safeImageUrl(service.imageSet.lightThemeImage)
  const dark = safeImageUrl(service.imageSet.darkThemeImage)
  if (light === undefined || isBroken) return <span class="service-name">{service.name}</span>
  return (
    <picture class="service-logo">
      {dark !== undefined && <source srcset={dark} media="(prefers-color-scheme: dark)" />}
      <img src={light} alt={service.name} width={104} height={24} loading="lazy" {...watched} />
    </picture>
  )
}

/** The services that offer something, each once, as small marks. */
export function ServiceLogos({ offers, most = 4 }: { offers: readonly StreamingOption[]; most?: number }) {
  const services = new Map<string, ServiceInfo>()
  for (const { service } of offers) services.set(service.id, service)
  if (services.size === 0) return null
  const shown = [...services.values()]
  return (
    <ul class="service-logos">
      {shown.slice(0, most).map((service) => (
        <li key={service.id}>
          <ServiceMark service={service} />
        </li>
      ))}
      {shown.length > most && <li class="soft">+{shown.length - most}</li>}
    </ul>
  )
}

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
        {initials(service.name)}
      </text>
    </svg>
  )
}

/** The initials of the first two words, or the first two letters of a single one: one letter alone fits too many. */
function initials(name: string): string {
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

/** A colour as the catalog has it, or a quiet one where it is not a colour. */
export function safeColor(code: string): string {
  return /^#[0-9a-f]{6}$/i.test(code) ? code : '#6b645b'
}
