import { fold } from '../../catalog/index/analyzer.ts'
import { isObject, type JsonObject } from '../../ingest/parse/fields.ts'
import { QUALITIES } from '../../model/offer.ts'
import type { ShowType } from '../../model/show.ts'
import { parseGenres } from '../records/genres.ts'
import {
  buildTranslations,
  parseCountry,
  parseLocale,
  parseTagLanguage,
  preferredText,
  textsByLanguage,
} from '../records/locales.ts'
import { addOption, emptyOptions, type OptionRecord, type OptionsByCountry } from '../records/streaming-options.ts'
import {
  horizontalImage,
  parseDurationMinutes,
  parseQuality,
  parseUnixSeconds,
  parseYear,
  pickExternalIds,
  posterSet,
  slugify,
  toPrice,
  toText,
  verticalImage,
} from '../records/values.ts'
import { isWebLink, readId, readLocalTexts, readNames, shortName, toArray, toNumber, toObjects } from './json-ld.ts'

type Fields = Record<string, unknown>

/** The fields of the native record of a movie or series, without its options and seasons. */
export function readShowElement(element: JsonObject, showType: ShowType): Fields {
  const [tag] = readNames(element.inLanguage)
  const originalLanguage = parseTagLanguage(tag)
  const typeFields =
    showType === 'movie'
      ? {
          releaseYear: readReleaseYear(element),
          runtime: parseDurationMinutes(element.duration),
          directors: readPeople(element.director ?? element.directors),
        }
      : {
          firstAirYear: readReleaseYear(element),
          lastAirYear: parseYear(element.endDate),
          creators: readPeople(element.creator ?? element.creators),
          seasonCount: toNumber(element.numberOfSeasons),
          episodeCount: toNumber(element.numberOfEpisodes),
        }
  const genres = readNames(element.genre ?? element.genres)
  return {
    kind: 'show',
    partial: true,
    showType,
    ...readExternalIds(element, showType),
    ...readTexts(element, originalLanguage),
    originalLanguage,
    ...typeFields,
    genres: genres.length === 0 ? undefined : parseGenres(genres),
    cast: readPeople(element.actor ?? element.actors),
    rating: readRating(element),
    imageSet: readImages(element.image),
  }
}

/** The fields of a season. `link` is for options that are rolled up from its episodes. */
export function readSeasonElement(element: JsonObject): Fields {
  const year = readReleaseYear(element)
  return {
    title: preferredText(readLocalTexts(element.name)),
    firstAirYear: year,
    lastAirYear: parseYear(element.endDate) ?? year,
    link: isWebLink(element.url) ? element.url : undefined,
  }
}

/** The fields of an episode. */
export function readEpisodeElement(element: JsonObject): Fields {
  return {
    title: preferredText(readLocalTexts(element.name)),
    overview: preferredText(readLocalTexts(element.description)),
    airYear: readReleaseYear(element),
  }
}

function readPeople(value: unknown): string[] | undefined {
  const names = [...new Set(readNames(value))]
  return names.length === 0 ? undefined : names
}

/** The year of the earliest release, else of the publication, the first episode or the copyright. */
function readReleaseYear(element: JsonObject): number | undefined {
  const years = toObjects(element.releasedEvent).flatMap(({ startDate }) => parseYear(startDate) ?? [])
  if (years.length > 0) return Math.min(...years)
  const { datePublished, startDate, dateCreated, copyrightYear } = element
  return [datePublished, startDate, dateCreated, copyrightYear].map(parseYear).find((year) => year !== undefined)
}

/** The aggregate rating, scaled to 0 to 100. Schema.org ratings go up to 5 by default. */
function readRating({ aggregateRating }: JsonObject): number | undefined {
  const [rating] = toObjects(aggregateRating)
  const [value, best, worst] = [rating?.ratingValue, rating?.bestRating ?? 5, rating?.worstRating ?? 0].map(toNumber)
  if (value === undefined || best === undefined || worst === undefined || best <= worst) return undefined
  return Math.round(Math.min(Math.max((value - worst) / (best - worst), 0), 1) * 100)
}

/** Title, overview, original title and translations. */
function readTexts(element: JsonObject, originalLanguage: string | undefined): Fields {
  const [titles, overviews] = [readLocalTexts(element.name), readLocalTexts(element.description)]
  return {
    title: preferredText(titles),
    overview: preferredText(overviews),
    originalTitle: originalLanguage === undefined ? undefined : textsByLanguage(titles).get(originalLanguage),
    translations: buildTranslations(titles, overviews),
  }
}

/** The IMDb and TMDB ids, from the identifiers or from links to their pages. */
function readExternalIds(element: JsonObject, showType: ShowType): Fields {
  const identifiers = toObjects(element.identifier).map(({ propertyID, value }) => [toText(propertyID), toText(value)])
  const links = toArray(element.sameAs).map(String)
  const identifier = (name: string) => identifiers.find(([id]) => id?.toUpperCase() === name)?.[1] ?? ''
  const linksTo = (site: string) => links.filter((link) => link.includes(site))
  return pickExternalIds(showType, {
    imdb: [identifier('IMDB_ID'), ...linksTo('imdb.com/')].map((text) => /tt\d+/.exec(text)?.[0] ?? ''),
    tmdb: [identifier('TMDB_ID'), ...linksTo('themoviedb.org/')].map(
      (text) => /(?:(?:movie|tv)\/)?\d+/.exec(text)?.[0] ?? '',
    ),
  })
}

