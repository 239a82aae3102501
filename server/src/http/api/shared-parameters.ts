import Type from '../../lib/json-schema.ts'
import { suggestName } from '../../lib/text/edit-distance.ts'
import { countryName, isoCountryCode, normalizeCountryCode } from '../../model/country.ts'
import { DEFAULT_LANGUAGE, isLanguageCode, OUTPUT_LANGUAGES } from '../../model/language.ts'
import { OFFER_TYPES, type OfferType } from '../../model/offer.ts'
import { isAddonId, isServiceId } from '../../model/service.ts'
import {
  GRANULARITIES,
  type Granularity,
  ITEM_TYPES,
  isImdbId,
  isShowId,
  isTmdbId,
  SHOW_TYPES,
} from '../../model/show.ts'
import type { CatalogSelector } from '../../query/queries.ts'
import type { ReferenceNames } from '../../render/query-engine.ts'
import { ApiError, quoteValue } from '../exchange/errors.ts'
import { optionalWithDefault, rejectValue } from '../request/parameter-parser.ts'
import { type EndpointContext, omitUndefined } from './endpoint.ts'

/** The country whose catalogs are searched. */
export const country = Type.String({
  pattern: '^[A-Za-z]{2}$',
  description: 'ISO 3166-1 alpha-2 code of the country, in any case.',
  examples: ['us'],
})

/** The most countries of one request. */
const MAX_COUNTRIES = 10

/** In place of a list: all countries of the catalog. */
const ANY_COUNTRY = 'any'

/** One country or several of them. A text, not an array, since a single country is by far the most common. */
const countryList = (description: string) =>
  Type.String({
    pattern: '^[ ,]*([Aa][Nn][Yy]|[A-Za-z]{2}( *,[ ,]*[A-Za-z]{2})*)[ ,]*$',
    description,
    examples: ['us'],
    'x-expected': `a code of two letters, such as us, a list of up to ${MAX_COUNTRIES} of them, such as us,gb, or ${ANY_COUNTRY}`,
  })

/** The countries whose catalogs are searched. `addition` is what the description ends with. */
export const countries = (addition = '') =>
  countryList(
    `ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to ${MAX_COUNTRIES} of them, such as \`us,gb,de\`; or ` +
      `\`any\` for all countries. With several, a show must be in one of them, and has the options of just those.${addition}`,
  )

/** The countries whose changes are answered. */
export const changeCountries = countryList(
  `ISO 3166-1 alpha-2 code of the country, in any case; or a list of up to ${MAX_COUNTRIES} of them, such as \`us,gb,de\`; or ` +
    '`any` for all countries. With a list of several or `any`, each change says its `country`, and shows have the options ' +
    'of just those countries.',
)

/** The countries whose options are answered; all if it is left out. */
export const optionCountries = Type.Optional(
  countryList(
    `Only the options of this country (ISO 3166-1 alpha-2), or of up to ${MAX_COUNTRIES}, such as \`us,gb,de\`. \`any\` is the ` +
      'same as leaving it out.',
  ),
)

export const outputLanguage = optionalWithDefault(
  Type.Enum(OUTPUT_LANGUAGES, {
    type: 'string',
    default: DEFAULT_LANGUAGE,
    description: 'ISO 639-1 code of the language in which names and texts are answered, in any case.',
    examples: ['en'],
    'x-case-insensitive': true,
  }),
)

export const showType = Type.Enum(SHOW_TYPES, {
  type: 'string',
  description: 'Only movies or only series; both if left out.',
  examples: ['movie'],
})

/** What changes happened to. */
export const changedItemTypes = Type.Array(Type.Enum(ITEM_TYPES, { type: 'string' }), {
  minItems: 1,
  description: 'What it happened to (`show`, `season`, `episode`); one or several.',
  examples: [['show']],
})

export const catalogs = Type.Array(Type.String(), {
  maxItems: 32,
  description:
    'Catalogs to look in; all of the country if left out. Each is `<service>` (everything on it), ' +
    `\`<service>.<type>\` (type: ${OFFER_TYPES.join(', ')}) or \`<service>.addon.<addon>\`. ` +
    'Ids come from `/countries`; one that the country does not have matches nothing.',
  examples: [['netflix', 'prime.rent', 'apple.addon']],
})

