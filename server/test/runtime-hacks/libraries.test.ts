import pg from 'pg'
import { type Metric, type MetricObject, Registry } from 'prom-client'
import { expect, test } from 'vitest'

/* Canaries for undocumented behaviour of libraries; see server/src/lib/runtime-hacks/README.md. */

test('a client of pg has its socket in connection.stream', () => {
  const client = new pg.Client({ host: '127.0.0.1', port: 1 }) as unknown as {
    connection: { stream: { destroy: unknown } }
  }
  expect(client.connection.stream.destroy).toBeTypeOf('function')
})

test('a registry of prom-client takes any object with a name and get() as a metric', async () => {
  const registry = new Registry()
  const metric = {
    name: 'a_total',
    get: async () => ({
      name: 'a_total',
      help: 'Help.',
      type: 'counter',
      aggregator: 'sum',
      values: [{ labels: { kind: 'x' }, value: 3 }],
    }),
  }
  registry.registerMetric(metric as unknown as Metric & MetricObject)
  expect(await registry.metrics()).toContain('a_total{kind="x"} 3')
})
