import providerRows from './tmdb-providers.json' with { type: 'json' }

/** A provider of TMDB: the service, or the addon of one, that its id stands for. */
export interface ProviderRow {
  readonly id: number
  /** The names that TMDB has used for it. */
  readonly names: readonly string[]
  readonly service: string
  readonly addon?: string
  /** Where another provider of the same name is meant by it; any country without. */
  readonly countries?: readonly string[]
}

/** All known providers. The first row of a service names it. */
export const PROVIDER_ROWS: readonly ProviderRow[] = providerRows

const rowsByService = new Map<string, ProviderRow[]>()
for (const row of PROVIDER_ROWS) {
  const rows = rowsByService.get(row.service)
  if (rows === undefined) rowsByService.set(row.service, [row])
  else rows.push(row)
}

/** The ids that a service has at TMDB in a country, ascending; none if the table lacks it. */
export function findTmdbProviderIds(service: string, country: string): number[] {
  return (rowsByService.get(service) ?? [])
    .filter(({ addon, countries }) => addon === undefined && countries?.includes(country) !== false)
    .map(({ id }) => id)
    .sort((a, b) => a - b)
}
