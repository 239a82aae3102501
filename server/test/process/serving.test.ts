import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { eventually, marquee, startMarquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const feed = aSnapshot(aMovie({ id: '1', title: 'First' }), aMovie({ id: '2', title: 'Second' }))

describe('marquee serve', () => {
  const folder = temporaryFolder(afterAll)
  const env = { MARQUEE_DATA: join(folder, 'data'), MARQUEE_WORKERS: '2' }

  it('waits, not ready, on an empty data directory, and is ready with the first import', async () => {
    const service = await startMarquee(env)
    expect((await fetch(`${service.address}/healthz`)).status).toBe(200)
    const notReady = await fetch(`${service.address}/readyz`)
    expect(notReady.status).toBe(503)
    expect(await notReady.json()).toMatchObject({ code: 'unavailable' })

    const imported = await marquee(['import', '-', '--json'], env, gzipSync(lines(feed)))
    expect(imported.code, imported.stderr).toBe(0)
    expect(JSON.parse(imported.stdout)).toMatchObject({ shows: 2, offers: 2, changes: { new: 2 }, notices: {} })
    await eventually(async () => (await fetch(`${service.address}/readyz`)).ok || undefined)

    const { stdout } = await marquee(['keys', 'create', '--plan', 'unlimited', '--name', 'test', '--json'], env)
    const { key, id } = JSON.parse(stdout)
    const ask = () => fetch(`${service.address}/v4/shows/tt0000001?country=us`, { headers: { 'X-API-Key': key } })
    expect(await (await ask()).json()).toMatchObject({ title: 'First' })

    expect((await marquee(['keys', 'list'], env)).stdout).toContain('active')
    expect((await marquee(['keys', 'revoke', id], env)).code).toBe(0)
    expect((await ask()).status).toBe(403)
    expect(await service.stop()).toBe(0)
  })

  it('replaces a worker that dies', async () => {
    const service = await startMarquee(env)
    const listening = () =>
      [...service.output().matchAll(/"pid":(\d+)[^\n]*a worker listens/g)].map(([, pid]) => Number(pid))
    await eventually(async () => listening().length === 2 || undefined)
    process.kill(listening()[0] as number, 'SIGKILL')
    await eventually(async () => service.output().includes('a worker died and is replaced') || undefined)
    await eventually(async () => listening().length === 3 || undefined)
    expect((await fetch(`${service.address}/readyz`)).status).toBe(200)
    expect(await service.stop()).toBe(0)
  })

  it('lets requests finish when it is told to stop', async () => {
    const service = await startMarquee(env)
    const { stdout } = await marquee(['keys', 'create', '--plan', 'unlimited', '--json'], env)
    const headers = { 'X-API-Key': JSON.parse(stdout).key as string }
    let answered = 0
    let refused = 0
    let stopping = false
    const load = Array.from({ length: 8 }, async () => {
      for (;;) {
        try {
          const answer = await fetch(`${service.address}/v4/shows/search/filters?country=us`, { headers })
          expect(answer.status).toBe(200)
          await answer.json()
          answered++
        } catch (error) {
          // Only connections that were not accepted any more may fail.
          expect((error as { cause?: { code?: string } }).cause?.code, String(error)).toMatch(
            /ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET/,
          )
          if (stopping) refused++
          return
        }
      }
    })
    await eventually(async () => answered > 50 || undefined)
    stopping = true
    expect(await service.stop()).toBe(0)
    await Promise.all(load)
    expect(refused).toBe(8)
  })

  it('says what is wrong when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    const result = await marquee(['serve'], { ...env, PORT: String(port) })
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(new RegExp(`cannot serve: .*EADDRINUSE.*${port}`))
  })

  it('names every setting that is wrong', async () => {
    const result = await marquee(['serve'], { ...env, PORT: 'eighty', LOG_LEVEL: 'loud', MARQUEE_WORKERS: '0' })
    expect(result.code).toBe(1)
    for (const name of ['PORT', 'LOG_LEVEL', 'MARQUEE_WORKERS']) expect(result.stderr).toContain(name)
  })
})

describe('marquee import', () => {
  const folder = temporaryFolder(afterAll)
  const env = { MARQUEE_DATA: join(folder, 'data') }

  it('says that a feed cannot be read', async () => {
    const result = await marquee(['import', join(folder, 'nothing.ndjson')], env)
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('nothing.ndjson cannot be read')
  })

  it('takes the good records of a feed with bad ones, and reports those by line', async () => {
    const path = join(folder, 'feed.ndjson')
    writeFileSync(path, `${lines(feed)}{"kind":"show","showType":"movie"}\nnot json\n`)
    const checked = await marquee(['validate', path, '--json'], env)
    expect(JSON.parse(checked.stdout)).toMatchObject({ shows: 2, notices: { missing_field: 1, unreadable_line: 1 } })
    expect((await marquee(['status', '--json'], env)).stdout).toContain('"shows":0')
    const imported = await marquee(['import', path], env)
    expect(imported.code).toBe(1)
    expect(imported.stdout).toContain(`line ${feed.length + 1}`)
    expect(imported.stdout).toContain(`line ${feed.length + 2}`)
    expect(JSON.parse((await marquee(['status', '--json'], env)).stdout)).toMatchObject({ shows: 2, offers: 2 })
  })
})
