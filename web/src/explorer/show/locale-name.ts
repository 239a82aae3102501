import type { Locale } from 'marquee-client'
import { languageName, regionName } from '../../i18n/formats.ts'

/** Browsers name regions by two letters or by number, the catalog by three letters: those that films are dubbed for. */
const TWO_LETTERS: Readonly<Record<string, string>> = {
  ...{ ARG: 'AR', AUS: 'AU', BEL: 'BE', BRA: 'BR', CAN: 'CA', CHE: 'CH', CHN: 'CN', COL: 'CO', DEU: 'DE', ESP: 'ES' },
  ...{ FRA: 'FR', GBR: 'GB', HKG: 'HK', IND: 'IN', ITA: 'IT', MEX: 'MX', NLD: 'NL', PRT: 'PT', TWN: 'TW', USA: 'US' },
}

/** A language, with the region where that is told: `Spanish (Latin America)`. */
export function localeName({ language, region }: Locale): string {
  const name = languageName(language)
  return region === undefined ? name : `${name} (${regionName(TWO_LETTERS[region] ?? region)})`
}
