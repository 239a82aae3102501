import type { ServiceInfo, StreamingOption } from 'marquee-client'
import { ServiceMark } from './service-mark.tsx'
import './service-logos.css'

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
