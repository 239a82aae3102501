import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { moveIn } from '../../src/ledger/postgres/move-in.ts'
import { type CommandResult, marquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testDatabase } from '../support/test-database.ts'

describe('marquee migrate', () => {
  const folder = temporaryFolder(afterAll)
  const data = join(folder, 'data')
  const back = join(folder, 'back')
  const feed = join(folder, 'feed.ndjson')
  const local = { MARQUEE_DATA: data, DATABASE_URL: '' }
  let url: string
  let digest: string
  let keys: string

  const done = (result: CommandResult) => {
    expect(result.code, result.stderr).toBe(0)
    return result.stdout
  }
  const digestOf = async (env: Record<string, string>) =>
    JSON.parse(done(await marquee(['status', '--digest', '--json'], env))).digest as string
  const keysOf = async (env: Record<string, string>) => done(await marquee(['keys', 'list', '--json'], env))

  beforeAll(async () => {
    url = await testDatabase()
    done(await marquee(['demo', '--shows', '700', '--countries', '3', '--out', feed], local))
    done(await marquee(['import', feed], local))
    done(await marquee(['keys', 'create', '--plan', 'unlimited', '--name', 'first'], local))
    digest = await digestOf(local)
    keys = await keysOf(local)
  })

  it('goes on with a move that was broken off, and compares every document', async () => {
    const ledger = new LocalLedger(data)
    const session = await openDatabase(url, { purpose: 'test' })
    const brokenOff = moveIn(session, ledger.catalog, (moved) => {
      if (moved >= 400) throw new Error('broken off')
    })
    await expect(brokenOff).rejects.toThrow('broken off')
    await session.close()
    await ledger.close()
    const early = await marquee(['import', feed], { MARQUEE_DATA: join(folder, 'other'), DATABASE_URL: url })
    expect(early.stderr).toContain('A catalog is being moved into this database')

    const moved = JSON.parse(done(await marquee(['migrate', '--to', url, '--json'], local)))
    expect(moved).toMatchObject({ shows: 700, keys: 1, commit: 1 })
    expect(moved.changes).toBeGreaterThan(0)
  })

  it('leaves a folder that follows the database, as any other does', async () => {
    const node = { MARQUEE_DATA: data, DATABASE_URL: url }
    expect(await digestOf(node)).toBe(digest)
    const fresh = { MARQUEE_DATA: join(folder, 'fresh'), DATABASE_URL: url }
    done(await marquee(['validate', feed], fresh))
    expect(await digestOf(fresh)).toBe(digest)
    expect(await keysOf(fresh)).toBe(keys)
    const refused = await marquee(['import', feed], local)
    expect(refused.stderr).toContain('holds a copy of a ledger in PostgreSQL')
  })

  it('takes everything back into a folder of its own', async () => {
    const node = { MARQUEE_DATA: data, DATABASE_URL: url }
    done(await marquee(['keys', 'create', '--plan', 'unlimited', '--name', 'second'], node))
    expect(done(await marquee(['migrate', '--to', back], node))).toContain('2 keys')
    const own = { MARQUEE_DATA: back, DATABASE_URL: '' }
    expect(await digestOf(own)).toBe(digest)
    expect(await keysOf(own)).toBe(await keysOf(node))
    done(await marquee(['import', feed], own))
    const again = await marquee(['migrate', '--to', back], node)
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('already; name a new one')
    expect(again.stderr + again.stdout).not.toContain('test@')
  })
})
