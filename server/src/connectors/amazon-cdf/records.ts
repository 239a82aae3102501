import type { ShowType } from '../../model/show.ts'
import { parseGenres } from '../records/genres.ts'
import {
  buildTranslations,
  type LocalText,
  parseCountry,
  parseLocale,
  parseTagLanguage,
  preferredText,
} from '../records/locales.ts'
import {
  addOption,
  emptyOptions,
  fillTemplate,
  type LINK_PLACEHOLDERS,
  type OptionsByCountry,
} from '../records/streaming-options.ts'
import { parseQuality, parseUnixSeconds, parseYear, pickExternalIds, posterSet, toPrice } from '../records/values.ts'
import { childrenNamed, childText, childTexts, type XmlElement } from '../streams/xml-reader.ts'

type Fields = Record<string, unknown>

/** The fields of the native record of a movie or series, without its options and seasons. */
export function readShowWork(work: XmlElement, showType: ShowType): Fields {
  const titles = readLocalTexts(work, 'Title', 'Titles')
  const overviews = readOverviews(work)
  const genres = childTexts(work, 'Genre', 'Genres')
  const image = readImage(work)
  const cast = readNames(work, 'CastMember')
  const year = readYear(work)
  return {
    kind: 'show',
    partial: true,
    showType,
    ...readExternalIds(work, showType),
    title: preferredText(titles),
    overview: preferredText(overviews),
    translations: buildTranslations(titles, overviews),
    originalLanguage: parseTagLanguage(childText(work, 'Language')),
    ...(showType === 'movie'
      ? { releaseYear: year, runtime: readRuntime(work), directors: readCrew(work, /^director$/i) }
      : { firstAirYear: year, creators: readCrew(work, /^creator$/i) }),
    genres: genres.length === 0 ? undefined : parseGenres(genres),
    cast: cast.length === 0 ? undefined : cast,
    rating: readRating(work),
    imageSet: image === undefined ? undefined : posterSet(image),
  }
}

/** The fields of a season. */
export function readSeasonWork(work: XmlElement): Fields {
  const year = readYear(work)
  return { title: preferredText(readLocalTexts(work, 'Title', 'Titles')), firstAirYear: year, lastAirYear: year }
}

/** The fields of an episode. */
export function readEpisodeWork(work: XmlElement): Fields {
  return {
    title: preferredText(readLocalTexts(work, 'Title', 'Titles')),
    overview: preferredText(readOverviews(work)),
    airYear: readYear(work),
  }
}

/** The texts of elements with a locale. From version 1.4 on, they are in an element that wraps them. */
export function readLocalTexts(work: XmlElement, name: string, wrapper: string): LocalText[] {
  return childrenNamed(work, name, wrapper)
    .filter(({ text }) => text !== '')
    .map(({ text, attributes }) => ({ language: attributes.locale, text }))
}

/** The synopses, then the short descriptions: the first of a language is used. */
function readOverviews(work: XmlElement): LocalText[] {
  const texts = [
    ...readLocalTexts(work, 'Synopsis', 'Synopses'),
    ...readLocalTexts(work, 'ShortDescription', 'ShortDescriptions'),
  ]
  // Longer texts are broken into indented lines.
  return texts.map(({ language, text }) => ({ language, text: text.replace(/\s+/g, ' ') }))
}

function readYear(work: XmlElement): number | undefined {
  const dates = [
    childText(work, 'ReleaseYear'),
    childText(work, 'ReleaseDate', 'ReleaseDates'),
    childText(work, 'OriginalAirDate', 'OriginalAirDates'),
    childText(work, 'ReleaseDate', 'ReleaseInfo'),
  ]
  return dates.map(parseYear).find((year) => year !== undefined)
}

function readRuntime(work: XmlElement): number | undefined {
  const minutes = Number(childText(work, 'RuntimeMinutes', 'Runtimes') ?? 0)
  return minutes > 0 ? Math.round(minutes) : undefined
}

/** The average of customers, from 0 to 100. */
function readRating(work: XmlElement): number | undefined {
  const [rating] = childrenNamed(work, 'CustomerRating')
  const [score, max] = [Number(rating && childText(rating, 'Score')), Number(rating && childText(rating, 'MaxValue'))]
  return score > 0 && max > 0 && score <= max ? Math.round((score / max) * 100) : undefined
}

function readExternalIds(work: XmlElement, showType: ShowType): Fields {
  const imdb = childrenNamed(work, 'ExternalID')
    .filter(({ attributes }) => attributes.scheme?.toLowerCase() === 'imdb')
    .map(({ text }) => text)
  return pickExternalIds(showType, { imdb, tmdb: [] })
}

