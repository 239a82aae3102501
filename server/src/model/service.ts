import type { LogoSet } from './image.ts'
import type { OfferType } from './offer.ts'

/** What a service or an addon shows of itself. */
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

/** A streaming service: the same id everywhere, its looks and its addons per country. */
export interface Service {
  readonly id: string
  /** Whether the service publishes an official top list. */
  readonly hasTopList: boolean
  /** Whether its upcoming offers are known. */
  readonly hasUpcoming: boolean
  /** How the service looks in a country that nothing else is said about. */
  readonly everywhere?: ServiceInCountry
  readonly countries: Readonly<Record<string, ServiceInCountry>>
}

/** Whether the text can be the id of a service or an addon: it must survive the `catalogs` syntax. */
export function isServiceId(id: string): boolean {
  return /^[a-z0-9_-]{1,64}$/i.test(id)
}

export function isThemeColor(code: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(code)
}

const KNOWN_TO_HAVE_TOP_LISTS: ReadonlySet<string> = new Set(['netflix', 'prime', 'disney', 'apple', 'hbo'])
const KNOWN_TO_HAVE_UPCOMING: ReadonlySet<string> = new Set([...KNOWN_TO_HAVE_TOP_LISTS, 'mubi'])

/** The flags of a service that a feed mentions without saying anything about them. */
export function defaultFlags(id: string): Pick<Service, 'hasTopList' | 'hasUpcoming'> {
  return { hasTopList: KNOWN_TO_HAVE_TOP_LISTS.has(id), hasUpcoming: KNOWN_TO_HAVE_UPCOMING.has(id) }
}
