import { lstatSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Finding, FindingBuilder } from './finding.ts'

/** Permissions of the group and of all others. */
const OTHERS = 0o077

/** Deeper than any folder that the program makes. */
const MAX_DEPTH = 4

/**
 * Files and folders of the data directory that others than their owner may read, write or enter. The program makes none
 * such; copies, restored backups and folders made by hand may be.
 */
export function checkFiles(dataDir: string | undefined): Finding {
  const finding = new FindingBuilder('open_files')
  if (dataDir !== undefined && process.platform !== 'win32') checkEntry(resolve(dataDir), 0)
  return finding.build()

  function checkEntry(path: string, depth: number): void {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    // A link is as open as what it leads to, and files may go away meanwhile.
    if (stats === undefined || stats.isSymbolicLink()) return
    if ((stats.mode & OTHERS) !== 0) {
      finding.add(() => ({
        subject: path,
        details: [`mode ${(stats.mode & 0o777).toString(8).padStart(4, '0')}`],
        command: `chmod -R go-rwx ${quoteForShell(resolve(dataDir ?? ''))}`,
      }))
    }
    if (stats.isDirectory() && depth < MAX_DEPTH)
      for (const name of readdirSync(path).sort()) checkEntry(join(path, name), depth + 1)
  }
}

function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
