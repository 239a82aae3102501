import { normalizeCountryCode } from '../model/country.ts'
import { isLanguageCode } from '../model/language.ts'
import { OFFER_TYPES, type OfferType } from '../model/offer.ts'
import { isServiceId } from '../model/service.ts'
import type { CatalogSelector } from '../query/queries.ts'
import type { KnownNames } from '../render/answers.ts'
import { ApiError, quoted } from './errors.ts'
import { refuse } from './parameters.ts'

/** The country in the form in which the catalog keeps it; one that the catalog does not hold is refused. */
export function knownCountry(text: string, names: KnownNames): string {
  const code = normalizeCountryCode(text)
  if (names.hasCountry(code)) return code
  return refuse('country', text, `a country of the catalog: ${[...names.countryCodes()].sort().join(', ')}`)
}

/** The genre ids, each of which must exist. */
export function knownGenres(ids: readonly string[], names: KnownNames): readonly string[] {
  for (const id of ids) {
    if (names.hasGenre(id)) continue
    const known = [...names.genreIds()].sort().join(', ')
    const message = `The parameter "genres" names ${quoted(id)}, which is not a genre; the genres are ${known}.`
    throw new ApiError('invalid_parameter', message, { parameter: 'genres' })
  }
  return ids
}

/** The two-letter language code, which must exist. */
export function knownLanguage(code: string): string {
  return isLanguageCode(code)
    ? code
    : refuse('show_original_language', code, 'an ISO 639-1 code in lower case, such as en')
}

const offerTypes: ReadonlySet<string> = new Set(OFFER_TYPES)

/**
 * Entries of `catalogs`: a service, a service and an option type, or a service's addon. A service or an addon must
 * exist somewhere, though not in the country that is asked about: a catalog that a country lacks just matches nothing.
 */
export function knownCatalogs(entries: readonly string[], names: KnownNames): CatalogSelector[] {
  return entries.map((entry) => {
    const [service = '', type, addon, ...rest] = entry.split('.')
    const shaped =
      isServiceId(service) &&
      (type === undefined || offerTypes.has(type)) &&
      (addon === undefined || (type === 'addon' && isServiceId(addon))) &&
      rest.length === 0
    if (!shaped) {
      throw badCatalog(
        entry,
        `it must be <service>, <service>.<type> or <service>.addon.<addon>, where the type is one of ${OFFER_TYPES.join(', ')}`,
      )
    }
    if (!names.hasService(service)) {
      throw badCatalog(entry, `no country has a service ${quoted(service)}; /countries lists the services`)
    }
    if (addon !== undefined && !names.hasAddon(service, addon)) {
      throw badCatalog(entry, `no country has an addon ${quoted(addon)} on ${service}; /countries lists the addons`)
    }
    return {
      service,
      ...(type === undefined ? {} : { type: type as OfferType }),
      ...(addon === undefined ? {} : { addon }),
    }
  })
}

/** Refuses a lower bound above its upper bound. */
export function inOrder(lowName: string, low: number | undefined, highName: string, high: number | undefined): void {
  if (low === undefined || high === undefined || low <= high) return
  const message = `The parameter "${lowName}" (${low}) is greater than "${highName}" (${high}); it must not be.`
  throw new ApiError('invalid_parameter', message, { parameter: lowName })
}

function badCatalog(entry: string, why: string): ApiError {
  const message = `The parameter "catalogs" has the entry ${quoted(entry)}: ${why}.`
  return new ApiError('invalid_parameter', message, { parameter: 'catalogs' })
}
