import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readScheduleStatus } from '../../src/connectors/schedule/schedule-status.ts'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { eventually, marquee, startMarquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const feed = (id: number) => {
  const movie = aMovie({ id: String(id), imdbId: `tt000000${id}`, tmdbId: `movie/${id}`, title: `Movie ${id}` })
  return aSnapshot(movie)
    .map((record) => JSON.stringify(record))
    .join('\n')
}

/** A web server with one feed and its ETag; counts how often it sent the feed and how often 304. */
async function aFeedServer(body: string) {
  const counts = { sent: 0, unchanged: 0, address: '' }
  const server = createServer((request, response) => {
    if (request.headers['if-none-match'] === '"1"') {
      counts.unchanged++
      response.writeHead(304).end()
    } else {
      counts.sent++
      response.writeHead(200, { etag: '"1"' }).end(body)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  counts.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed.ndjson`
  return counts
}

test('the service imports what sources.json names, from a disk and from the web, while it serves', async () => {
  const folder = temporaryFolder()
  const web = await aFeedServer(feed(2))
  const env = { MARQUEE_DATA: folder, MARQUEE_WORKERS: '1', MARQUEE_PRIVATE_SOURCES: 'allow' }
  writeFileSync(join(folder, 'disk.ndjson'), feed(1))
  const entries = [
    { name: 'disk', from: 'disk.ndjson', every: '1 day' },
    { name: 'web', from: web.address, every: '1 day' },
    { name: 'none', from: 'nowhere.ndjson', every: '1 day' },
  ]
  writeFileSync(join(folder, 'sources.json'), JSON.stringify(entries))
  const service = await startMarquee(env)
  await eventually(async () => {
    const { sources } = readScheduleStatus(join(folder, 'sources.json'), folder, 0)
    return sources.every(({ lastRunAt }) => lastRunAt !== undefined) ? true : undefined
  }, 50)
  const status = JSON.parse((await marquee(['status', '--json'], env)).stdout)
  expect(status.sources.map(({ name }: { name: string }) => name)).toEqual(['disk', 'web'])
  expect(status.schedule.sources).toMatchObject([
    { name: 'disk', lastOutcome: 'imported', failures: 0, stale: false, running: false },
    { name: 'web', lastOutcome: 'imported', failures: 0 },
    { name: 'none', lastOutcome: 'failed', failures: 1, problem: expect.stringContaining('nowhere.ndjson') },
  ])
  const ready = await fetch(`${service.address}/readyz`)
  expect(ready.status).toBe(200)
  const metrics = await (await fetch(`${service.address}/metrics`)).text()
  expect(metrics).toContain('marquee_schedule_failures{name="none"} 1')
  expect(metrics).toMatch(/^marquee_schedule_last_success_timestamp_seconds\{name="web"\} \d+$/m)

  // An unchanged source is not imported again.
  for (const name of ['disk', 'web']) {
    const { stdout, code } = await marquee(['sources', 'run', name, '--json'], env)
    expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, name, outcome: 'unchanged' })
  }
  expect(web).toMatchObject({ sent: 1, unchanged: 1 })
  expect(await service.stop()).toBe(0)
})

test('a feed at a private address is refused unless the setting allows it', async () => {
  const folder = temporaryFolder()
  const web = await aFeedServer(feed(2))
  const entries = [{ name: 'web', from: web.address.replace('http:', 'https:'), every: '1 day' }]
  writeFileSync(join(folder, 'sources.json'), JSON.stringify(entries))
  const { code, stderr } = await marquee(['sources', 'run', 'web'], { MARQUEE_DATA: folder })
  expect(code).toBe(1)
  expect(stderr).toMatch(/127\.0\.0\.1, which is no public address.*MARQUEE_PRIVATE_SOURCES=allow/)
  expect(web.sent).toBe(0)
})

test('scope and mode of an entry override those of the feed', async () => {
  const folder = temporaryFolder()
  const env = { MARQUEE_DATA: folder }
  writeFileSync(join(folder, 'a.ndjson'), feed(1))
  const entries = [{ name: 'a', from: 'a.ndjson', every: '1 day', mode: 'delta', scope: { countries: ['fr'] } }]
  writeFileSync(join(folder, 'sources.json'), JSON.stringify(entries))
  await marquee(['sources', 'run', 'a'], env)
  const { sources, shows, offers } = JSON.parse((await marquee(['status', '--json'], env)).stdout)
  expect({ shows, offers }).toEqual({ shows: 1, offers: 0 })
  expect(sources).toMatchObject([
    { name: 'a', lastImport: { mode: 'delta', notices: { out_of_scope: expect.any(Number) } } },
  ])

  // What commands do with sources is in the audit log.
  await marquee(['sources', 'pause', 'a'], env)
  expect((await marquee(['sources', 'remove', 'a', '--yes'], env)).code).toBe(0)
  const { stdout } = await marquee(['audit', '--json'], env)
  const actions = ['source.removed', 'source.paused', 'source.run']
  expect(JSON.parse(stdout)).toMatchObject(actions.map((action) => ({ by: 'operator', action, target: 'a' })))
})

test('sources check names everything that is wrong with sources.json', async () => {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 'sources.json'),
    JSON.stringify([
      { name: 'a', every: 'often' },
      { from: 'x', every: '1 day' },
    ]),
  )
  const { code, stderr } = await marquee(['sources', 'check'], { MARQUEE_DATA: folder })
  expect(code).toBe(1)
  expect(stderr).toContain('a: "every" is "often"')
  expect(stderr).toContain('a: either "from" or "sync" is needed')
  expect(stderr).toContain('entry 2: "name" is missing')
})
