import type { ShowType } from '../../model/show.ts'
import { parseGenres } from '../records/genres.ts'
import { buildTranslations, type LocalText, parseCountry, parseLocale, preferredText } from '../records/locales.ts'
import { addOption, emptyOptions, type OptionsByCountry } from '../records/streaming-options.ts'
import {
  horizontalImage,
  parseQuality,
  parseUnixSeconds,
  parseYear,
  pickExternalIds,
  toPrice,
  verticalImage,
} from '../records/values.ts'
import { childrenNamed, childText, childTexts, type XmlElement } from '../streams/xml-reader.ts'

type Fields = Record<string, unknown>

/** What identifies an item: attributes, or in the first version of the format child elements. */
export interface ItemIdentity {
  readonly contentType: string
  readonly contentId: string
}

/** The type and id of an item; undefined if it lacks one. */
export function readIdentity(item: XmlElement): ItemIdentity | undefined {
  const contentType = item.attributes.contentType ?? childText(item, 'contentType')
  const contentId = item.attributes.contentId ?? childText(item, 'contentId')
  return contentType === undefined || contentId === undefined ? undefined : { contentType, contentId }
}

/** The fields of the native record of a movie or series, without its options and seasons. */
export function readShowItem(item: XmlElement, showType: ShowType, defaultLocale: string | undefined): Fields {
  const titles = readTexts(item, 'title', defaultLocale)
  const overviews = readTexts(item, 'description', defaultLocale)
  const genres = childTexts(item, 'genre', 'genres').map((genre) => genre.replaceAll('_', ' '))
  const people = (roles: RegExp) => readPeople(item, roles)
  const seconds = Number(readInfo(item, 'duration') ?? 0)
  const year = readYear(item)
  return {
    kind: 'show',
    partial: true,
    showType,
    ...readExternalIds(item, showType),
    title: preferredText(titles),
    overview: preferredText(overviews),
    translations: buildTranslations(titles, overviews),
    ...(showType === 'movie'
      ? {
          releaseYear: year,
          runtime: seconds > 0 ? Math.round(seconds / 60) : undefined,
          directors: people(/^director$/i),
        }
      : { firstAirYear: year, creators: people(/^creator$/i) }),
    genres: genres.length === 0 ? undefined : parseGenres(genres),
    cast: people(/^(actor|voice|host|narrator|anchor)$/i),
    imageSet: readImages(item),
  }
}

/** The fields of a season. */
export function readSeasonItem(item: XmlElement, defaultLocale: string | undefined): Fields {
  const year = readYear(item)
  return { title: preferredText(readTexts(item, 'title', defaultLocale)), firstAirYear: year, lastAirYear: year }
}

/** The fields of an episode. */
export function readEpisodeItem(item: XmlElement, defaultLocale: string | undefined): Fields {
  return {
    title: preferredText(readTexts(item, 'title', defaultLocale)),
    overview: preferredText(readTexts(item, 'description', defaultLocale)),
    airYear: readYear(item),
  }
}

/** A text of the element that holds what is special to a type, such as `tvEpisodeInfo`, or of the item itself. */
export function readInfo(item: XmlElement, name: string): string | undefined {
  const infos = item.children.filter((child) => child.name.endsWith('Info'))
  return [item, ...infos].map((element) => childText(element, name)).find((text) => text !== undefined)
}

/** Texts with their locale; phonetic spellings are for sorting only. */
function readTexts(item: XmlElement, name: string, defaultLocale: string | undefined): LocalText[] {
  return childrenNamed(item, name)
    .filter(({ text, attributes }) => text !== '' && attributes.isPhonetic !== 'true')
    .map(({ text, attributes }) => ({ language: attributes.locale ?? defaultLocale, text: text.replace(/\s+/g, ' ') }))
}

function readYear(item: XmlElement): number | undefined {
  return ['originalReleaseDate', 'originalPremiereDate', 'originalAirDate']
    .map((name) => parseYear(readInfo(item, name)))
    .find((year) => year !== undefined)
}

/** The names of people with some roles. Older feeds have the name as the text of the credit. */
function readPeople(item: XmlElement, roles: RegExp): string[] | undefined {
  const credits = childrenNamed(item, 'credit', 'credits').filter(({ attributes }) => roles.test(attributes.role ?? ''))
  const names = credits.flatMap((credit) => {
    const named = preferredText(readTexts(credit, 'name', undefined)) ?? credit.text
    return named === '' ? [] : named
  })
  return names.length === 0 ? undefined : [...new Set(names)]
}

function readExternalIds(item: XmlElement, showType: ShowType): Fields {
  const texts = childrenNamed(item, 'externalId', 'externalIds').map(({ text }) => text)
  return pickExternalIds(showType, { imdb: texts, tmdb: [] })
}

