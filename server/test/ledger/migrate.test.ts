import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgresAccounts } from '../../src/accounts/postgres/postgres-account-store.ts'
import { openAccountTables } from '../../src/accounts/store/account-tables.ts'
import { Catalog } from '../../src/catalog/catalog.ts'
import { openEnvironment } from '../../src/catalog/storage/environment.ts'
import { computeCatalogDigest } from '../../src/catalog/verify/catalog-digest.ts'
import { LocalLedger } from '../../src/ledger/local-ledger.ts'
import { migrateToLedger } from '../../src/ledger/postgres/migrate-catalog.ts'
import { openDatabase } from '../../src/lib/postgres/database.ts'
import { type CommandResult, marquee } from '../support/marquee-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testDatabase } from '../support/test-database.ts'
import { aNode } from '../support/test-store.ts'

describe('marquee migrate', () => {
  const folder = temporaryFolder(afterAll)
  const data = join(folder, 'data')
  const back = join(folder, 'back')
  const feed = join(folder, 'feed.ndjson')
  const local = { MARQUEE_DATA: data, DATABASE_URL: '' }
  let url: string
  let digest: string
  let keys: readonly object[]

  const done = (result: CommandResult) => {
    expect(result.code, result.stderr).toBe(0)
    return result.stdout
  }
  const digestOf = async (dir: string) => {
    const environment = openEnvironment(dir, { readOnly: true })
    const found = computeCatalogDigest(new Catalog(environment))
    await environment.root.close()
    return found
  }
  const keysOf = async (dir: string) => {
    const { tables, close } = openAccountTables(join(dir, 'accounts'))
    const found = [...tables.keys.getRange()].map(({ value }) => value)
    await close()
    return found
  }

  beforeAll(async () => {
    url = await testDatabase()
    done(await marquee(['demo', '--shows', '250', '--countries', '3', '--out', feed], local))
    done(await marquee(['import', feed], local))
    done(await marquee(['keys', 'create', '--plan', 'unlimited', '--name', 'first'], local))
    digest = await digestOf(data)
    keys = await keysOf(data)
  })

  it('resumes an interrupted migration, and compares every document', async () => {
    const ledger = new LocalLedger(data)
    const session = await openDatabase(url, { purpose: 'test' })
    const brokenOff = migrateToLedger(session, ledger.catalog, (moved) => {
      if (moved >= 200) throw new Error('broken off')
    })
    await expect(brokenOff).rejects.toThrow('broken off')
    await session.close()
    await ledger.close()
    const early = await marquee(['import', feed], { MARQUEE_DATA: join(folder, 'other'), DATABASE_URL: url })
    expect(early.stderr).toContain('A catalog is being moved into this database')

    const moved = JSON.parse(done(await marquee(['migrate', '--to', url, '--json'], local)))
    expect(moved).toMatchObject({ shows: 250, keys: 1, commit: 1 })
    expect(moved.changes).toBeGreaterThan(0)
  })

  it('leaves a folder that follows the database as a replica', async () => {
    expect(await digestOf(data)).toBe(digest)
    const fresh = join(folder, 'fresh')
    await (await aNode(url, fresh)).close()
    expect(await digestOf(fresh)).toBe(digest)
    const accounts = openPostgresAccounts(join(fresh, 'accounts'), url)
    await accounts.refresh()
    await accounts.close()
    expect(await keysOf(fresh)).toEqual(keys)
    const refused = await marquee(['import', feed], local)
    expect(refused.stderr).toContain('holds a copy of a ledger in PostgreSQL')
  })

  it('migrates everything back into a folder', async () => {
    const node = { MARQUEE_DATA: data, DATABASE_URL: url }
    done(await marquee(['keys', 'create', '--plan', 'unlimited', '--name', 'second'], node))
    expect(done(await marquee(['migrate', '--to', back], node))).toContain('2 keys')
    expect(await digestOf(back)).toBe(digest)
    expect(await keysOf(back)).toEqual(await keysOf(data))
    await new LocalLedger(back).close()
    const again = await marquee(['migrate', '--to', back], node)
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('already; name a new one')
    expect(again.stderr + again.stdout).not.toContain('test@')
  })
})
