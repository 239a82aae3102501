import { fillTemplate, type LINK_PLACEHOLDERS } from '../records/link-template.ts'
import { parseCountry, parseLocale } from '../records/locales.ts'
import { addOption, emptyOptions, type OptionsByCountry } from '../records/streaming-options.ts'
import { parseQuality, parseUnixSeconds, toPrice } from '../records/values.ts'
import { childrenNamed, childText, childTexts, type XmlElement } from '../streams/xml-reader.ts'

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
