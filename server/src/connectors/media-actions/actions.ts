import { fold } from '../../catalog/index/analyzer.ts'
import type { JsonObject } from '../../ingest/parse/fields.ts'
import { slugify } from '../records/ids.ts'
import { parseCountry, parseLocale } from '../records/locales.ts'
import { addOption, emptyOptions, type OptionRecord, type OptionsByCountry } from '../records/streaming-options.ts'
import { parseUnixSeconds, toPrice } from '../records/values.ts'
import { readId, readNames, shortName, toArray, toObjects } from './json-ld.ts'

/** What actions are read by. */
export interface ActionContext {
  /** The service as options name it. */
  readonly service: object
  readonly serviceName: string
  /** The countries that are meant where an action names none, or the whole world. */
  readonly defaultCountries: readonly string[]
}

/** OptionsByCountry of an element, and what of its actions could not be used. */
export interface ActionOptions {
  readonly options: OptionsByCountry
  readonly skipped: readonly string[]
}

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
 * The options that the watch actions of an element amount to: one for each action, way of access, price and country.
 * What the importer can refuse by name is passed on as it is.
 */
export function readActions(element: JsonObject, reading: ActionContext): ActionOptions {
  const options = emptyOptions()
  const leftOut: string[] = []
  for (const action of toObjects(element.potentialAction)) {
    const target = webTarget(action)
    const link = target?.urlTemplate ?? element.url
    const audios = readLocales(target?.inLanguage ?? action.inLanguage)
    const subtitles = readLocales(element.subtitleLanguage).map((locale) => ({ closedCaptions: false, locale }))
    const base = { service: reading.service, link, audios, subtitles }
    const accesses = toObjects(action.actionAccessibilityRequirement)
    if (accesses.length === 0) leftOut.push('a watch action does not say who may watch')
    for (const access of accesses) {
      const countries = readCountries(access, reading, leftOut)
      for (const option of toOptions(access, base, reading)) addOption(options, countries, option)
    }
  }
  return { options, skipped: leftOut }
}

/** The entry point on the web, else one that is not said to be for anything else, else any. */
function webTarget(action: JsonObject): JsonObject | undefined {
  const targets = toArray(action.target).map(
    (target): JsonObject => (typeof target === 'string' ? { urlTemplate: target } : (target as JsonObject)),
  )
  const platformsOf = (target: JsonObject) => toArray(target?.actionPlatform).map(shortName)
  return (
    WEB_PLATFORMS.map((web) => targets.find((target) => platformsOf(target).includes(web))).find(Boolean) ??
    targets.find((target) => platformsOf(target).length === 0) ??
    targets[0]
  )
}

function toOptions(access: JsonObject, base: OptionRecord, reading: ActionContext): OptionRecord[] {
  const category = shortName(access.category ?? '').toLowerCase()
  const stated = OFFER_TYPES.get(category) ?? access.category
  const addon = stated === 'subscription' || stated === 'addon' ? findAddon(access, stated, reading) : undefined
  const option = {
    ...base,
    type: addon === undefined ? stated : 'addon',
    addon,
    startsOn: parseUnixSeconds(access.availabilityStarts),
    expiresOn: parseUnixSeconds(access.availabilityEnds),
  }
  const offers = stated === 'rent' || stated === 'buy' ? toObjects(access.expectsAcceptanceOf) : []
  if (offers.length === 0) return [option]
  return offers.map((offer) => ({
    ...option,
    ...(offer.price !== undefined && { price: toPrice(offer.price, offer.priceCurrency) }),
  }))
}

/** The tier that is needed, if it has a name of its own: whoever has the service does not have that yet. */
function findAddon(access: JsonObject, type: string, { serviceName }: ActionContext): object | undefined {
  const [subscription] = toObjects(access.requiresSubscription)
  const [named] = readNames(access.requiresSubscription)
  const isService = named !== undefined && fold(named) === fold(serviceName)
  const name = named ?? (type === 'addon' ? readId(subscription) : undefined)
  if (name === undefined || (type === 'subscription' && isService)) return undefined
  const id = slugify(name) ?? slugify(readId(subscription) ?? '')
  return { id, name: named ?? shortName(name) }
}

function readCountries(
  access: JsonObject,
  { defaultCountries }: ActionContext,
  leftOut: string[],
): ReadonlySet<string> {
  const regions = toArray(access.eligibleRegion)
  if (regions.length === 0) return requireCountries(defaultCountries, leftOut)
  const countries = new Set<string>()
  for (const region of regions) {
    const [name = ''] = readNames(region)
    if (/^(earth|worldwide|world)$/i.test(name))
      for (const one of requireCountries(defaultCountries, leftOut)) countries.add(one)
    else {
      const country = parseCountry(name)
      if (country === undefined) leftOut.push(`the region ${JSON.stringify(region).slice(0, 80)} is no country`)
      else countries.add(country)
    }
  }
  return countries
}

function requireCountries(everywhere: readonly string[], leftOut: string[]): ReadonlySet<string> {
  if (everywhere.length === 0)
    leftOut.push('an action is for the whole world, and no countries are known: give --countries')
  return new Set(everywhere)
}

function readLocales(tags: unknown): object[] {
  return readNames(tags).flatMap((tag) => parseLocale(tag) ?? [])
}
