import type { OffersByCountry } from './offer.ts'
import type { ItemType, Show } from './show.ts'

/** Something of a show that has offers of its own: the show itself, a season, an episode (counted from 1). */
export interface Item {
  readonly itemType: ItemType
  readonly season?: number
  readonly episode?: number
}

/** The items of a show in order, each with its offers. */
export function* itemsOf(show: Show): Iterable<[item: Item, offers: OffersByCountry]> {
  yield [{ itemType: 'show' }, show.offers]
  let s = 0
  for (const season of show.seasons ?? []) {
    s++
    yield [{ itemType: 'season', season: s }, season.offers]
    let e = 0
    for (const episode of season.episodes ?? []) {
      yield [{ itemType: 'episode', season: s, episode: ++e }, episode.offers]
    }
  }
}

/** Replaces the offers of every item of a show. */
export function mapItems(show: Show, change: (offers: OffersByCountry, item: Item) => OffersByCountry): Show {
  return {
    ...show,
    offers: change(show.offers, { itemType: 'show' }),
    ...(show.seasons !== undefined && {
      seasons: show.seasons.map((season, s) => ({
        ...season,
        offers: change(season.offers, { itemType: 'season', season: s + 1 }),
        ...(season.episodes !== undefined && {
          episodes: season.episodes.map((episode, e) => ({
            ...episode,
            offers: change(episode.offers, { itemType: 'episode', season: s + 1, episode: e + 1 }),
          })),
        }),
      })),
    }),
  }
}
