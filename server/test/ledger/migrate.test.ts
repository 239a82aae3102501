import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Session } from '../../src/ledger/postgres/session.ts'
import { marquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testDatabase } from '../support/test-database.ts'

describe('marquee migrate', () => {
  const folder = temporaryFolder(afterAll)
  const data = join(folder, 'data')
  const back = join(folder, 'back')
  const local = { MARQUEE_DATA: data, DATABASE_URL: '' }
  let url: string
  const digest = async (env: Record<string, string>) => {
    const { stdout, stderr } = await marquee(['status', '--digest', '--json'], env)
    expect(stderr).toBe('')
    return JSON.parse(stdout).digest as string
  }

  beforeAll(async () => {
    url = await testDatabase()
    const feed = join(folder, 'feed.ndjson')
    await marquee(['demo', '--shows', '900', '--countries', '3', '--out', feed], local)
    expect((await marquee(['import', feed], local)).code).toBe(0)
  })

  it('moves a catalog into PostgreSQL, going on where it was broken off', async () => {
    const before = await digest(local)
    // As a move leaves it that is killed after the first documents.
    const first = await marquee(['migrate', '--to', url, '--json'], local)
    expect(first.code, first.stderr).toBe(0)
    const session = await Session.open(url, { purpose: 'test' })
    await session.query(`UPDATE marquee_ledger SET state = 'filling', last_commit = 0, first_commit = 1`)
    await session.query('DELETE FROM marquee_commits')
    await session.query('DELETE FROM marquee_documents WHERE doc >= 400')
    await session.query('DELETE FROM marquee_changes WHERE batch > 0')
    const refused = await marquee(['import', join(folder, 'feed.ndjson')], { MARQUEE_DATA: data, DATABASE_URL: url })
    expect(refused.stderr).toContain('A catalog is being moved into this database')
    await session.close()
    expect(await digest(local)).toBe(before)
  })

  it('refuses a folder that is a copy already, and says how to go back', async () => {
    const again = await marquee(['migrate', '--to', url], local)
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('holds a copy of a ledger in PostgreSQL')
    expect(again.stderr).not.toContain(url)
  })
})
