import { QUALITIES, type Quality } from '../model/offer.ts'

/** What a printed option is compared by. */
export interface PrintedOption {
  readonly service: { readonly id: string }
  readonly type: string
  readonly addon?: { readonly id: string }
  readonly quality?: Quality
  readonly price?: { readonly amount: string; readonly currency: string }
}

/**
 * The cheapest of the options of a country: on a subscription or an addon that the viewer has, else free, else the
 * cheapest rental, else the cheapest purchase. Of equally cheap ones the best quality, then the first. Undefined if there
 * are only subscriptions that the viewer does not have.
 */
export function findBestOffer<T extends PrintedOption>(
  options: readonly T[],
  services: ReadonlySet<string>,
): T | undefined {
  let best: T | undefined
  for (const option of options) {
    if (
      rank(option, services) < Number.POSITIVE_INFINITY &&
      (best === undefined || compare(option, best, services) < 0)
    )
      best = option
  }
  return best
}

function compare(a: PrintedOption, b: PrintedOption, services: ReadonlySet<string>): number {
  return rank(a, services) - rank(b, services) || comparePrices(a, b) || qualityNumber(b) - qualityNumber(a)
}

function rank({ service, type, addon }: PrintedOption, services: ReadonlySet<string>): number {
  switch (type) {
    case 'subscription':
      return services.has(service.id) ? 0 : Number.POSITIVE_INFINITY
    case 'addon':
      return services.has(`${service.id}.addon.${addon?.id}`) ? 0 : Number.POSITIVE_INFINITY
    case 'free':
      return 1
    case 'rent':
      return 2
    default:
      return 3
  }
}

/** An option without a price comes after those with one. Amounts of different currencies are not compared. */
function comparePrices({ price: a }: PrintedOption, { price: b }: PrintedOption): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  return a.currency === b.currency ? Number(a.amount) - Number(b.amount) : 0
}

function qualityNumber({ quality }: PrintedOption): number {
  return quality === undefined ? -1 : QUALITIES.indexOf(quality)
}
