import type { Catalog } from '../catalog/catalog.ts'
import type { OutputLanguage } from '../model/language.ts'
import { formatPrice } from '../model/offer.ts'
import type { Granularity } from '../model/show.ts'
import { SECONDS_PER_DAY, startOfDay } from '../model/time.ts'
import type { FieldTree } from '../query/queries.ts'
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
  private *places(doc: number, country: string, options: HistoryRenderOptions): Generator<string> {
    const { granularity, now } = options
    const keptSince = startOfDay(now) - this.days * SECONDS_PER_DAY
    for (const place of readShowHistory(this.catalog, doc, { country, granularity, keptSince })) {
      yield printPlace(place, options)
    }
  }

  /**
   * The places by country as JSON, in pieces: of some countries, or of all in which the show is or was live.
   * @param chosen the members of places that were chosen; all if undefined
   */
  *byCountry(
    doc: number,
    countries: readonly string[] | undefined,
    options: HistoryRenderOptions,
    chosen: FieldTree['members'],
  ): Generator<string> {
    const fields = chosen === undefined ? undefined : { isMap: false, members: chosen }
    let separator = ''
    yield '{'
    for (const country of countries ?? historyCountries(this.catalog, doc)) {
      let start = `${separator}"${country}":[`
      for (const piece of joinItems(this.places(doc, country, options), fields)) {
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

/** Items of a list, with commas between them and, if some were chosen, with those members only. */
function* joinItems(items: Iterable<string>, fields?: FieldTree): Generator<string> {
  let separator = ''
  for (const item of items) {
    yield separator + (fields === undefined ? item : chooseJson(item, fields))
    separator = ','
  }
}

function printPlace({ place, spans }: PlaceSpans, { reference, language }: HistoryRenderOptions): string {
  const { country, season, episode, service, type, addon } = place
  const itemType = episode !== undefined ? 'episode' : season !== undefined ? 'season' : 'show'
  const head = JSON.stringify({ itemType, season, episode }).slice(0, -1)
  const addonPart = addon === undefined ? '' : `,"addon":${reference.addon(addon, service, country, language)}`
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
  return `${head},"service":${reference.service(service, country, language)},"streamingOptionType":"${type}"${addonPart},"spans":${JSON.stringify(printed)}}`
}
