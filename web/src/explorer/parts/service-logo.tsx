import type { ServiceInfo } from 'marquee-client'
import { ownImageAddress } from '../../data/own-address.ts'
import { useBrokenImage } from './use-broken-image.ts'
import './service-logo.css'

/**
 * The logo of a service or an addon, for light or dark ground. Where there is none, its name. Its room is the same
 * whatever its shape, so that nothing moves when it comes.
 */
export function ServiceLogo({ service }: { service: Pick<ServiceInfo, 'name' | 'imageSet'> }) {
  const { isBroken, ...watched } = useBrokenImage()
  const light = ownImageAddress(service.imageSet.lightThemeImage)
  const dark = ownImageAddress(service.imageSet.darkThemeImage)
  if (light === undefined || isBroken) return <span class="service-name">{service.name}</span>
  return (
    <picture class="service-logo">
      {dark !== undefined && <source srcset={dark} media="(prefers-color-scheme: dark)" />}
      <img src={light} alt={service.name} width={104} height={24} loading="lazy" {...watched} />
    </picture>
  )
}
