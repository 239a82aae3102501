import type { Catalog } from '../catalog/catalog.ts'
import type { ConnectorOption, GivenOptions } from './connector.ts'
import { countryOf } from './region-codes.ts'

/** The option of connectors whose format can leave open which countries an offer is for. */
export const COUNTRIES_OPTION: ConnectorOption = {
  value: 'codes',
  description: 'countries that are meant where the feed names none, such as us,gb; otherwise those of the catalog',
  refuse: (codes) => (codesIn(codes).every((code) => countryOf(code)) ? undefined : 'country codes such as us,gb'),
}

/** The countries that are meant where a source names none. */
export function countriesMeant({ countries }: GivenOptions, catalog: Catalog): string[] {
  if (typeof countries !== 'string') return Object.keys(catalog.reference().countries).sort()
  return codesIn(countries).flatMap((code) => countryOf(code) ?? [])
}

function codesIn(codes: string): string[] {
  return codes.split(',').map((code) => code.trim())
}
