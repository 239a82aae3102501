import type { Answers } from '../render/answers.ts'
import { ApiError } from './errors.ts'
import type { Page } from './page.ts'
import { JSON_TYPE } from './responder.ts'

/** The process is alive. */
export function healthPage(): Page {
  return { contentType: JSON_TYPE, body: '{"status":"ok"}' }
}

/** The process can answer: there is a catalog. */
export function readinessPage(answers: Pick<Answers, 'version'>): Page {
  const version = answers.version()
  if (version > 0) return { contentType: JSON_TYPE, body: JSON.stringify({ status: 'ready', catalogVersion: version }) }
  throw new ApiError('unavailable', 'The service holds no catalog yet; import a feed.', {
    headers: ['Retry-After', '5'],
    extras: { retryAfter: 5 },
  })
}
