/** Where the page remembers until when its pass is good. The pass itself is in a cookie that scripts cannot read. */
const UNTIL = 'marquee.pass-until'

/** A pass is renewed well before the service ends it after a day. */
const RENEW_AFTER_MS = 12 * 3_600_000

let asking: Promise<void> | undefined

/** Sends a request with a pass: fetches one first if need be, and anew if the service does not know it any more. */
export async function fetchWithPass(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  if (!(passUntil() > Date.now())) await askForPass()
  const response = await fetch(url, init)
  if (response.status !== 401) return response
  await askForPass()
  return fetch(url, init)
}

/** Sees to it that there is a pass by the time that the first request needs one. */
export function preparePass(): void {
  // What goes wrong here is met again, and told, by the request that needs the pass.
  if (!(passUntil() > Date.now())) askForPass().catch(() => {})
}

/** Asks for a pass, once for all requests that wait for one. */
function askForPass(): Promise<void> {
  asking ??= fetch('/platform/pass', { method: 'POST' })
    .then(({ ok }) => {
      if (ok) remember(Date.now() + RENEW_AFTER_MS)
    })
    .finally(() => {
      asking = undefined
    })
  return asking
}

let inMemory = 0

function passUntil(): number {
  return inMemory || Number(storage()?.getItem(UNTIL) ?? 0)
}

function remember(until: number): void {
  inMemory = until
  storage()?.setItem(UNTIL, String(until))
}

/** Some browsers forbid storage; then the page asks for a pass at each start. */
function storage(): Storage | undefined {
  try {
    return localStorage
  } catch {
    return undefined
  }
}