/** Images by the shape that their type names; one without a shape serves for a missing one. */
function readImages(item: XmlElement): object | undefined {
  const images = childrenNamed(item, 'artwork', 'artworks').flatMap(({ attributes: { url, type = '' } }) =>
    url === undefined || url === '' ? [] : [{ url, type }],
  )
  const find = (shape: RegExp) => images.find(({ type }) => shape.test(type))?.url
  const plain = images.find(({ type }) => !/vertical|horizontal/i.test(type))?.url
  const [vertical, horizontal] = [find(/vertical/i) ?? plain, find(/horizontal/i) ?? plain]
  if (vertical === undefined && horizontal === undefined) return undefined
  return {
    ...(vertical !== undefined && { verticalPoster: verticalImage(vertical) }),
    ...(horizontal !== undefined && { horizontalPoster: horizontalImage(horizontal) }),
  }
}

/** What is known of an availability feed before its items are read. */
export interface AvailabilityContext {
  /** The `service` of the options. */
  readonly service: object
  /** The countries of the feed, which the format does not state. */
  readonly countries: readonly string[]
}

/** Offer types by offering type. An offer for an account is free, but needs one. */
const OFFER_TYPES: ReadonlyMap<string, string> = new Map([
  ['free', 'free'],
  ['account', 'free'],
  ['subscription', 'subscription'],
  ['rental', 'rent'],
  ['rent', 'rent'],
  ['purchase', 'buy'],
  ['buy', 'buy'],
])

/** The options of an item, and the reasons why offers were skipped. */
interface ItemOptions {
  /** The web page of the item. */
  readonly link: string | undefined
  readonly options: OptionsByCountry
  readonly skipped: readonly string[]
}

/** Converts the offers of an item. Invalid values are passed through: the importer reports them. */
export function readItemOffers(item: XmlElement, context: AvailabilityContext): ItemOptions {
  const options = emptyOptions()
  const skipped: string[] = []
  const offers = childrenNamed(item, 'offer', 'offers')
  const link = findLink(item)
  if (link === undefined && offers.length > 0) skipped.push('the item has no locator with a web address')
  for (const offer of link === undefined ? [] : offers) {
    const stated = childText(offer, 'offeringType') ?? childText(offer, 'offerType') ?? 'none'
    const type = OFFER_TYPES.get(stated.toLowerCase())
    if (type === undefined || childText(offer, 'isLive') === 'true') {
      skipped.push(type === undefined ? `the offer is of the type ${stated}` : 'the offer is a live broadcast')
      continue
    }
    const countries = readCountries(offer, context.countries, skipped)
    const [price] = childrenNamed(offer, 'price')
    addOption(options, countries, {
      service: context.service,
      type,
      link,
      ...readPlayableProperties(item),
      ...(price !== undefined && { price: toPrice(price.text, price.attributes.currency) }),
      startsOn: parseUnixSeconds(childText(offer, 'windowStart')),
      expiresOn: parseUnixSeconds(childText(offer, 'windowEnd')),
    })
  }
  return { link, options, skipped }
}

/**
 * The web page of an item: where it plays, else where it opens. Locators of apps come last, if they are web addresses,
 * too; others lead nowhere in a browser.
 */
function findLink(item: XmlElement): string | undefined {
  const locators = childrenNamed(item, 'locator', 'locators')
    .map(({ attributes }) => attributes)
    .filter(({ url = '' }) => /^https?:\/\//i.test(url))
  const web = locators.filter(({ platform = 'web' }) => /^web$/i.test(platform))
  const [first] = [...web, ...locators]
  return (web.find(({ action }) => action === 'play') ?? first)?.url
}

/** The countries of an offer: those of the feed, within the restrictions of the offer. */
function readCountries(offer: XmlElement, all: readonly string[], skipped: string[]): readonly string[] {
  const allowed: string[] = []
  const denied: string[] = []
  for (const { text, attributes } of childrenNamed(offer, 'restriction', 'restrictions')) {
    const country = parseCountry(text.split(/[:/]/).at(-1) ?? '')
    if (country === undefined) skipped.push(`the restriction "${text.slice(0, 80)}" is none of countries`)
    else if (/deny/i.test(attributes.relationship ?? '')) denied.push(country)
    else allowed.push(country)
  }
  return (allowed.length === 0 ? all : allowed).filter((country) => !denied.includes(country))
}

function readPlayableProperties(item: XmlElement): object {
  const [properties] = childrenNamed(item, 'playableProperties')
  if (properties === undefined) return {}
  const locales = (name: string) =>
    childTexts(properties, name)
      .flatMap((text) => text.split(/[\s,]+/))
      .flatMap((tag) => parseLocale(tag) ?? [])
  const audios = [...locales('primaryLocale'), ...locales('additionalAudioLang')]
  const subtitles = [
    ...locales('subtitles').map((locale) => ({ closedCaptions: false, locale })),
    ...[...locales('closedCaptioning'), ...locales('subtitlesForDeaf')].map((locale) => ({
      closedCaptions: true,
      locale,
    })),
  ]
  const quality = childText(properties, 'videoQuality')
  return {
    ...(quality !== undefined && { quality: parseQuality(quality) ?? quality.toLowerCase() }),
    ...(audios.length > 0 && { audios }),
    ...(subtitles.length > 0 && { subtitles }),
  }
}
