import type { Service, StreamingOption } from 'marquee-client'

/** The ids of the services that the viewer has; empty if the viewer has named none. */
export type OwnServices = ReadonlySet<string>

/** The most entries that the API takes. */
const MAX_CATALOGS = 32

/** Whether an offer costs the viewer nothing more: it is free, or part of a service that the viewer has. */
export function isIncluded({ type, service }: Pick<StreamingOption, 'type' | 'service'>, own: OwnServices): boolean {
  return type === 'free' || (type === 'subscription' && own.has(service.id))
}

/**
 * The catalogs of a country that cost the viewer nothing more, in the notation of the API. Empty, for all catalogs, if the
 * viewer has none of the country's services.
 */
export function includedCatalogs(services: readonly IncludedService[] | undefined, own: OwnServices): string[] {
  if (services === undefined || !services.some(({ id }) => own.has(id))) return []
  const catalogs = services.flatMap(({ id, streamingOptionTypes: types }) => [
    ...(own.has(id) && types.subscription ? [`${id}.subscription`] : []),
    ...(types.free ? [`${id}.free`] : []),
  ])
  // What the viewer has comes first, should there be too many.
  return catalogs
    .sort((a, b) => Number(b.endsWith('.subscription')) - Number(a.endsWith('.subscription')))
    .slice(0, MAX_CATALOGS)
}

type IncludedService = Pick<Service, 'id' | 'streamingOptionTypes'>