export const genres = Type.Array(Type.String(), {
  description: 'Ids of genres, from `/genres`.',
  examples: [['action', 'comedy']],
})

/** The most ids of one request. */
const MAX_IDS = 100

/** Ids of shows, of any kind. `which` is what the description begins with. */
export const ids = (which = '') =>
  Type.Array(Type.String(), {
    minItems: 1,
    maxItems: MAX_IDS,
    description: `${which}Up to ${MAX_IDS} ids of any kind: of the show itself, IMDb ids (\`tt…\`), TMDB ids (\`movie/…\`, \`tv/…\`).`,
    examples: [['tt0068646', 'movie/155', 'tv/1396']],
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
  const hint = isoCodeHint(code)
  const known = `a country of the catalog: ${[...names.countryCodes()].sort().join(', ')}`
  return rejectValue('country', text, hint === undefined ? known : `${known}; ${hint}`)
}

/** The codes of one country or several, without repeats; of all countries of the catalog for `any`. */
export function resolveCountries(text: string, names: ReferenceNames): readonly string[] {
  if (text.length === 2) return [resolveCountry(text, names)]
  const entries = text.split(',').flatMap((entry) => entry.trim() || [])
  if (entries.some((entry) => entry.toLowerCase() === ANY_COUNTRY)) return [...names.countryCodes()]
  const codes = [...new Set(entries.map((entry) => resolveCountry(entry, names)))]
  if (codes.length <= MAX_COUNTRIES) return codes
  const message = `The parameter "country" has ${codes.length} entries; it may have at most ${MAX_COUNTRIES}, or be ${ANY_COUNTRY}.`
  throw new ApiError('invalid_parameter', message, { parameter: 'country' })
}

/** The same; undefined for all countries. */
export function resolveOptionCountries(text: string | undefined, names: ReferenceNames): readonly string[] | undefined {
  return text === undefined || isAnyCountry(text) ? undefined : resolveCountries(text, names)
}

/** Whether a value of `country` is `any`. */
export function isAnyCountry(text: string): boolean {
  return text.replaceAll(/[ ,]/g, '').toLowerCase() === ANY_COUNTRY
}

/** Explains a code of another standard that means a country; undefined for all other codes. */
export function isoCodeHint(code: string): string | undefined {
  const isoCode = isoCountryCode(code)
  if (isoCode === undefined) return undefined
  const name = countryName({ code: isoCode, names: {}, services: [] }, DEFAULT_LANGUAGE)
  return `the ISO 3166-1 code for ${name} is ${isoCode}`
}

/** Rejects genre ids that do not exist. */
export function resolveGenres(
  ids: readonly string[],
  names: ReferenceNames,
  parameter: 'genres' | 'exclude_genres' = 'genres',
): readonly string[] {
  for (const id of ids) {
    if (names.hasGenre(id)) continue
    const known = [...names.genreIds()].sort().join(', ')
    const message = `The parameter "${parameter}" names ${quoteValue(id)}, which is not a genre; the genres are ${known}.`
    throw new ApiError('invalid_parameter', message, { parameter })
  }
  return ids
}

export const ID_FORMS = 'an id is a number, tt<number>, movie/<number> or tv/<number>'

/** Whether the text has the form of an id of any kind. */
export function isAnyShowId(id: string): boolean {
  return isShowId(id) || isImdbId(id) || isTmdbId(id)
}

/** Ids that a filter names. What is no id matches nothing: it is reported as ignored, or rejected if handling is strict. */
export function resolveIds(
  parameter: 'ids' | 'exclude_ids',
  ids: readonly string[],
  { strict, ignore }: Pick<EndpointContext, 'strict' | 'ignore'>,
): readonly string[] {
  for (const id of ids) {
    if (isAnyShowId(id)) continue
    if (strict) rejectValue(parameter, id, `a list of ids; ${ID_FORMS}`)
    ignore({ parameter, text: id, suggest: () => undefined })
  }
  return ids
}

/** A two-letter language code in lower case; rejects codes that do not exist. */
export function resolveLanguage(text: string): string {
  const code = text.toLowerCase()
  return isLanguageCode(code) ? code : rejectValue('show_original_language', text, 'an ISO 639-1 code, such as en')
}

const offerTypes: ReadonlySet<string> = new Set(OFFER_TYPES)

/**
 * Parses the entries of `catalogs`: a service, a service and an option type, or a service's addon. A service or addon
 * that no country has matches nothing: it is reported as ignored, or rejected if handling is strict.
 */
export function resolveCatalogs(
  entries: readonly string[],
  country: string | readonly string[],
  context: Pick<EndpointContext, 'names' | 'strict' | 'ignore'>,
): CatalogSelector[] {
  const countries = typeof country === 'string' ? [country] : country
  return entries.map((entry) => {
    const selector = parseCatalog(entry)
    const unknownParts = countries.map((code) => findUnknownPart(selector, code, context.names))
    const [unknown] = unknownParts
    if (unknown === undefined || unknownParts.includes(undefined)) return selector
    if (!context.strict) {
      context.ignore({ parameter: 'catalogs', text: entry, suggest: unknown.suggest })
      return selector
    }
    const suggestion = unknown.suggest()
    const question = suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`
    throw invalidCatalogError(entry, unknown.message + question)
  })
}

function parseCatalog(entry: string): CatalogSelector {
  const [service = '', type, ...rest] = entry.split('.')
  // Ids of addons may hold dots.
  const addon = rest.length === 0 ? undefined : rest.join('.')
  const isWellFormed =
    isServiceId(service) &&
    (type === undefined || offerTypes.has(type)) &&
    (addon === undefined || (type === 'addon' && isAddonId(addon)))
  if (!isWellFormed) {
    throw invalidCatalogError(
      entry,
      `it must be <service>, <service>.<type> or <service>.addon.<addon>, where the type is one of ${OFFER_TYPES.join(', ')}`,
    )
  }
  return omitUndefined({ service, type: type as OfferType | undefined, addon })
}

/** Subscriptions to services and addons, as they are stored. One that no country has is ignored, or rejected if strict. */
export function resolveServices(
  entries: readonly string[],
  context: Pick<EndpointContext, 'names' | 'strict' | 'ignore'>,
): readonly string[] {
  const { names } = context
  return entries.map((entry) => {
    const [, service = '', addon] = /^([^.]*)(?:\.addon\.(.*))?$/.exec(entry) ?? []
    if (!isServiceId(service) || (addon !== undefined && !isAddonId(addon))) {
      rejectValue('services', entry, 'a list of services, each <service> or <service>.addon.<addon>')
    }
    const selector = omitUndefined({ service, addon })
    const isKnown = names.countryCodes().some((code) => findUnknownPart(selector, code, names) === undefined)
    if (isKnown) return entry
    const suggest = () =>
      suggestName(service, [...new Set(names.countryCodes().flatMap((code) => names.serviceIds(code)))])
    if (context.strict) {
      const suggestion = suggest()
      const question = suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`
      rejectValue('services', entry, `a service or addon of the catalog, as /countries lists them${question}`)
    }
    context.ignore({ parameter: 'services', text: entry, suggest })
    return entry
  })
}

/** The part of an entry that the country does not have. */
interface UnknownPart {
  readonly message: string
  /** The whole entry as it was probably meant. */
  readonly suggest: () => string | undefined
}

function findUnknownPart(
  { service, type, addon }: CatalogSelector,
  country: string,
  names: ReferenceNames,
): UnknownPart | undefined {
  if (!names.serviceIds(country).includes(service)) {
    return {
      message: `there is no service ${quoteValue(service)} ${listedIn(country)} the services`,
      suggest: () => {
        const suggestion = suggestName(service, names.serviceIds(country))
        return suggestion && [suggestion, type, addon].filter((part) => part !== undefined).join('.')
      },
    }
  }
  if (addon === undefined || names.addonIds(country, service).includes(addon)) return undefined
  return {
    message: `there is no addon ${quoteValue(addon)} on ${service} ${listedIn(country)} the addons`,
    suggest: () => {
      const suggestion = suggestName(addon, names.addonIds(country, service))
      return suggestion && `${service}.addon.${suggestion}`
    },
  }
}

function listedIn(country: string): string {
  return `in ${country}; /countries/${country} lists`
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