/** The names of people, in English if there are several. */
function readNames(work: XmlElement, name: string, isWanted: (person: XmlElement) => boolean = () => true): string[] {
  const people = childrenNamed(work, name, 'Credits').filter(isWanted)
  return [...new Set(people.flatMap((person) => preferredText(readLocalTexts(person, 'Name', 'Names')) ?? []))]
}

function readCrew(work: XmlElement, job: RegExp): string[] | undefined {
  const names = readNames(work, 'CrewMember', (person) => childTexts(person, 'Job').some((text) => job.test(text)))
  return names.length === 0 ? undefined : names
}

/** The image of a work: older versions have one address, later ones several with a locale. */
function readImage(work: XmlElement): string | undefined {
  const images = childrenNamed(work, 'Image', 'Images').flatMap((image) => {
    const url = childText(image, 'Url')
    return url === undefined ? [] : [{ language: childText(image, 'Locale'), text: url }]
  })
  return preferredText(images) ?? childText(work, 'ImageUrl')
}

/** What the operator states, since the format has no links. */
export interface OfferContext {
  /** The `service` of the options. */
  readonly service: object
  readonly linkTemplate: string
}

/** The values of the placeholders for a work. */
export type LinkValues = Partial<Record<(typeof LINK_PLACEHOLDERS)['amazon-cdf'][number], string | number | undefined>>

const OFFER_TYPES: ReadonlyMap<string, string> = new Map([
  ['FreeOffer', 'free'],
  ['SubscriptionOffer', 'subscription'],
  ['RentalOffer', 'rent'],
  ['PurchaseOffer', 'buy'],
])

/** The options of a work, and the reasons why offers were skipped. */
interface WorkOptions {
  readonly options: OptionsByCountry
  readonly skipped: readonly string[]
}

/**
 * Converts the offers of a work: one option for each country, way to launch it and quality. Invalid values are passed
 * through: the importer reports them.
 */
export function readOffers(work: XmlElement, values: LinkValues, context: OfferContext): WorkOptions {
  const options = emptyOptions()
  const skipped: string[] = []
  for (const offer of childrenNamed(work, 'Offers').flatMap(({ children }) => children)) {
    const type = OFFER_TYPES.get(offer.name)
    if (type === undefined) {
      skipped.push(`the offer is of the type ${offer.name}; known are ${[...OFFER_TYPES.keys()].join(', ')}`)
      continue
    }
    const countries = readCountries(offer)
    if (countries.size === 0) skipped.push(`a ${offer.name} names no country`)
    const [price] = childrenNamed(offer, 'Price')
    const common = {
      service: context.service,
      type,
      ...(price !== undefined &&
        (type === 'rent' || type === 'buy') && { price: toPrice(price.text, price.attributes.currency) }),
      startsOn: parseUnixSeconds(childText(offer, 'WindowStart')),
      expiresOn: parseUnixSeconds(childText(offer, 'WindowEnd')),
    }
    for (const launch of listLaunches(offer)) {
      const link = fillLink(context.linkTemplate, { ...values, launchId: childText(launch, 'LaunchId') ?? values.id })
      const qualities = childTexts(launch, 'Quality').map((text) => parseQuality(text) ?? text.toLowerCase())
      for (const quality of qualities.length === 0 ? [undefined] : qualities) {
        addOption(options, countries, { ...common, link, quality, ...readTracks(launch) })
      }
    }
  }
  return { options, skipped }
}

/** The ways to launch a work. The first versions of the format have the quality in the offer itself. */
function listLaunches(offer: XmlElement): readonly XmlElement[] {
  const launches = childrenNamed(offer, 'LaunchDetails')
  return launches.length === 0 ? [offer] : launches
}

/** The countries of an offer: an element for each, or one with a list of codes. */
function readCountries(offer: XmlElement): ReadonlySet<string> {
  const [regions] = childrenNamed(offer, 'Regions')
  const codes = [
    ...(regions === undefined ? [] : childTexts(regions, 'Country')),
    ...(regions === undefined ? [] : childTexts(regions, 'Territories')).flatMap((text) => text.split(/[\s,]+/)),
  ]
  // An invalid code is passed through: the importer reports it.
  return new Set(codes.map((code) => parseCountry(code) ?? code.toLowerCase()))
}

function readTracks(launch: XmlElement): object {
  const audios = childTexts(launch, 'AudioLanguage').flatMap((tag) => parseLocale(tag) ?? [])
  const subtitles = childTexts(launch, 'Subtitle').flatMap((tag) => parseLocale(tag) ?? [])
  return {
    ...(audios.length > 0 && { audios }),
    ...(subtitles.length > 0 && { subtitles: subtitles.map((locale) => ({ closedCaptions: false, locale })) }),
  }
}

/** Fills a link template. */
export function fillLink(template: string, values: LinkValues): string {
  return fillTemplate(template, (name) => String(values[name as keyof LinkValues] ?? ''))
}
