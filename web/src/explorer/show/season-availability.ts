import { offersIn, type Season, type ServiceInfo } from 'marquee-client'

/** How much of a season a service has. */
export interface Share {
  readonly episodes: number
  readonly of: number
}

/** Which season is on which service: a row for each season, with a share for each of the services. */
export interface SeasonAvailability {
  readonly services: readonly ServiceInfo[]
  readonly rows: readonly { readonly season: Season; readonly shares: readonly Share[] }[]
}

/** Reads off the seasons of a series what each service has of them in a country. */
export function seasonAvailability(seasons: readonly Season[], country: string): SeasonAvailability {
  const services = new Map<string, ServiceInfo>()
  for (const season of seasons) {
    for (const item of [season, ...(season.episodes ?? [])]) {
      for (const { service } of offersIn(item, country)) services.set(service.id, service)
    }
  }
  const ids = [...services.keys()]
  const rows = seasons.map((season) => ({ season, shares: ids.map((id) => shareOf(season, id, country)) }))
  return { services: [...services.values()], rows }
}

function shareOf(season: Season, service: string, country: string): Share {
  const has = (item: Pick<Season, 'streamingOptions'>) =>
    offersIn(item, country).some((offer) => offer.service.id === service)
  const episodes = season.episodes ?? []
  const found = episodes.filter(has).length
  // Some sources tell seasons only. A season that is there counts as whole then.
  if (found === 0 && has(season)) return { episodes: Math.max(1, episodes.length), of: Math.max(1, episodes.length) }
  return { episodes: found, of: episodes.length }
}
