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
