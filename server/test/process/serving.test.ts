import { renameSync, writeFileSync } from 'node:fs'
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

  it('starts on an empty data directory, and is ready after the first import', async () => {
    const service = await startMarquee(env)
    expect((await fetch(`${service.address}/healthz`)).status).toBe(200)
    const notReady = await fetch(`${service.address}/readyz`)
    expect(notReady.status).toBe(503)
    expect(notReady.headers.get('X-Error-Code')).toBe('unavailable')

    const imported = await marquee(['import', '-', '--json'], env, gzipSync(lines(feed)))
    expect(imported.code, imported.stderr).toBe(0)
    expect(JSON.parse(imported.stdout)).toMatchObject({ shows: 2, offers: 2, changes: { new: 2 }, notices: {} })
    await eventually(async () => (await fetch(`${service.address}/readyz`)).ok || undefined)

    const { stdout } = await marquee(['keys', 'create', '--plan', 'unlimited', '--name', 'test', '--json'], env)
    const { key, id } = JSON.parse(stdout)
    const ask = () => fetch(`${service.address}/v4/shows/tt0000001?country=us`, { headers: { 'X-API-Key': key } })
    expect(await (await ask()).json()).toMatchObject({ title: 'First' })
    // The images and links of the demo exist with the demo only.
    for (const path of ['/watch/netflix/us/1/First', '/artwork/1-crime/vertical-poster/w360/First.svg'])
      expect((await fetch(service.address + path)).status).toBe(404)

    expect((await marquee(['keys', 'list'], env)).stdout).toContain('active')
    expect((await marquee(['keys', 'revoke', id], env)).code).toBe(0)
    expect((await ask()).status).toBe(403)
    expect(await service.stop()).toBe(0)
  })

  it('replaces a worker that dies', async () => {
    const service = await startMarquee(env)
    const listening = () => service.events('worker_listening').map(({ pid }) => pid)
    await eventually(async () => listening().length === 2 || undefined)
    process.kill(listening()[0] as number, 'SIGKILL')
    await eventually(async () => service.events('worker_died').length === 1 || undefined)
    await eventually(async () => listening().length === 3 || undefined)
    // Ready again once the primary knows that all workers are.
    await eventually(async () => (await fetch(`${service.address}/readyz`)).ok || undefined)
    expect(await service.stop()).toBe(0)
  })

  it('renews workers whose catalog was replaced, and is not ready meanwhile', async () => {
    const { MARQUEE_DATA: data } = env
    const service = await startMarquee(env)
    const ready = async () => {
      const response = await fetch(`${service.address}/readyz`)
      return { ok: response.ok, ...((await response.json()) as { message?: string; catalogVersion?: number }) }
    }
    await eventually(async () => (await ready()).ok || undefined)
    const before = await ready()
    // As a bootstrap and a restore do it: the new catalog is made beside, and renamed.
    const other = { MARQUEE_DATA: join(folder, 'other') }
    for (const title of ['A', 'B']) {
      await marquee(['import', '-'], other, Buffer.from(lines(aSnapshot(aMovie({ id: '1', title })))))
    }
    renameSync(join(data, 'catalog'), join(folder, 'gone'))
    renameSync(join(other.MARQUEE_DATA, 'catalog'), join(data, 'catalog'))
    const refused = await eventually(async () => {
      const state = await ready()
      return state.ok ? undefined : state
    })
    expect(refused.message).toContain('still serve a catalog that was replaced')
    const after = await eventually(async () => {
      const state = await ready()
      return state.ok ? state : undefined
    })
    expect(after.catalogVersion).not.toBe(before.catalogVersion)
    expect(service.events('workers_outdated')).toHaveLength(1)
    expect(await service.stop()).toBe(0)
  })

  it('finishes its requests before it stops', async () => {
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

  it('prints one line when it cannot listen', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    const taken = await marquee(['serve'], { ...env, MARQUEE_WORKERS: '3', PORT: String(port) })
    expect(taken.stderr).toMatch(new RegExp(`^marquee: cannot serve: PORT is ${port}, and another program .*\n$`))
    const nowhere = await marquee(['serve'], { ...env, PORT: '0', HOST: '-1' })
    expect(nowhere.stderr).toMatch(/^marquee: cannot serve: HOST is -1, .*\n$/)
    expect([taken.code, nowhere.code]).toEqual([1, 1])
  })

  it('refuses a folder that another service serves, and starts once that one was killed', async () => {
    const own = { ...env, MARQUEE_DATA: join(folder, 'claimed'), MARQUEE_WORKERS: '1' }
    const first = await startMarquee(own)
    const second = await marquee(['serve', '--demo'], { ...own, PORT: '0' })
    expect(second.stderr).toMatch(
      new RegExp(`^marquee: The folder \\S+claimed is served by process ${first.process.pid} `),
    )
    expect(second.code).toBe(1)
    // Commands and backups work beside the service.
    expect(await marquee(['backup', join(folder, 'copy')], own)).toMatchObject({ code: 0 })
    await (await startMarquee({ ...own, MARQUEE_DATA: join(folder, 'copy') })).stop()
    await first.stop('SIGKILL')
    expect(await (await startMarquee(own)).stop()).toBe(0)
  })

  it('says how to create keys if --demo finds another catalog', async () => {
    const own = { ...env, MARQUEE_DATA: join(folder, 'own') }
    await marquee(['import', '-'], own, Buffer.from(lines(feed)))
    const service = await startMarquee(own, ['--demo'])
    await eventually(async () => service.output().includes('has a catalog of its own') || undefined)
    expect(service.output()).toContain('marquee keys create')
    await service.stop()
  })

  it('names every invalid setting', async () => {
    const result = await marquee(['serve'], { ...env, PORT: 'eighty', LOG_LEVEL: 'loud', MARQUEE_WORKERS: '0' })
    expect(result.code).toBe(1)
    for (const name of ['PORT', 'LOG_LEVEL', 'MARQUEE_WORKERS']) expect(result.stderr).toContain(name)
  })
})

describe('marquee import', () => {
  const folder = temporaryFolder(afterAll)
  const env = { MARQUEE_DATA: join(folder, 'data') }

  it('names a feed that cannot be read', async () => {
    const result = await marquee(['import', join(folder, 'nothing.ndjson')], env)
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('nothing.ndjson cannot be read')
  })

  it('imports the valid records of a feed, and reports the others by line', async () => {
    const path = join(folder, 'feed.ndjson')
    writeFileSync(path, `${lines(feed)}{"kind":"show","showType":"movie"}\nnot json\n`)
    const checked = await marquee(['validate', path, '--json'], env)
    expect(JSON.parse(checked.stdout)).toMatchObject({ shows: 2, notices: { missing_field: 1, unreadable_line: 1 } })
    expect((await marquee(['status', '--json'], env)).stderr).toContain('There is no catalog')
    const imported = await marquee(['import', path], env)
    expect(imported.code).toBe(1)
    expect(imported.stdout).toContain(`line ${feed.length + 1}`)
    expect(imported.stdout).toContain(`line ${feed.length + 2}`)
    expect(JSON.parse((await marquee(['status', '--json'], env)).stdout)).toMatchObject({ shows: 2, offers: 2 })
  })
})
