import { answerWithPage } from './answer-with-page.ts'

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
