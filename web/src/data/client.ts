import { Marquee } from 'marquee-client'

/** Where the API is: beside the page. The service, when it renders one, has no page, and fetches nothing either. */
const baseUrl = globalThis.location === undefined ? 'http://localhost/v4' : '/v4'

/** The client that all pages ask through. Pages have no key: they carry a pass that the service gives them. */
export const marquee = new Marquee({ baseUrl, fetch: fetchWithPass, timeout: 10_000, retries: 1 })

/**
 * Sends a request with the pass that came with the page, in a cookie that scripts cannot read; fetches a new one if the
 * service does not know it any more. What the service has sent along is not asked for.
 */
export async function fetchWithPass(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const known = answerWithPage(String(url))
  if (known !== undefined) return known
  const response = await fetch(url, init)
  if (response.status !== 401) return response
  await askForPass()
  return fetch(url, init)
}

let asking: Promise<unknown> | undefined

/** Asks for a pass, once for all requests that wait for one. */
function askForPass(): Promise<unknown> {
  asking ??= fetch('/platform/pass', { method: 'POST' }).finally(() => {
    asking = undefined
  })
  return asking
}

/**
 * The answer to a request, if the service has sent it along with the page. Each is good for one use: whoever asks again
 * wants news.
 */
export function answerWithPage(request: string): Response | undefined {
  if (isOldPage()) return undefined
  for (const element of document.querySelectorAll<HTMLScriptElement>('script[data-answers]')) {
    if (element.dataset.answers !== request) continue
    element.remove()
    return new Response(element.textContent, { headers: { 'Content-Type': 'application/json' } })
  }
  return undefined
}

/** Whoever goes back gets the page as it once came, and its answers may be of yesterday. */
export function isOldPage(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'back_forward'
}
