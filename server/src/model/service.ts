import type { OfferType } from './offer.ts'
import type { LogoSet, ShowType } from './show.ts'
import providerRows from './tmdb-providers.json' with { type: 'json' }

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

/** A provider of TMDB: the service, or the addon of one, that its id stands for. */
export interface ProviderRow {
  readonly id: number
  /** The names that TMDB has used for it. */
  readonly names: readonly string[]
  readonly service: string
  readonly addon?: string
  /** Where another provider of the same name is meant by it; any country without. */
  readonly countries?: readonly string[]
}

/** All known providers. The first row of a service names it. */
export const PROVIDER_ROWS: readonly ProviderRow[] = providerRows

const rowsByService = new Map<string, ProviderRow[]>()
for (const row of PROVIDER_ROWS) {
  const rows = rowsByService.get(row.service)
  if (rows === undefined) rowsByService.set(row.service, [row])
  else rows.push(row)
}

/** The ids that a service has at TMDB in a country, ascending; none if the table lacks it. */
export function findTmdbProviderIds(service: string, country: string): number[] {
  return (rowsByService.get(service) ?? [])
    .filter(({ addon, countries }) => addon === undefined && countries?.includes(country) !== false)
    .map(({ id }) => id)
    .sort((a, b) => a - b)
}
