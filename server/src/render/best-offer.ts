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
 * cheapest rental, else the cheapest purchase. Undefined if there are only subscriptions that the viewer does not have.
 *
 * Amounts of different currencies are not compared: the cheapest is looked for in the currency that most options of the
 * kind have, of equally frequent ones in the first by code. Options without a price count only if none has one. Of
 * equally cheap ones it is the one of the best quality, then the first by service, addon and printed text. So it does
 * not depend on the order of the options.
 */
export function findBestOffer<T extends PrintedOption>(
  options: readonly T[],
  services: ReadonlySet<string>,
): T | undefined {
  const kind = Math.min(...options.map((option) => rank(option, services)))
  if (kind === Number.POSITIVE_INFINITY) return undefined
  const ofKind = options.filter((option) => rank(option, services) === kind)
  const currency = mostFrequentCurrency(ofKind)
  return ofKind.filter(({ price }) => price?.currency === currency).reduce((a, b) => (compare(b, a) < 0 ? b : a))
}

/** The currency that most options have, of equally frequent ones the first by code; undefined if none has a price. */
function mostFrequentCurrency(options: readonly PrintedOption[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { price } of options) {
    if (price !== undefined) counts.set(price.currency, (counts.get(price.currency) ?? 0) + 1)
  }
  const [first] = [...counts].sort(([a, countA], [b, countB]) => countB - countA || compareTexts(a, b))
  return first?.[0]
}

/** Orders options of one kind that have prices in one currency, or none. */
function compare(a: PrintedOption, b: PrintedOption): number {
  return (
    Number(a.price?.amount ?? 0) - Number(b.price?.amount ?? 0) ||
    qualityNumber(b) - qualityNumber(a) ||
    compareTexts(a.service.id, b.service.id) ||
    compareTexts(a.addon?.id ?? '', b.addon?.id ?? '') ||
    compareTexts(JSON.stringify(a), JSON.stringify(b))
  )
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

function qualityNumber({ quality }: PrintedOption): number {
  return quality === undefined ? -1 : QUALITIES.indexOf(quality)
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
