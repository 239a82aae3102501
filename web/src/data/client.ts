import { Marquee } from 'marquee-client'

/**
 * The client of the browser. Pages have no API key: they carry a visitor token of the server in a cookie that scripts
 * cannot read.
 */
export function createBrowserClient(): Marquee {
  return new Marquee({ baseUrl: '/v4', fetch: visitorFetch(), timeout: 10_000, retries: 1 })
}

/** A `fetch` that takes embedded responses first, and renews the visitor token when the server refuses it. */
function visitorFetch(): typeof fetch {
  let renewal: Promise<unknown> | undefined
  /** One renewal serves all requests that wait for it. */
  const renewToken = () => {
    renewal ??= fetch('/platform/pass', { method: 'POST' }).finally(() => {
      renewal = undefined
    })
    return renewal
  }
  return async (url, init) => {
    const embedded = takeEmbeddedResponse(String(url))
    if (embedded !== undefined) return embedded
    const response = await fetch(url, init)
    if (response.status !== 401) return response
    await renewToken()
    return fetch(url, init)
  }
}

/** The response to a request that the server has embedded in the HTML page. Each is used once: a second request wants news. */
function takeEmbeddedResponse(request: string): Response | undefined {
  if (isRestoredFromHistory()) return undefined
  for (const element of document.querySelectorAll<HTMLScriptElement>('script[data-answers]')) {
    if (element.dataset.answers !== request) continue
    element.remove()
    return new Response(element.textContent, { headers: { 'Content-Type': 'application/json' } })
  }
  return undefined
}

/** Whether the browser has restored the HTML page on back or forward: its embedded responses may be stale. */
export function isRestoredFromHistory(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'back_forward'
}
