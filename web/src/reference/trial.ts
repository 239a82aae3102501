/** What came of a request that the reader tried. */
export type Trial =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly milliseconds: number
      readonly headers: readonly (readonly [string, string])[]
      /** The body, indented if it is JSON. */
      readonly body: string
    }
  | { readonly kind: 'unreachable' }

/** Sends a request with a key, and nothing else that could let it in: neither session nor pass. */
export async function sendTrial(url: string, key: string): Promise<Trial> {
  const start = performance.now()
  try {
    const response = await fetch(url, {
      headers: { 'X-API-Key': key },
      credentials: 'omit',
      cache: 'no-store',
      // Keys can be limited to origins. The page keeps its address to itself, but its origin has to be said for those.
      referrerPolicy: 'origin',
    })
    const text = await response.text()
    const milliseconds = performance.now() - start
    return { kind: 'answer', status: response.status, milliseconds, headers: [...response.headers], body: pretty(text) }
  } catch {
    return { kind: 'unreachable' }
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
