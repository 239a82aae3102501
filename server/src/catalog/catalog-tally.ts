import type { Offer, OffersByCountry } from '../model/offer.ts'
import type { Show } from '../model/show.ts'
import type { CatalogCounts } from './catalog.ts'

/** Keeps count of shows and offers while a batch is applied. */
export class CatalogTally {
  private shows: number
  private offers: number
  private readonly bySource: Map<string, number>

  constructor({ shows, offers, offersBySource }: CatalogCounts) {
    this.shows = shows
    this.offers = offers
    this.bySource = new Map(Object.entries(offersBySource))
  }

  replace(old: Show | undefined, show: Show): void {
    if (old !== undefined) this.count(old, -1)
    this.count(show, 1)
  }

  counts(): CatalogCounts {
    const sources = [...this.bySource].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1))
    return { shows: this.shows, offers: this.offers, offersBySource: Object.fromEntries(sources) }
  }

  private count(show: Show, sign: 1 | -1): void {
    if (show.deleted !== true) this.shows += sign
    this.countOffers(show.offers, sign)
    for (const { offers, episodes = [] } of show.seasons ?? []) {
      this.countOffers(offers, sign)
      for (const episode of episodes) this.countOffers(episode.offers, sign)
    }
  }

  private countOffers(offers: OffersByCountry, sign: 1 | -1): void {
    for (const country in offers) {
      for (const { source } of offers[country] as readonly Offer[]) {
        this.offers += sign
        this.bySource.set(source, (this.bySource.get(source) ?? 0) + sign)
      }
    }
  }
}
