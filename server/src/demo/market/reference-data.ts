import type { OfferType } from '../../model/offer.ts'
import countryData from '../data/countries.json' with { type: 'json' }
import serviceData from '../data/services.json' with { type: 'json' }

/** A country of the demo: an entry of `data/countries.json`. */
export interface DemoCountry {
  readonly code: string
  readonly currency: string
  /** Price of an item in the local currency, for each US dollar of its US price. */
  readonly priceLevel: number
  /** Language of dubs and subtitles, ISO 639-2/3, and its region where one is usually given. */
  readonly language: string
  readonly region?: string
  /** Service ids, most popular first. */
  readonly services: readonly string[]
}

/** An addon of the demo: an entry of `data/services.json`. */
interface DemoAddon {
  readonly id: string
  readonly name: string
  readonly color: string
  /** The service whose catalog the addon has, if it is one of the demo. */
  readonly sells?: string
}

/** A service of the demo: an entry of `data/services.json`. Names and colours resemble the real ones. */
export interface DemoService {
  readonly id: string
  readonly name: string
  readonly color: string
  readonly types: readonly OfferType[]
  readonly hasTopList?: true
  readonly hasUpcoming?: true
  readonly addons?: readonly string[]
  /** The name by language, where it differs. */
  readonly names?: Readonly<Record<string, string>>
  readonly countries?: Readonly<Record<string, DemoServiceOverrides>>
}

/** Overrides of a service's properties in one country. */
interface DemoServiceOverrides {
  readonly name?: string
  readonly color?: string
  readonly types?: readonly OfferType[]
  readonly addons?: readonly string[]
  readonly names?: Readonly<Record<string, string>>
}

/** The name and colour of a service or an addon, for its logo and its page. */
export interface DemoBrand {
  readonly name: string
  readonly color: string
  /** The name of the service that sells the addon. */
  readonly through?: string
}

/** The countries of the demo. A demo of N countries takes the first N, by default all. */
export const DEMO_COUNTRIES: readonly DemoCountry[] = countryData

/** Every addon of the demo by id. */
export const DEMO_ADDONS: ReadonlyMap<string, DemoAddon> = new Map(serviceData.addons.map((addon) => [addon.id, addon]))

/** Every service of the demo. */
export const DEMO_SERVICES = serviceData.services as unknown as readonly DemoService[]

const servicesById: ReadonlyMap<string, DemoService> = new Map(DEMO_SERVICES.map((service) => [service.id, service]))

/** Gets a service that is known to exist. */
export function requireService(id: string): DemoService {
  const service = servicesById.get(id)
  if (service === undefined) throw new Error(`The demo has no service "${id}".`)
  return service
}

/** Finds the brand of a service, as it is in a country if one is given, or of one of the addons. */
export function findBrand(id: string, where: { country?: string; addon?: string }): DemoBrand | undefined {
  const service = servicesById.get(id)
  if (service === undefined) return undefined
  if (where.addon !== undefined) {
    const addon = DEMO_ADDONS.get(where.addon)
    return addon && { name: addon.name, color: addon.color, through: service.name }
  }
  const overrides = where.country === undefined ? undefined : service.countries?.[where.country]
  return { name: overrides?.name ?? service.name, color: overrides?.color ?? service.color }
}
