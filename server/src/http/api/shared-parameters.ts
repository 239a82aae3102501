import Type from 'typebox'
import { normalizeCountryCode } from '../../model/country.ts'
import { DEFAULT_LANGUAGE, isLanguageCode, OUTPUT_LANGUAGES } from '../../model/language.ts'
import { OFFER_TYPES, type OfferType } from '../../model/offer.ts'
import { isServiceId } from '../../model/service.ts'
import { GRANULARITIES, type Granularity, SHOW_TYPES } from '../../model/show.ts'
import type { CatalogSelector } from '../../query/queries.ts'
import type { ReferenceNames } from '../../render/query-engine.ts'
import { optionalWithDefault, rejectValue } from '../request/parameter-parser.ts'
import { ApiError, quoteValue } from '../response/errors.ts'

/** The country whose catalogs are searched. */
export const country = Type.String({
  pattern: '^[A-Za-z]{2}$',
  description: 'ISO 3166-1 alpha-2 code of the country, in any case.',
  examples: ['us'],
})

export const outputLanguage = optionalWithDefault(
  Type.Enum(OUTPUT_LANGUAGES, {
    type: 'string',
    default: DEFAULT_LANGUAGE,
    description: 'ISO 639-1 code of the language in which names and texts are answered.',
    examples: ['en'],
  }),
)

export const showType = Type.Enum(SHOW_TYPES, {
  type: 'string',
  description: 'Only movies or only series; both if left out.',
  examples: ['movie'],
})

export const catalogs = Type.Array(Type.String(), {
  maxItems: 32,
  description:
    'Catalogs to look in; all of the country if left out. Each is `<service>` (everything on it), ' +
    `\`<service>.<type>\` (type: ${OFFER_TYPES.join(', ')}) or \`<service>.addon.<addon>\`. ` +
    'Ids come from `/countries`.',
  examples: [['netflix', 'prime.rent', 'apple.addon']],
})

export const genres = Type.Array(Type.String(), {
  description: 'Ids of genres, from `/genres`.',
  examples: [['action', 'comedy']],
})

export const cursor = Type.String({
  description: 'The `nextCursor` of the page before, URL-encoded; the other parameters stay the same.',
})

export const orderDirection = (defaults: string) =>
  Type.Enum(['asc', 'desc'], { type: 'string', description: `Direction of the order. ${defaults}` })

/** How much of a series a response holds; the default differs between endpoints. */
export const seriesGranularity = (defaultGranularity: Granularity) =>
  optionalWithDefault(
    Type.Enum(GRANULARITIES, {
      type: 'string',
      default: defaultGranularity,
      description:
        'How much of a series is answered: no seasons, seasons, or seasons with episodes. Movies are not affected.',
    }),
  )

/** The country code as the catalog stores it; rejects a country that the catalog does not have. */
export function resolveCountry(text: string, names: ReferenceNames): string {
  const code = normalizeCountryCode(text)
  if (names.hasCountry(code)) return code
  return rejectValue('country', text, `a country of the catalog: ${[...names.countryCodes()].sort().join(', ')}`)
}

/** Rejects genre ids that do not exist. */
export function resolveGenres(ids: readonly string[], names: ReferenceNames): readonly string[] {
  for (const id of ids) {
    if (names.hasGenre(id)) continue
    const known = [...names.genreIds()].sort().join(', ')
    const message = `The parameter "genres" names ${quoteValue(id)}, which is not a genre; the genres are ${known}.`
    throw new ApiError('invalid_parameter', message, { parameter: 'genres' })
  }
  return ids
}

/** Rejects two-letter language codes that do not exist. */
export function resolveLanguage(code: string): string {
  return isLanguageCode(code)
    ? code
    : rejectValue('show_original_language', code, 'an ISO 639-1 code in lower case, such as en')
}

const offerTypes: ReadonlySet<string> = new Set(OFFER_TYPES)

/**
 * Parses the entries of `catalogs`: a service, a service and an option type, or a service's addon. A service or addon
 * must exist in some country, not necessarily in the requested one: there it just matches nothing.
 */
export function resolveCatalogs(entries: readonly string[], names: ReferenceNames): CatalogSelector[] {
  return entries.map((entry) => {
    const [service = '', type, addon, ...rest] = entry.split('.')
    const isWellFormed =
      isServiceId(service) &&
      (type === undefined || offerTypes.has(type)) &&
      (addon === undefined || (type === 'addon' && isServiceId(addon))) &&
      rest.length === 0
    if (!isWellFormed) {
      throw invalidCatalogError(
        entry,
        `it must be <service>, <service>.<type> or <service>.addon.<addon>, where the type is one of ${OFFER_TYPES.join(', ')}`,
      )
    }
    if (!names.hasService(service)) {
      throw invalidCatalogError(entry, `no country has a service ${quoteValue(service)}; /countries lists the services`)
    }
    if (addon !== undefined && !names.hasAddon(service, addon)) {
      throw invalidCatalogError(
        entry,
        `no country has an addon ${quoteValue(addon)} on ${service}; /countries lists the addons`,
      )
    }
    return {
      service,
      ...(type === undefined ? {} : { type: type as OfferType }),
      ...(addon === undefined ? {} : { addon }),
    }
  })
}

/** Rejects a lower bound above its upper bound. */
export function checkOrder(lowName: string, low: number | undefined, highName: string, high: number | undefined): void {
  if (low === undefined || high === undefined || low <= high) return
  const message = `The parameter "${lowName}" (${low}) is greater than "${highName}" (${high}); it must not be.`
  throw new ApiError('invalid_parameter', message, { parameter: lowName })
}

function invalidCatalogError(entry: string, why: string): ApiError {
  const message = `The parameter "catalogs" has the entry ${quoteValue(entry)}: ${why}.`
  return new ApiError('invalid_parameter', message, { parameter: 'catalogs' })
}
