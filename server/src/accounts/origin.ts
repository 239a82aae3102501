import { AccountProblem } from './account-problem.ts'

/** A web origin in the form in which browsers send it. */
export function normalizeOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const bare = text.trim().replace(/\/$/, '').toLowerCase()
  if (url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:') && isOriginOnly(url)) {
    return url.origin
  }
  // Apps that are no web pages have origins too, such as capacitor://localhost.
  if (/^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(bare) && url?.protocol !== 'https:') return bare
  const message = `"${text}" is not a web origin; a scheme and a host are needed, such as https://app.example`
  throw new AccountProblem('invalid_origin', message)
}

function isOriginOnly({ hostname, pathname, search, hash, username, password }: URL): boolean {
  return (
    !hostname.includes('*') && pathname === '/' && search === '' && hash === '' && username === '' && password === ''
  )
}
