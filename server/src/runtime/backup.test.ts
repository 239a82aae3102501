import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { aMovie, anOption, aSnapshot } from '../../test/support/builders.ts'
import { feedFromRecords } from '../../test/support/feed.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { openAccounts } from '../accounts/accounts.ts'
import { readSettings } from '../config.ts'
import { importFeed } from '../ingest/import-feed.ts'
import { LocalLedger } from '../ledger/local-ledger.ts'
import { openLmdb } from '../lib/lmdb/lmdb.ts'
import { assertUsableFolder, findManifestProblems, markUnfinished, readManifest } from './backup-manifest.ts'
import { createBackup, rotateBackups } from './create-backup.ts'
import { openExistingCatalog, openLedger } from './open-ledger.ts'
import { restoreBackup } from './restore-backup.ts'
import { assertNotServed, claimDataDirectory } from './service-claim.ts'

const NOW = 1_800_000_000

/** A data folder with a catalog, a key, a schedule with its state, and a sync. */
async function aDataFolder() {
  const folder = temporaryFolder()
  const dataDir = join(folder, 'data')
  const ledger = new LocalLedger(dataDir)
  const movie = aMovie({ id: '1', streamingOptions: { us: [anOption()] } })
  await importFeed(feedFromRecords(aSnapshot(movie)), ledger, { clock: () => NOW })
  await ledger.close()
  const accounts = openAccounts(join(dataDir, 'accounts'))
  await accounts.keys.create({ source: 'direct', plan: 'unlimited', name: 'a' }, { by: 'operator', now: NOW })
  await accounts.close()
  const sync = openLmdb<string, string>({ path: join(dataDir, 'sync', 'tmdb') })
  await sync.put('position', 'seven')
  await sync.close()
  mkdirSync(join(dataDir, 'schedule'))
  writeFileSync(join(dataDir, 'schedule', 'acme.json'), '{"failures":0}')
  writeFileSync(join(dataDir, 'sources.json'), '[]')
  return { folder, dataDir, settings: readSettings({ MARQUEE_DATA: dataDir }) }
}

it('a backup holds catalog, keys, syncs and schedule, and its manifest names every damage', async () => {
  const { folder, settings } = await aDataFolder()
  const backup = join(folder, 'backup')
  const manifest = await createBackup(settings, backup, NOW)
  expect(manifest).toMatchObject({ madeAt: NOW, catalog: { shows: 1, offers: 1 }, keys: 1 })
  expect(manifest.files.map(({ path }) => path)).toEqual([
    'accounts/data.mdb',
    'catalog/data.mdb',
    'schedule/acme.json',
    'sources.json',
    'sync/tmdb/data.mdb',
  ])
  expect(readManifest(backup)).toEqual(manifest)
  expect(findManifestProblems(backup, manifest, true)).toEqual([])

  writeFileSync(join(backup, 'sources.json'), '{}')
  expect(findManifestProblems(backup, manifest, true)).toEqual([
    'sources.json has other content than when it was written',
  ])
  truncateSync(join(backup, 'accounts', 'data.mdb'), 4_096)
  expect(() => openExistingCatalog(backup)).toThrow(/is damaged: accounts\/data\.mdb has 4096 bytes instead of/)
  await expect(restoreBackup(backup, join(folder, 'elsewhere'), NOW)).rejects.toThrow('is damaged')
  expect(existsSync(join(folder, 'elsewhere'))).toBe(false)
})

it('an unfinished backup is never taken for a catalog, and the next one to its place clears it away', async () => {
  const { folder, settings } = await aDataFolder()
  // As a killed process leaves it; no process has this number.
  const abandoned = join(folder, 'backup.unfinished-999999999')
  mkdirSync(abandoned)
  markUnfinished(abandoned, 'backup')
  await expect(openLedger({ dataDir: abandoned, databaseUrl: undefined }, 'import')).rejects.toThrow('is unfinished')
  await createBackup(settings, join(folder, 'backup'), NOW)
  expect(existsSync(abandoned)).toBe(false)
  await expect(createBackup(settings, join(folder, 'backup'), NOW)).rejects.toThrow('is not empty')
})

it('a backup that is written to is a data folder of its own', async () => {
  const { folder, settings } = await aDataFolder()
  const backup = join(folder, 'backup')
  await createBackup(settings, backup, NOW)
  const ledger = await openLedger({ dataDir: backup, databaseUrl: undefined }, 'import')
  await importFeed(feedFromRecords(aSnapshot(aMovie({ id: '1' }), aMovie({ id: '2' }))), ledger, { clock: () => NOW })
  await ledger.close()
  expect(readManifest(backup)).toBeUndefined()
  assertUsableFolder(backup)
})

it('rotation deletes the oldest complete backups and nothing else', async () => {
  const { folder, settings } = await aDataFolder()
  const parent = join(folder, 'backups')
  for (let day = 1; day <= 3; day++) await createBackup(settings, join(parent, `day-${day}`), NOW + day)
  mkdirSync(join(parent, 'notes'))
  appendFileSync(join(parent, 'readme.txt'), 'mine')
  expect(rotateBackups(parent, 2)).toEqual(['day-1'])
  expect(['day-1', 'day-2', 'day-3', 'notes', 'readme.txt'].map((name) => existsSync(join(parent, name)))).toEqual([
    false,
    true,
    true,
    true,
    true,
  ])
})

it('a restore puts all parts back, keeps the former ones, and refuses beside a service', async () => {
  const { folder, dataDir, settings } = await aDataFolder()
  const backup = join(folder, 'backup')
  await createBackup(settings, backup, NOW)
  const ledger = new LocalLedger(dataDir)
  await importFeed(feedFromRecords(aSnapshot(aMovie({ id: '1' }), aMovie({ id: '2' }))), ledger, { clock: () => NOW })
  await ledger.close()
  writeFileSync(join(dataDir, 'sources.json'), '[1]')

  const { previous = '' } = await restoreBackup(backup, dataDir, NOW)
  expect(readFileSync(join(dataDir, 'sources.json'), 'utf8')).toBe('[]')
  expect(readFileSync(join(previous, 'sources.json'), 'utf8')).toBe('[1]')
  const restored = new LocalLedger(dataDir)
  expect(restored.catalog.counts().shows).toBe(1)
  await restored.close()
  const sync = openLmdb<string, string>({ path: join(dataDir, 'sync', 'tmdb') })
  expect(sync.get('position')).toBe('seven')
  await sync.close()

  // Another one in the same second, as after a kill, overwrites nothing.
  const { previous: second = '' } = await restoreBackup(backup, dataDir, NOW)
  expect(second).not.toBe(previous)
  expect([previous, second].map((place) => readFileSync(join(place, 'sources.json'), 'utf8'))).toEqual(['[1]', '[]'])

  await claimDataDirectory(dataDir, NOW)
  await expect(assertNotServed(dataDir)).rejects.toThrow(`is served by process ${process.pid} since`)
  await expect(restoreBackup(backup, dataDir, NOW)).rejects.toThrow('is served by')
})
