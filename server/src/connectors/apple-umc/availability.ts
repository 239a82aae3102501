import { parseCountry, parseLocale } from '../records/locales.ts'
import { addOption, emptyOptions, type OptionsByCountry } from '../records/streaming-options.ts'
import { parseQuality, parseUnixSeconds, toPrice } from '../records/values.ts'
import { childrenNamed, childText, childTexts, type XmlElement } from '../streams/xml-reader.ts'

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
