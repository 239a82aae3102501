import { fold } from '../../catalog/index/analyzer.ts'
import type { JsonObject } from '../../ingest/parse/fields.ts'
import { slugify } from '../records/ids.ts'
import { parseCountry, parseLocale } from '../records/locales.ts'
import { addOption, emptyOptions, type OptionRecord, type OptionsByCountry } from '../records/streaming-options.ts'
import { parseUnixSeconds, toPrice } from '../records/values.ts'
import { readId, readNames, shortName, toArray, toObjects } from './json-ld.ts'

/** What is known of a feed before its actions are read. */
export interface ActionContext {
  /** The `service` of the options. */
  readonly service: object
  readonly serviceName: string
  /** The countries of an action that names none, or the whole world. */
  readonly defaultCountries: readonly string[]
}

/** The options of an element, and the reasons why actions were skipped. */
interface ActionOptions {
  readonly options: OptionsByCountry
  readonly skipped: readonly string[]
}

/** Offer types by the category of an action's access specification. */
const OFFER_TYPES: ReadonlyMap<string, string> = new Map([
  ['nologinrequired', 'free'],
  ['free', 'free'],
  ['subscription', 'subscription'],
  ['externalsubscription', 'addon'],
  ['rental', 'rent'],
  ['purchase', 'buy'],
])

const WEB_PLATFORMS = ['DesktopWebPlatform', 'MobileWebPlatform']

/**
 * Converts the watch actions of an element: one option for each action, access specification, price and country.
 * Invalid values are passed through: the importer reports them.
 */
export function readActions(element: JsonObject, context: ActionContext): ActionOptions {
  const options = emptyOptions()
  const skipped: string[] = []
  for (const action of toObjects(element.potentialAction)) {
    const target = findWebTarget(action)
    const link = target?.urlTemplate ?? element.url
    const audios = readLocales(target?.inLanguage ?? action.inLanguage)
    const subtitles = readLocales(element.subtitleLanguage).map((locale) => ({ closedCaptions: false, locale }))
    const base = { service: context.service, link, audios, subtitles }
    const accesses = toObjects(action.actionAccessibilityRequirement)
    if (accesses.length === 0) skipped.push('a watch action does not say who may watch')
    for (const access of accesses) {
      const countries = readCountries(access, context, skipped)
      for (const option of toOptions(access, base, context)) addOption(options, countries, option)
    }
  }
  return { options, skipped }
}

/** The entry point for browsers, else one without a platform, else the first. */
function findWebTarget(action: JsonObject): JsonObject | undefined {
  const targets = toArray(action.target).map(
    (target): JsonObject => (typeof target === 'string' ? { urlTemplate: target } : (target as JsonObject)),
  )
  const platforms = (target: JsonObject) => toArray(target?.actionPlatform).map(shortName)
  return (
    WEB_PLATFORMS.map((web) => targets.find((target) => platforms(target).includes(web))).find(Boolean) ??
    targets.find((target) => platforms(target).length === 0) ??
    targets[0]
  )
}

/** The options of one access specification: one for each price, or one without a price. */
function toOptions(access: JsonObject, base: OptionRecord, context: ActionContext): OptionRecord[] {
  const category = shortName(access.category ?? '').toLowerCase()
  const type = OFFER_TYPES.get(category) ?? access.category
  const addon = type === 'subscription' || type === 'addon' ? findAddon(access, type, context) : undefined
  const option = {
    ...base,
    type: addon === undefined ? type : 'addon',
    addon,
    startsOn: parseUnixSeconds(access.availabilityStarts),
    expiresOn: parseUnixSeconds(access.availabilityEnds),
  }
  const offers = type === 'rent' || type === 'buy' ? toObjects(access.expectsAcceptanceOf) : []
  if (offers.length === 0) return [option]
  return offers.map((offer) => ({
    ...option,
    ...(offer.price !== undefined && { price: toPrice(offer.price, offer.priceCurrency) }),
  }))
}

/** The addon that is required: a subscription whose name differs from that of the service. */
function findAddon(access: JsonObject, type: string, { serviceName }: ActionContext): object | undefined {
  const [subscription] = toObjects(access.requiresSubscription)
  const [statedName] = readNames(access.requiresSubscription)
  const isService = statedName !== undefined && fold(statedName) === fold(serviceName)
  const name = statedName ?? (type === 'addon' ? readId(subscription) : undefined)
  if (name === undefined || (type === 'subscription' && isService)) return undefined
  const id = slugify(name) ?? slugify(readId(subscription) ?? '')
  return { id, name: statedName ?? shortName(name) }
}

function readCountries(
  access: JsonObject,
  { defaultCountries }: ActionContext,
  skipped: string[],
): ReadonlySet<string> {
  const regions = toArray(access.eligibleRegion)
  if (regions.length === 0) return requireCountries(defaultCountries, skipped)
  const countries = new Set<string>()
  for (const region of regions) {
    const [name = ''] = readNames(region)
    if (/^(earth|worldwide|world)$/i.test(name)) {
      for (const country of requireCountries(defaultCountries, skipped)) countries.add(country)
    } else {
      const country = parseCountry(name)
      if (country === undefined) skipped.push(`the region ${JSON.stringify(region).slice(0, 80)} is no country`)
      else countries.add(country)
    }
  }
  return countries
}

/** The default countries; without any, the action is skipped. */
function requireCountries(defaultCountries: readonly string[], skipped: string[]): ReadonlySet<string> {
  if (defaultCountries.length === 0) {
    skipped.push('an action is for the whole world, and no countries are known: give --countries')
  }
  return new Set(defaultCountries)
}

function readLocales(tags: unknown): object[] {
  return readNames(tags).flatMap((tag) => parseLocale(tag) ?? [])
}
