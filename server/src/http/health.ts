import type { Answers } from '../render/answers.ts'
import { ApiError } from './errors.ts'
import type { Page } from './page.ts'
import { JSON_TYPE } from './responder.ts'

/** How a node stands to the ledger that it follows. */
export interface LedgerHealth {
  /** Whether the ledger answered when it was last asked. A node without its ledger goes on serving what it has. */
  readonly connected: boolean
  /** The last commit that this node holds, and the last one that it has heard of. */
  readonly commit: number
  readonly lastCommit: number
  /** For how long the node has known of commits that it does not hold, and how long it may. */
  readonly lagSeconds: number
  readonly maxLagSeconds: number
}

/** The process is alive. */
export function healthPage(): Page {
  return { contentType: JSON_TYPE, body: '{"status":"ok"}' }
}

/** The process can answer: there is a catalog, and it is not too far behind its ledger. */
export function readinessPage(answers: Pick<Answers, 'version'>, health?: LedgerHealth): Page {
  const version = answers.version()
  if (version === 0) throw notReady('The service holds no catalog yet; import a feed.')
  const { maxLagSeconds = 0, ...ledger } = health ?? { lagSeconds: 0 }
  if (ledger.lagSeconds > maxLagSeconds) {
    throw notReady(`The catalog has been behind its ledger for ${ledger.lagSeconds} seconds.`)
  }
  const body = { status: 'ready', catalogVersion: version, ...(health !== undefined && { ledger }) }
  return { contentType: JSON_TYPE, body: JSON.stringify(body) }
}

function notReady(message: string): ApiError {
  return new ApiError('unavailable', message, { headers: ['Retry-After', '5'], extras: { retryAfter: 5 } })
}
