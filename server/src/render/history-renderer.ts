import type { Catalog } from '../catalog/catalog.ts'
import type { OutputLanguage } from '../model/language.ts'
import { formatPrice } from '../model/offer.ts'
import { findTmdbProviderIds } from '../model/service.ts'
import type { Granularity } from '../model/show.ts'
import { SECONDS_PER_DAY, startOfDay } from '../model/time.ts'
import type { ShowShape } from '../query/queries.ts'
import { historyCountries, type PlaceSpans, readShowHistory } from '../query/show-history.ts'
import type { ReferenceRenderer } from './reference-renderer.ts'
import { chooseJson } from './shape-object.ts'

/** What the answer depends on beside the show. */
export interface HistoryRenderOptions {
  readonly granularity: Granularity
  readonly language: OutputLanguage
  readonly now: number
  readonly reference: ReferenceRenderer
}

/** What history is read from: the catalog, or a snapshot of its documents. */
type HistoryDocuments = Pick<Catalog, 'documents' | 'source'>

/** Renders the history of shows. */
export class HistoryRenderer {
  private readonly catalog: HistoryDocuments
  private readonly days: number

  /** @param days how long what has ended is shown */
  constructor(catalog: HistoryDocuments, days = Number.POSITIVE_INFINITY) {
    this.catalog = catalog
    this.days = days
  }

  /** The same for other documents. */
  over(catalog: HistoryDocuments): HistoryRenderer {
    return new HistoryRenderer(catalog, this.days)
  }

  /** The instant until which what is rendered now is valid: days of history end at midnight. */
  validUntil(now: number): number {
    return this.days === Number.POSITIVE_INFINITY ? this.days : startOfDay(now) + SECONDS_PER_DAY
  }

  /** The history of a show in a country as JSON, in pieces; returns the instant until which it is valid. */
  *render(doc: number, country: string, options: HistoryRenderOptions): Generator<string, number> {
    const head = JSON.stringify({ showId: this.catalog.documents.facts(doc)?.id, country }).slice(0, -1)
    yield `${head},"places":[`
    yield* joinItems(this.places(doc, country, options))
    yield ']}'
    return this.validUntil(options.now)
  }

  /** The places of a show in a country, each with its spans, as JSON. */
  private *places(doc: number, country: string, options: HistoryRenderOptions, shape?: ShowShape): Generator<string> {
    const { granularity, now } = options
    const keptSince = startOfDay(now) - this.days * SECONDS_PER_DAY
    const hasProviderIds = shape?.includes.has('tmdbProviderIds') === true
    for (const place of readShowHistory(this.catalog, doc, { country, granularity, keptSince })) {
      yield printPlace(place, options, hasProviderIds)
    }
  }

  /**
   * The places by country as JSON, in pieces: of some countries, or of all in which the show is or was live. The countries
   * are in their order, as in all members by country.
   * @param shape the shape of the show
   */
  *byCountry(
    doc: number,
    countries: readonly string[] | undefined,
    options: HistoryRenderOptions,
    shape: ShowShape,
  ): Generator<string> {
    let separator = ''
    yield '{'
    for (const country of countries?.toSorted() ?? historyCountries(this.catalog, doc)) {
      let start = `${separator}"${country}":[`
      for (const piece of joinItems(this.places(doc, country, options, shape), shape)) {
        yield start + piece
        start = ''
      }
      // A country without places is left out.
      if (start !== '') continue
      yield ']'
      separator = ','
    }
    yield '}'
  }
}

/** Places of a list, with commas between them and, if some of their members were chosen, with those only. */
function* joinItems(places: Iterable<string>, shape?: ShowShape): Generator<string> {
  const members = shape?.fields?.members?.get('history')?.members
  const fields = members === undefined ? undefined : { isMap: false, members }
  let separator = ''
  for (const place of places) {
    yield separator + (fields === undefined ? place : chooseJson(place, fields, shape?.extraMembers))
    separator = ','
  }
}

function printPlace(
  { place, spans }: PlaceSpans,
  { reference, language }: HistoryRenderOptions,
  hasProviderIds: boolean,
): string {
  const { country, season, episode, service, type, addon } = place
  const itemType = episode !== undefined ? 'episode' : season !== undefined ? 'season' : 'show'
  const head = JSON.stringify({ itemType, season, episode }).slice(0, -1)
  const addonPart = addon === undefined ? '' : `,"addon":${reference.addon(addon, service, country, language)}`
  const plainService = reference.service(service, country, language).toString()
  const ids = () => `,"tmdbProviderIds":${JSON.stringify(findTmdbProviderIds(service, country))}}`
  const servicePart = hasProviderIds ? plainService.slice(0, -1) + ids() : plainService
  const printed = spans.map(({ from, to, prices }) => ({
    from,
    to,
    prices: prices.map(({ from, to, quality, price }) => ({
      from,
      to,
      quality,
      price: { ...price, formatted: formatPrice(price) },
    })),
  }))
  return `${head},"service":${servicePart},"streamingOptionType":"${type}"${addonPart},"spans":${JSON.stringify(printed)}}`
}
