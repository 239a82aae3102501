import { expect, it, onTestFinished, test } from 'vitest'
import { coalesce, startMetricsServer } from './service-metrics.ts'

it('shares one result among calls while it is made, and for its time to live', async () => {
  let now = 0
  let calls = 0
  const read = coalesce(
    1_000,
    async () => ++calls,
    () => now,
  )
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1])
  now = 999
  expect(await read()).toBe(1)
  now = 1_000
  expect(await Promise.all([read(), read()])).toEqual([2, 2])
})

it('tries again after a failure', async () => {
  let calls = 0
  const read = coalesce(1_000, async () => {
    calls++
    if (calls === 1) throw new Error('a worker is starting')
    return calls
  })
  await expect(read()).rejects.toThrow('starting')
  expect(await read()).toBe(2)
})

const TOKEN = 'reads-the-metrics'

async function start(metricsToken?: string, read = async () => 'up 1\n') {
  const server = await startMetricsServer(0, { metricsHost: '127.0.0.1', metricsToken }, read)
  onTestFinished(() => server.stop())
  return (path: string, init?: RequestInit) => fetch(server.address + path, init)
}

test('the metrics, and nothing else, are on a port of their own', async () => {
  const get = await start()
  const answer = await get('/metrics')
  expect([answer.status, await answer.text()]).toEqual([200, 'up 1\n'])
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0.0.4/)
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  expect((await get('/v4/genres')).status).toBe(404)
  expect((await get('/metrics', { method: 'POST' })).status).toBe(405)
})

test('a token keeps them private', async () => {
  const get = await start(TOKEN)
  for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${TOKEN}`, TOKEN]) {
    const answer = await get('/metrics', { headers: { authorization } })
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="marquee"'])
  }
  expect((await get('/metrics', { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200)
})

test('metrics that cannot be gathered are 503, and a port that is taken is explained', async () => {
  const get = await start(undefined, async () => {
    throw new Error('a worker is silent')
  })
  const answer = await get('/metrics')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  const { port } = new URL(answer.url)
  const settings = { metricsHost: '127.0.0.1', metricsToken: undefined }
  await expect(startMetricsServer(Number(port), settings, async () => '')).rejects.toThrow(
    /MARQUEE_METRICS_PORT is \d+/,
  )
})
