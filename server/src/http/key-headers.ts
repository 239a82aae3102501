/** The two ways into the API: where each kind of key is used, and in which headers. */
export interface KeyHeaders {
  readonly direct: string
  /** Both spellings, the one that messages name first. */
  readonly marketplace: readonly [string, string]
}

/** The names of the headers that carry keys, for a marketplace's name. */
export function keyHeaders(marketplace: string): KeyHeaders {
  return { direct: 'X-API-Key', marketplace: [`X-${marketplace}-API-Key`, `X-${marketplace}API-Key`] }
}

/** The base paths under which all endpoints are mounted, by key source. */
export const BASES = { direct: '/v4', marketplace: '' } as const
