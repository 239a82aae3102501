import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Where a data folder keeps what was there before a restore, a repair or a migration: a folder that does not exist yet, since one of
 * the same second may hold what an interrupted one has moved there.
 */
export function unusedPreviousFolder(dataDir: string, reason: 'restore' | 'repair' | 'migration', at: number): string {
  const stamp = new Date(at * 1000).toISOString().replace(/\D/g, '').slice(0, 14)
  const name = join(dataDir, `before-${reason}-${stamp}`)
  let folder = name
  for (let number = 2; existsSync(folder); number++) folder = `${name}-${number}`
  return folder
}
