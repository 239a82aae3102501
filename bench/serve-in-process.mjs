import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { openAccounts } from '../server/dist/accounts/accounts.js'
import { createMeter } from '../server/dist/accounts/keys/meter.js'
import { UsageRecorder } from '../server/dist/accounts/usage/usage-recorder.js'
import { Catalog } from '../server/dist/catalog/catalog.js'
import { openEnvironment } from '../server/dist/catalog/storage/environment.js'
import { createApp } from '../server/dist/http/app.js'
import { createClientAddressResolver } from '../server/dist/http/request/client.js'
import { createVisitorTokens } from '../server/dist/http/request/visitor-token.js'
import {
  combineObservers,
  createRequestMetrics,
  createUsageObserver,
} from '../server/dist/http/response/response-observer.js'
import { systemClock } from '../server/dist/lib/clock.js'
import { CatalogQueryEngine } from '../server/dist/render/catalog-query-engine.js'

/*
 * The HTTP app in a single process: `serve-in-process.mjs auth|no-auth DATA`. With "no-auth" every request is accepted
 * and nothing is counted. The only part of the benchmarks that imports server code: the service has no such setting.
 */
const [mode = '', data = ''] = process.argv.slice(2)
const engine = new CatalogQueryEngine(new Catalog(openEnvironment(data, { readOnly: true })))
const settings = { marketplace: 'Market', keyPrefix: 'mq-key-', countries: 'array' }
const shared = { engine, clock: systemClock, settings, logger: false }
const app = createApp({ ...shared, ...(mode === 'no-auth' ? acceptAll() : authenticate()) })
const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`listening ${new URL(address).port}\n`)
process.once('SIGTERM', () => process.exit(0))

function authenticate() {
  const accounts = openAccounts(join(data, 'accounts'))
  const meter = createMeter(accounts.quota, { clock: systemClock, processes: 2 })
  const recorder = new UsageRecorder(accounts.usage, systemClock)
  meter.start()
  recorder.start()
  return {
    keys: accounts.keys,
    meter,
    visitorTokens: createVisitorTokens(randomBytes(24).toString('hex'), createClientAddressResolver([])),
    observer: combineObservers(createUsageObserver(recorder), createRequestMetrics(new Registry())),
  }
}

function acceptAll() {
  const plan = { name: 'unlimited' }
  const key = { id: 'anyone', source: 'direct', plan, quotaOwner: 'anyone' }
  const admission = { plan, used: 1, resetsAt: 2_000_000_000, periodSeconds: 2_678_400, rateRemaining: undefined }
  const charge = (_key, admitted, cost) => ({ ...admitted, cost })
  return { keys: { find: () => key }, meter: { admit: () => admission, charge, refund: () => {} } }
}
