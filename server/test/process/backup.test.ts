import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { aMovie, aSnapshot } from '../support/builders.ts'
import { marquee, startMarquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('marquee backup', () => {
  const folder = temporaryFolder(afterAll)
  const env = { MARQUEE_DATA: join(folder, 'data'), MARQUEE_WORKERS: '1' }
  const copy = { ...env, MARQUEE_DATA: join(folder, 'copy') }

  it('copies a consistent catalog while imports go on, and the copy can be served', async () => {
    const feed = join(folder, 'feed.ndjson')
    const shows = Array.from({ length: 200 }, (_, i) => aMovie({ id: String(i + 1) }))
    writeFileSync(
      feed,
      aSnapshot(...shows)
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    )
    expect((await marquee(['import', feed], env)).code).toBe(0)
    const made = await marquee(['keys', 'create', '--plan', 'unlimited', '--json'], env)
    const { key } = JSON.parse(made.stdout) as { key: string }

    const child = fork(fileURLToPath(new URL('../support/importing-child.mjs', import.meta.url)), [
      env.MARQUEE_DATA,
      '50000',
    ])
    child.send(aMovie({ id: '1' }))
    let imports = 0
    child.on('message', () => imports++)
    await once(child, 'message')
    const backedUp = await marquee(['backup', copy.MARQUEE_DATA, '--json'], env)
    expect(backedUp.code, backedUp.stderr).toBe(0)
    expect(imports).toBeGreaterThan(1)
    child.kill('SIGKILL')
    await once(child, 'exit')

    const { version } = JSON.parse(backedUp.stdout) as { version: number }
    expect(version).toBeGreaterThan(1)
    const exported = await marquee(['export'], copy)
    expect(JSON.parse(exported.stdout.slice(0, exported.stdout.indexOf('\n')))).toMatchObject({
      count: exported.stdout.trim().split('\n').length - 1,
    })
    const { address } = await startMarquee(copy)
    const answer = await fetch(`${address}/v4/shows/200?country=us`, { headers: { 'X-API-Key': key } })
    expect(answer.status).toBe(200)
    expect((await marquee(['import', feed], copy)).code).toBe(0)
  })

  it('refuses a folder that is not empty, and a data directory without a catalog', async () => {
    const taken = await marquee(['backup', folder], env)
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('is not empty')])
    const nothing = await marquee(['backup', join(folder, 'other')], { ...env, MARQUEE_DATA: join(folder, 'nowhere') })
    expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining('There is no catalog')])
  })
})