/** Posters by their aspect ratio; an image of unknown size is used as both. */
function readImages(value: unknown): object | undefined {
  let set: Fields = {}
  for (const item of toArray(value)) {
    const object: JsonObject = typeof item === 'string' ? { url: item } : (toObjects(item)[0] ?? {})
    const url = object.contentUrl ?? object.url ?? object['@id']
    if (!isWebLink(url)) continue
    const [width, height] = [toNumber(object.width), toNumber(object.height)]
    const images =
      width === undefined || height === undefined
        ? posterSet(url)
        : height > width
          ? { verticalPoster: verticalImage(url) }
          : { horizontalPoster: horizontalImage(url) }
    set = { ...images, ...set }
  }
  return Object.keys(set).length === 0 ? undefined : set
}

/** What is known of a feed before its actions are read. */
export interface ActionContext {
  /** The `service` of the options. */
  readonly service: object
  readonly serviceName: string
  /** The countries of an action that names none, or the whole world. */
  readonly defaultCountries: readonly string[]
}

/** Why something of an action was skipped. */
interface SkippedPart {
  readonly note: 'left_out' | 'invalid_offer' | 'ignored_field'
  readonly detail: string
}

/** The options of an element, and what was skipped. */
interface ActionOptions {
  readonly options: OptionsByCountry
  readonly skipped: readonly SkippedPart[]
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
  const skipped: SkippedPart[] = []
  for (const action of toObjects(element.potentialAction)) {
    const targets = sortTargets(action)
    const link = pickLink([...targets.map(({ urlTemplate }) => urlTemplate), element.url], skipped)
    if (link === undefined) continue
    const target = targets.find(({ urlTemplate }) => urlTemplate === link) ?? targets[0] ?? {}
    const base = { service: context.service, link, ...readTracks(target, action, element) }
    const accesses = toObjects(action.actionAccessibilityRequirement)
    if (accesses.length === 0) skipped.push({ note: 'left_out', detail: 'a watch action does not say who may watch' })
    for (const access of accesses) {
      const countries = readCountries(access, context, skipped)
      for (const option of toOptions(access, base, context)) addOption(options, countries, option)
    }
  }
  return { options, skipped }
}

/** The entry points of an action: those for browsers first, then those without a platform, then the others. */
function sortTargets(action: JsonObject): readonly JsonObject[] {
  const rank = (target: JsonObject) => {
    const platforms = toArray(target.actionPlatform).map(shortName)
    const web = WEB_PLATFORMS.findIndex((platform) => platforms.includes(platform))
    return web >= 0 ? web : WEB_PLATFORMS.length + (platforms.length === 0 ? 0 : 1)
  }
  return toArray(action.target)
    .map((target): unknown => (typeof target === 'string' ? { urlTemplate: target } : target))
    .filter(isObject)
    .sort((a, b) => rank(a) - rank(b))
}

/** The first web address. Links without a protocol lead nowhere outside of the page that they were copied from. */
function pickLink(links: readonly unknown[], skipped: SkippedPart[]): string | undefined {
  const stated = links.filter((link) => typeof link === 'string' && link.trim() !== '') as string[]
  const chosen = stated.find(isWebLink)
  const passed = chosen === undefined ? stated : stated.slice(0, stated.indexOf(chosen))
  const relative = passed.find((link) => !/^[a-z][a-z0-9+.-]*:/i.test(link))
  const wrong = relative === undefined ? '' : `the link ${JSON.stringify(relative.slice(0, 120))} has no protocol`
  if (chosen === undefined) {
    const detail = wrong === '' ? 'a watch action has no link for the web' : `${wrong}; https:// is needed`
    skipped.push({ note: 'invalid_offer', detail })
  } else if (wrong !== '') {
    skipped.push({ note: 'ignored_field', detail: `${wrong}; ${chosen.slice(0, 120)} is used instead` })
  }
  return chosen
}

/** Languages and quality of a target: its own additional properties, else what the action and the element say. */
function readTracks(target: JsonObject, action: JsonObject, element: JsonObject): object {
  const properties = toObjects(target.additionalProperty)
  const values = (name: string) =>
    properties
      .filter((property) => fold(toText(property.name ?? property.propertyID)) === name)
      .flatMap(({ value }) => readNames(value))
      .flatMap((value) => value.split(/[,;|\s]+/).filter((part) => part !== ''))
  const [dubbed, subtitled] = [values('contentlanguage'), values('subtitlelanguage')]
  const formats = values('videoformat').flatMap((format) => parseQuality(format) ?? [])
  return {
    quality: QUALITIES.findLast((quality) => formats.includes(quality)),
    audios: readLocales(dubbed.length > 0 ? dubbed : (target.inLanguage ?? action.inLanguage)),
    subtitles: readLocales(subtitled.length > 0 ? subtitled : element.subtitleLanguage).map((locale) => ({
      closedCaptions: false,
      locale,
    })),
  }
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

/** The addon that is required: a subscription that is not the common tier, and whose name is not that of the service. */
function findAddon(access: JsonObject, type: string, { serviceName }: ActionContext): object | undefined {
  const subscriptions = toObjects(access.requiresSubscription)
  if (type === 'subscription' && subscriptions.some(({ commonTier }) => toText(commonTier) === 'true')) return undefined
  const [subscription] = subscriptions
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
  skipped: SkippedPart[],
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
      if (country === undefined) {
        const detail = `the region ${JSON.stringify(region).slice(0, 80)} is no country`
        skipped.push({ note: 'left_out', detail })
      } else countries.add(country)
    }
  }
  return countries
}

/** The default countries; without any, the action is skipped. */
function requireCountries(defaultCountries: readonly string[], skipped: SkippedPart[]): ReadonlySet<string> {
  if (defaultCountries.length === 0) {
    const detail = 'an action is for the whole world, and no countries are known: give --countries'
    skipped.push({ note: 'left_out', detail })
  }
  return new Set(defaultCountries)
}

function readLocales(tags: unknown): object[] {
  return readNames(tags).flatMap((tag) => parseLocale(tag) ?? [])
}
