import type { Catalog } from '../catalog/catalog.ts'
import type { OutputLanguage } from '../model/language.ts'
import { formatPrice } from '../model/offer.ts'
import type { Granularity } from '../model/show.ts'
import { SECONDS_PER_DAY, startOfDay } from '../model/time.ts'
import { historyCountries, type PlaceSpans, readShowHistory } from '../query/show-history.ts'
import type { ReferenceRenderer } from './reference-renderer.ts'

/** What the answer depends on beside the show. */
export interface HistoryRenderOptions {
  readonly granularity: Granularity
  readonly language: OutputLanguage
  readonly now: number
  readonly reference: ReferenceRenderer
}

/** Renders the history of shows. */
export class HistoryRenderer {
  private readonly catalog: Catalog
  private readonly days: number

  /** @param days how long what has ended is shown */
  constructor(catalog: Catalog, days = Number.POSITIVE_INFINITY) {
    this.catalog = catalog
    this.days = days
  }

  /** The instant until which what is rendered now is valid: days of history end at midnight. */
  validUntil(now: number): number {
    return this.days === Number.POSITIVE_INFINITY ? this.days : startOfDay(now) + SECONDS_PER_DAY
  }

  /** The places of a show in a country, each with its spans. */
  places(doc: number, country: string, options: HistoryRenderOptions): object[] {
    const { granularity, now } = options
    const keptSince = startOfDay(now) - this.days * SECONDS_PER_DAY
    return readShowHistory(this.catalog, doc, { country, granularity, keptSince }).map((one) =>
      printPlace(one, options),
    )
  }

  /** The same by country: of some countries, or of all in which the show is or was live. */
  byCountry(doc: number, countries: readonly string[] | undefined, options: HistoryRenderOptions): object {
    const asked = countries ?? historyCountries(this.catalog, doc)
    const entries = asked.map((country) => [country, this.places(doc, country, options)] as const)
    return Object.fromEntries(entries.filter(([, places]) => places.length > 0))
  }
}

function printPlace({ place, spans }: PlaceSpans, { reference, language }: HistoryRenderOptions): object {
  const { country, season, episode, service, type, addon } = place
  return {
    itemType: episode !== undefined ? 'episode' : season !== undefined ? 'season' : 'show',
    season,
    episode,
    service: JSON.parse(reference.serviceJson(service, country, language)),
    streamingOptionType: type,
    addon: addon === undefined ? undefined : JSON.parse(reference.addonJson(addon, service, country, language)),
    spans: spans.map(({ from, to, prices }) => ({
      from,
      to,
      prices: prices.map(({ from, to, quality, price }) => ({
        from,
        to,
        quality,
        price: { ...price, formatted: formatPrice(price) },
      })),
    })),
  }
}
