import type { Offer } from '../model/offer.ts'
import { averageRating, mapItems, type Show, showItems, withRating } from '../model/show.ts'
import { type FeedHeader, inScope } from './statement.ts'

/**
 * A show without the source's offers in the scope, and without its rating unless it may have more to say of it; and
 * how many offers it had.
 */
export function withoutSource(show: Show, { source, scope }: FeedHeader): { show: Show; removed: number } {
  const { show: without, removed } = withoutOffers(show, (country, offer) => {
    return offer.source === source && inScope(scope, country, offer.service)
  })
  const offered = [...showItems(without)].some(([, byCountry]) =>
    Object.values(byCountry).some((offers) => offers.some((offer) => offer.source === source)),
  )
  const scoped = scope.countries !== undefined || scope.services !== undefined
  if (offered || (scoped && removed === 0)) return { show: without, removed }
  const ratings = withRating(show.ratings, source, 0)
  return { show: { ...without, ratings, rating: averageRating(ratings) }, removed }
}

function withoutOffers(show: Show, isGone: (country: string, offer: Offer) => boolean) {
  let removed = 0
  const without = mapItems(show, (byCountry) => {
    const kept: Record<string, readonly Offer[]> = {}
    for (const country in byCountry) {
      const all = byCountry[country] ?? []
      const offers = all.filter((offer) => !isGone(country, offer))
      removed += all.length - offers.length
      if (offers.length > 0) kept[country] = offers
    }
    return kept
  })
  return { show: without, removed }
}
