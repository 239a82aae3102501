import { fold } from '../../catalog/index/analyzer.ts'
import type { JsonObject } from '../../ingest/parse/fields.ts'
import { secondsOf } from '../iso-time.ts'
import { localeOf } from '../locale-of.ts'
import { addOption, noOptions, type Option, type Options } from '../options.ts'
import { priceOf } from '../price-of.ts'
import { countryOf } from '../region-codes.ts'
import { slug } from '../slug.ts'
import { idOf, listOf, namesOf, objectsOf, shortName } from './json-ld.ts'

/** What actions are read by. */
export interface ActionReading {
  /** The service as options name it. */
  readonly service: object
  readonly serviceName: string
  /** The countries that are meant where an action names none, or the whole world. */
  readonly everywhere: readonly string[]
}

/** Options of an element, and what of its actions could not be used. */
export interface ReadActions {
  readonly options: Options
  readonly leftOut: readonly string[]
}

const TYPES: ReadonlyMap<string, string> = new Map([
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
export function readActions(element: JsonObject, reading: ActionReading): ReadActions {
  const options = noOptions()
  const leftOut: string[] = []
  for (const action of objectsOf(element.potentialAction)) {
    const target = webTarget(action)
    const link = target?.urlTemplate ?? element.url
    const audios = localesOf(target?.inLanguage ?? action.inLanguage)
    const subtitles = localesOf(element.subtitleLanguage).map((locale) => ({ closedCaptions: false, locale }))
    const base = { service: reading.service, link, audios, subtitles }
    const accesses = objectsOf(action.actionAccessibilityRequirement)
    if (accesses.length === 0) leftOut.push('a watch action does not say who may watch')
    for (const access of accesses) {
      const countries = countriesOf(access, reading, leftOut)
      for (const option of optionsOf(access, base, reading)) addOption(options, countries, option)
    }
  }
  return { options, leftOut }
}

/** The entry point on the web, else one that is not said to be for anything else, else any. */
function webTarget(action: JsonObject): JsonObject | undefined {
  const targets = listOf(action.target).map(
    (target): JsonObject => (typeof target === 'string' ? { urlTemplate: target } : (target as JsonObject)),
  )
  const platformsOf = (target: JsonObject) => listOf(target?.actionPlatform).map(shortName)
  return (
    WEB_PLATFORMS.map((web) => targets.find((target) => platformsOf(target).includes(web))).find(Boolean) ??
    targets.find((target) => platformsOf(target).length === 0) ??
    targets[0]
  )
}

function optionsOf(access: JsonObject, base: Option, reading: ActionReading): Option[] {
  const category = shortName(access.category ?? '').toLowerCase()
  const stated = TYPES.get(category) ?? access.category
  const addon = stated === 'subscription' || stated === 'addon' ? addonOf(access, stated, reading) : undefined
  const option = {
    ...base,
    type: addon === undefined ? stated : 'addon',
    addon,
    startsOn: secondsOf(access.availabilityStarts),
    expiresOn: secondsOf(access.availabilityEnds),
  }
  const offers = stated === 'rent' || stated === 'buy' ? objectsOf(access.expectsAcceptanceOf) : []
  if (offers.length === 0) return [option]
  return offers.map((offer) => ({
    ...option,
    ...(offer.price !== undefined && { price: priceOf(offer.price, offer.priceCurrency) }),
  }))
}

/** The tier that is needed, if it has a name of its own: whoever has the service does not have that yet. */
function addonOf(access: JsonObject, type: string, { serviceName }: ActionReading): object | undefined {
  const [subscription] = objectsOf(access.requiresSubscription)
  const [named] = namesOf(access.requiresSubscription)
  const isService = named !== undefined && fold(named) === fold(serviceName)
  const name = named ?? (type === 'addon' ? idOf(subscription) : undefined)
  if (name === undefined || (type === 'subscription' && isService)) return undefined
  const id = slug(name) ?? slug(idOf(subscription) ?? '')
  return { id, name: named ?? shortName(name) }
}

function countriesOf(access: JsonObject, { everywhere }: ActionReading, leftOut: string[]): ReadonlySet<string> {
  const regions = listOf(access.eligibleRegion)
  if (regions.length === 0) return known(everywhere, leftOut)
  const countries = new Set<string>()
  for (const region of regions) {
    const [name = ''] = namesOf(region)
    if (/^(earth|worldwide|world)$/i.test(name)) for (const one of known(everywhere, leftOut)) countries.add(one)
    else {
      const country = countryOf(name)
      if (country === undefined) leftOut.push(`the region ${JSON.stringify(region).slice(0, 80)} is no country`)
      else countries.add(country)
    }
  }
  return countries
}

function known(everywhere: readonly string[], leftOut: string[]): ReadonlySet<string> {
  if (everywhere.length === 0)
    leftOut.push('an action is for the whole world, and no countries are known: give --countries')
  return new Set(everywhere)
}

function localesOf(tags: unknown): object[] {
  return namesOf(tags).flatMap((tag) => localeOf(tag) ?? [])
}
