import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startDemoService } from '../support/demo-service.ts'
import { marquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const idsIn = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id)

it('marquee mirror copies a country of a running service into a file', async () => {
  const service = await startDemoService()
  const env = { ...service.env, MARQUEE_KEY: await service.createKey(), MARQUEE_URL: service.address }
  const file = join(temporaryFolder(), 'us.ndjson')
  const mirror = (country = 'us') => marquee(['mirror', '--country', country, '--out', file, '--json'], env)
  const first = JSON.parse((await mirror()).stdout)
  expect(first).toMatchObject({ country: 'us', file, removed: 0, isWhole: true })
  expect(new Set(idsIn(file)).size).toBe(first.updated)
  expect(JSON.parse((await mirror()).stdout)).toMatchObject({ updated: 0, isWhole: false, since: first.since })
  const wrong = await mirror('gb')
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('is a copy of us, not of gb')])
  // What the service rejects leaves no file behind.
  const folder = temporaryFolder()
  for (const country of ['us,gb', 'zz']) {
    const rejected = await marquee(['mirror', '--country', country, '--out', join(folder, 'other.ndjson')], env)
    expect([rejected.code, rejected.stderr]).toEqual([1, expect.stringContaining('"country"')])
    expect(readdirSync(folder)).toEqual([])
  }
  // A token that the service does not know: the whole country comes again.
  writeFileSync(`${file}.state`, '{"country":"us","since":"1.000000000000"}')
  expect(JSON.parse((await mirror()).stdout)).toMatchObject({ updated: first.updated, isWhole: true })
})

it('marquee mirror keeps the copy and leaves no other file when lines cannot be read', async () => {
  const show = { itemType: 'show', showType: 'movie', id: '1', title: 'New' }
  const server = createServer((_request, response) => {
    response.end(`{"kind":"export","since":"8.b"}\n${JSON.stringify(show)}\nnot JSON\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = temporaryFolder()
  const mirror = () =>
    marquee(['mirror', '--country', 'us', '--out', join(folder, 'us'), '--url', url, '--key', 'mq-key-a'], {})
  expect(await mirror()).toMatchObject({ code: 1, stdout: '' })
  expect(readdirSync(folder)).toEqual([])
  writeFileSync(join(folder, 'us'), '{"id":"1"}\n')
  writeFileSync(join(folder, 'us.state'), '{"country":"us","since":"7.a"}')
  expect(await mirror()).toMatchObject({ code: 1, stdout: '' })
  expect(readdirSync(folder).sort()).toEqual(['us', 'us.state'])
  expect(readFileSync(join(folder, 'us'), 'utf8')).toBe('{"id":"1"}\n')
})

it('marquee mirror alters the lines of shows that were altered, and no others', async () => {
  const show = (id: number, title: string) => ({ itemType: 'show', showType: 'movie', id: String(id), title })
  const altered = [show(2, 'Altered'), { kind: 'remove', id: '3' }, show(9, 'New')]
  const server = createServer((_request, response) => {
    const lines = [{ kind: 'export', since: '8.b' }, ...altered, { kind: 'end', complete: true, shows: 2 }]
    response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const file = join(temporaryFolder(), 'us.ndjson')
  writeFileSync(file, [1, 2, 3, 4].map((id) => `${JSON.stringify(show(id, 'Old'))}\n`).join(''))
  writeFileSync(`${file}.state`, '{"country":"us","since":"7.a"}')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { stdout } = await marquee(['mirror', '--country', 'us', '--out', file, '--url', url, '--key', 'mq-key-a'], {})
  expect(stdout).toContain('what was altered in us: 2 shows, 1 removed')
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).title)).toEqual(['Old', 'Altered', 'Old', 'New'])
  expect(idsIn(file)).toEqual(['1', '2', '4', '9'])
  expect(JSON.parse(readFileSync(`${file}.state`, 'utf8'))).toEqual({ country: 'us', since: '8.b' })
})
