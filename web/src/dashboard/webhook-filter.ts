/** What a webhook gets, as the platform prints it. */
export interface WebhookFilter {
  readonly country: string
  readonly changeTypes: readonly string[]
  readonly itemTypes: readonly string[]
  readonly catalogs: readonly string[]
  readonly showType?: string
  readonly shows: readonly string[]
  readonly genres?: readonly string[]
  readonly language: string
  readonly leadDays: number
}

/**
 * All parts of a filter in one line, in the words of the API: its reader has written them there. Parts that leave everything
 * through are left out. Only `expiring` has a lead time.
 */
export function describeFilter(filter: WebhookFilter): string {
  const { country, changeTypes, itemTypes, catalogs, showType, shows, genres = [], language, leadDays } = filter
  const parts = [
    [country.toUpperCase()],
    changeTypes.map((type) => (type === 'expiring' ? `expiring (${leadDays} d)` : type)),
    itemTypes,
    showType === undefined ? [] : [showType],
    catalogs,
    genres,
    shows,
    [language],
  ]
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join(', '))
    .join(' · ')
}
