import { Catalog } from '../catalog/catalog.ts'
import { CATALOG_FORMAT, hasCatalog, isMigratable, openEnvironment } from '../catalog/storage/environment.ts'
import { formatCount, Progress } from './progress.ts'
import type { FolderRebuild } from './rebuild-folder.ts'

interface MigrateOptions {
  /** The time of the migration. */
  readonly at: number
  /** Whether this process serves the folder. */
  readonly isClaimed?: boolean
}

/**
 * Brings the catalog of a data folder to the current format, if it has an older one; undefined if it has not. A replica
 * is left alone: its node copies it again from PostgreSQL.
 */
export async function migrateFormat(dataDir: string, options: MigrateOptions): Promise<FolderRebuild | undefined> {
  if (!hasCatalog(dataDir) || !(await needsMigration(dataDir))) return undefined
  const { rebuildDataFolder } = await import('./rebuild-folder.ts')
  const progress = new Progress()
  try {
    return await rebuildDataFolder(dataDir, {
      ...options,
      reason: 'migration',
      onProgress: (label, done, total) => progress.update(label, done, () => done / Math.max(total, 1)),
    })
  } finally {
    progress.end()
  }
}

async function needsMigration(dataDir: string): Promise<boolean> {
  const environment = openEnvironment(dataDir, { readOnly: true })
  try {
    if (!isMigratable((environment.meta.get('format') as number | undefined) ?? CATALOG_FORMAT)) return false
    return new Catalog(environment, { allowOlderFormat: true }).logPosition() === undefined
  } finally {
    await environment.root.close()
  }
}

/** Says what a migration did, and the way back. */
export function describeMigration(dataDir: string, { formerFormat, previous, shows, changes }: FolderRebuild): string {
  const contents = `${formatCount(shows, 'show')} and ${formatCount(changes, 'change')}`
  return (
    `The catalog in ${dataDir} was brought from format ${formerFormat} to ${CATALOG_FORMAT}, with ${contents}. ` +
    `As it was before, it is in ${previous}, which the former version of the program can serve`
  )
}
