import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { openAccounts } from '../server/dist/accounts/accounts.js'
import { createMeter } from '../server/dist/accounts/meter.js'
import { UsageRecorder } from '../server/dist/accounts/usage-recorder.js'
import { Catalog } from '../server/dist/catalog/catalog.js'
import { openEnvironment } from '../server/dist/catalog/environment.js'
import { tellBoth } from '../server/dist/http/answer-observer.js'
import { createApp } from '../server/dist/http/app.js'
import { clientAddress } from '../server/dist/http/client-address.js'
import { createPagePasses } from '../server/dist/http/page-pass.js'
import { requestMetrics } from '../server/dist/http/request-metrics.js'
import { usageObserver } from '../server/dist/http/usage-observer.js'
import { systemClock } from '../server/dist/model/clock.js'
import { CatalogAnswers } from '../server/dist/render/catalog-answers.js'
import { keepTicksFast } from '../server/dist/serving/fast-ticks.js'

/*
 * The HTTP app in a single process: `serve-in-process.mjs auth|no-auth DATA`. With "no-auth" every request is accepted
 * and nothing is counted. The only part of the benchmarks that imports server code: the service has no such setting.
 */
keepTicksFast()
const [mode = '', data = ''] = process.argv.slice(2)
const answers = new CatalogAnswers(new Catalog(openEnvironment(data, { readOnly: true })))
const settings = { marketplace: 'Market', keyPrefix: 'mq-key-', countries: 'array' }
const shared = { answers, clock: systemClock, settings, logger: false }
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
    passes: createPagePasses(randomBytes(24).toString('hex'), clientAddress([])),
    observer: tellBoth(usageObserver(recorder), requestMetrics(new Registry())),
  }
}

function acceptAll() {
  const plan = { name: 'unlimited' }
  const key = { id: 'anyone', source: 'direct', plan, countedFor: 'anyone' }
  const admission = { plan, used: 1, reset: 2_000_000_000, window: 2_678_400, rateLeft: undefined }
  return { keys: { find: () => key }, meter: { admit: () => admission, refund: () => {} } }
}
