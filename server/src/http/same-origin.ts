import type { ApiRequest } from './exchange.ts'

/**
 * Whether a page of this very host makes the request. Browsers say so themselves; where they do not, on hosts without
 * encryption, the origin or the referrer must name this host.
 */
export function isSameOrigin({ headers }: Pick<ApiRequest, 'headers'>): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const from = headers.origin ?? headers.referer
  return from !== undefined && URL.canParse(from) && new URL(from).host === headers.host?.toLowerCase()
}
