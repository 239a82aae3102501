/** A base address without slashes at its end. Throws a `TypeError` for one that no request can be sent to. */
export function baseAddress(given: string): string {
  const base = given.replace(/\/+$/, '')
  const problem = problemOf(base)
  if (problem === undefined) return base
  // What may hold a password or a token is not repeated: errors end up in logs.
  const shown = /[@?#]/.test(base) ? '' : ` ${JSON.stringify(given)}`
  throw new TypeError(`The base address${shown} ${problem}; it should look like https://tv.example.com/v4`)
}

function problemOf(base: string): string | undefined {
  // The paths of requests are put behind it.
  if (/[?#]/.test(base)) return 'has a ? or # in it'
  let url: URL
  try {
    // Not every runtime likes to be asked for its location: only what is relative needs it.
    const page = /^\w+:/.test(base) ? undefined : globalThis.location?.href
    url = new URL(`${base}/`, page)
  } catch {
    return 'cannot be read as one'
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'does not begin with http:// or https://'
  // A fetch refuses them.
  if (url.username !== '' || url.password !== '') return 'holds a user name or a password'
  return undefined
}
