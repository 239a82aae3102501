import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { startDemoService } from '../support/demo-service.ts'
import { marquee, startMarquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aTestService } from '../support/test-service.ts'
import { aGateway } from '../support/v4/federation.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/marquee.js', import.meta.url))

/** The body of an answer of a running service. */
async function ask(address: string, key: string, path: string): Promise<string> {
  const response = await fetch(`${address}/v4${path}`, { headers: { 'X-API-Key': key } })
  expect(response.status).toBe(200)
  return response.text()
}

test('a catalog that was copied from a running service is served with the same answers', async () => {
  const peer = await startDemoService()
  const key = await peer.createKey('--source', 'direct')
  const folder = temporaryFolder()
  const env = { MARQUEE_DATA: folder, MARQUEE_WORKERS: '1', V4_KEY: key }
  const args = [
    'sync',
    'v4',
    '--from',
    `${peer.address}/v4`,
    '--rate',
    '1000',
    '--languages',
    'en,fr',
    '--facts',
    'popularity',
    '--json',
  ]
  const limited = await marquee([...args, '--max-requests', '30'], env)
  expect(limited.code).toBe(1)
  expect(JSON.parse(limited.stdout)).toMatchObject({ requests: 30, paused: { reason: expect.any(String) } })
  const { code, stdout, stderr } = await marquee(args, env)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(JSON.parse(stdout)).toMatchObject({ resumed: true, failures: [], gone: 0 })

  const copy = await startMarquee(env)
  const ownKey = (await marquee(['keys', 'create', '--plan', 'unlimited', '--source', 'direct'], env)).stdout.trim()
  const countries = JSON.parse(await ask(peer.address, key, '/countries')) as { countryCode: string }[]
  const paths = ['/countries', '/countries?output_language=fr', '/genres']
  for (const { countryCode: country } of countries) {
    paths.push(
      `/shows/search/filters?country=${country}&series_granularity=episode&show_type=series`,
      `/shows/search/filters?country=${country}&output_language=fr`,
      `/shows/search/filters?country=${country}&order_by=popularity_1week`,
      `/shows/top?country=${country}&service=netflix`,
      `/changes?country=${country}&change_type=upcoming&item_type=show`,
      `/changes?country=${country}&change_type=expiring&item_type=season`,
    )
  }
  for (const path of paths) {
    expect({ path, body: await ask(copy.address, ownKey, path) }).toEqual({
      path,
      body: await ask(peer.address, key, path),
    })
  }
  await Promise.all([copy.stop(), peer.stop()])
})

test('a copy that is killed again and again goes on where it was', async () => {
  const movies = Array.from({ length: 230 }, (_, i) => aMovie({ id: String(i + 1), originalTitle: `Film ${i}` }))
  const remote = await aTestService(aSnapshot(...movies))
  const gateway = await aGateway(remote)
  const env = { MARQUEE_DATA: temporaryFolder(), V4_KEY: remote.directKey }
  const args = ['sync', 'v4', '--from', gateway.address, '--countries', 'us', '--languages', 'en', '--facts', 'none']
  for (const requests of [8, 14, 20]) {
    const child = spawn(process.execPath, [PROGRAM, ...args], { env: { ...process.env, ...env }, stdio: 'ignore' })
    gateway.fault = () => {
      if (gateway.requests.length >= requests) child.kill('SIGKILL')
      return undefined
    }
    const [, signal] = await once(child, 'exit')
    expect(signal).toBe('SIGKILL')
  }
  gateway.fault = () => undefined
  const { code, stdout } = await marquee([...args, '--json'], env)
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, resumed: true, failures: [] })
  const pages = gateway.requests.filter(({ path }) => path.startsWith('/shows/search/filters'))
  // Twelve pages of movies and one of series; at most the page under way is asked for again after a kill.
  expect(pages.length).toBeLessThanOrEqual(13 + 3 * 2)
  const { shows, offers } = JSON.parse((await marquee(['status', '--json'], env)).stdout)
  expect({ shows, offers }).toEqual({ shows: 230, offers: 230 })
})

test('everything that is wrong with the flags is said at once', async () => {
  const env = { MARQUEE_DATA: temporaryFolder(), V4_KEY: '' }
  const bad = [
    'sync',
    'v4',
    '--from',
    'api.example',
    '--countries',
    'usa',
    '--catalogs',
    'netflix.live',
    '--facts',
    'x',
  ]
  const { code, stderr } = await marquee(bad, env)
  expect(code).toBe(1)
  for (const part of [
    '--from is "api.example"; it must be an address such as https://api.example.com/v4',
    '--countries is "usa"',
    '--catalogs has "netflix.live"',
    '--facts has "x"',
    'A key is needed: set V4_KEY',
  ]) {
    expect(stderr).toContain(part)
  }
  const noBase = await marquee(['sync', 'v4', '--from', 'https://api.example', '--key', 'k'], env)
  expect(noBase.stderr).toContain('does not end in /v4')
})

test('a scheduled copy from a private address is refused unless it is allowed', async () => {
  const folder = temporaryFolder()
  const entry = { name: 'peer', sync: 'v4', from: 'http://127.0.0.1:9/v4', key: 'k', every: '1 day', countries: ['us'] }
  writeFileSync(join(folder, 'sources.json'), JSON.stringify([entry]))
  const env = { MARQUEE_DATA: folder }
  const refused = await marquee(['sources', 'run', 'peer', '--json'], env)
  expect(JSON.parse(refused.stdout)).toMatchObject({
    outcome: 'failed',
    problem: expect.stringContaining('no https://'),
  })
})
