import type { LogoSet } from './image.ts'
import type { OfferType } from './offer.ts'
import type { ShowType } from './show.ts'

/** Name, home page, colour and logos of a service or an addon. */
export interface Brand {
  readonly name: string
  readonly homePage: string
  readonly themeColorCode: string
  readonly imageSet: LogoSet
  /** The name in other languages, where it differs. */
  readonly names?: Readonly<Record<string, string>>
}

/** A channel that is subscribed to through a service. */
export interface Addon extends Brand {
  readonly id: string
}

/** A service as it is in one country. */
export interface ServiceInCountry extends Brand {
  readonly optionTypes: readonly OfferType[]
  readonly addons: readonly Addon[]
}

/** A streaming service: one id for all countries; brand, option types and addons by country. */
export interface Service {
  readonly id: string
  /** Whether the service publishes an official top list. */
  readonly hasTopList: boolean
  /** Whether the service announces upcoming offers. */
  readonly hasUpcoming: boolean
  /** The fallback for countries without an entry of their own. */
  readonly everywhere?: ServiceInCountry
  readonly countries: Readonly<Record<string, ServiceInCountry>>
}

/** Whether the text can be the id of a service: dots separate it from the rest of an entry of `catalogs`. */
export function isServiceId(id: string): boolean {
  return /^[a-z0-9_-]{1,64}$/i.test(id)
}

/** Whether the text can be the id of an addon. It is the last part of an entry of `catalogs`, so it may hold dots. */
export function isAddonId(id: string): boolean {
  return /^[a-z0-9_-](?:[a-z0-9._-]{0,62}[a-z0-9_-])?$/i.test(id)
}

export function isThemeColor(code: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(code)
}

const TOP_LIST_SERVICES: ReadonlySet<string> = new Set(['netflix', 'prime', 'disney', 'apple', 'hbo'])
const UPCOMING_SERVICES: ReadonlySet<string> = new Set([...TOP_LIST_SERVICES, 'mubi'])

/** The flags of a service whose record states none. */
export function defaultServiceFlags(id: string): Pick<Service, 'hasTopList' | 'hasUpcoming'> {
  return { hasTopList: TOP_LIST_SERVICES.has(id), hasUpcoming: UPCOMING_SERVICES.has(id) }
}

/** A service's official list of shows in a country, in rank order, by show id. */
export interface TopList {
  readonly country: string
  readonly service: string
  readonly showType: ShowType
  readonly shows: readonly string[]
}
