import type { ServiceInfo, StreamingOption } from 'marquee-client'
import { useApp, useReusable } from '../../app/context.ts'
import { safeImageUrl } from '../../components/safe-url.tsx'
import { useBrokenImage } from './poster.tsx'
import './service-logo.css'

/**
 * The logo of a service or an addon, in the light or dark theme, or its name. Its box has a fixed size, so that the layout
 * does not shift when it loads.
 */
export function ServiceLogo({ service }: { service: Pick<ServiceInfo, 'name' | 'imageSet'> }) {
  const { isBroken, ...watched } = useBrokenImage()
  const light = safeImageUrl(service.imageSet.lightThemeImage)
  const dark = safeImageUrl(service.imageSet.darkThemeImage)
  // The viewer may have chosen other colours than those of the system.
  const { theme } = useApp().catalog.preferences ?? {}
  if (light === undefined || isBroken) return <span class="service-name">{service.name}</span>
  return (
    <picture class="service-logo">
      {dark !== undefined && theme === undefined && <source srcset={dark} media="(prefers-color-scheme: dark)" />}
      <img
        src={theme === 'dark' ? (dark ?? light) : light}
        alt={service.name}
        width={104}
        height={24}
        loading="lazy"
        {...watched}
      />
    </picture>
  )
}

/** The services of some offers, without duplicates, as small marks. */
export function ServiceLogos({ offers, max = 4 }: { offers: readonly StreamingOption[]; max?: number }) {
  const services = new Map<string, ServiceInfo>()
  for (const { service } of offers) services.set(service.id, service)
  if (services.size === 0) return null
  const shown = [...services.values()]
  return (
    <ul class="service-logos">
      {shown.slice(0, max).map((service) => (
        <li key={service.id}>
          <ServiceMark service={service} />
        </li>
      ))}
      {shown.length > max && <li class="soft">+{shown.length - max}</li>}
    </ul>
  )
}

/**
 * Initials of a service on its colour, where a logo would be too small to read. It is an SVG, since the content security
 * policy allows no inline styles.
 */
export function ServiceMark({ service }: { service: Pick<ServiceInfo, 'name' | 'themeColorCode'> }) {
  const { name, themeColorCode } = service
  return useReusable(`mark ${themeColorCode} ${name}`, () => {
    const ground = safeColor(themeColorCode)
    return (
      <svg class="service-mark" viewBox="0 0 26 26" role="img" aria-label={name}>
        <title>{name}</title>
        <rect width="26" height="26" rx="6" fill={ground} />
        <text x="13" y="13" dy="0.36em" text-anchor="middle" fill={contrastColor(ground)}>
          {initials(name)}
        </text>
      </svg>
    )
  })
}

/** The initials of the first two words, or the first two letters of a single word. */
function initials(name: string): string {
  const [first = '', second] = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const letters = [...first]
  return second === undefined ? letters.slice(0, 2).join('') : `${letters[0]}${[...second][0]}`
}

/** Black or white, whichever has more contrast. */
function contrastColor(color: string): string {
  const channels = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16) / 255))
  const [red = 0, green = 0, blue = 0] = channels
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return luminance > 0.179 ? '#000' : '#fff'
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

/** A colour of the catalog, or a neutral one if it is invalid. */
function safeColor(code: string): string {
  return /^#[0-9a-f]{6}$/i.test(code) ? code : '#6b645b'
}
