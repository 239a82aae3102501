import type { Command } from 'commander'
import { UserError } from '../../lib/user-error.ts'
import { findManifestProblems, readManifest } from '../../runtime/backup-manifest.ts'
import { formatCount } from '../../runtime/progress.ts'
import type { JsonFlag } from '../terminal/flags.ts'
import { printJson, printLines } from '../terminal/output.ts'

/** Adds `marquee verify`. */
export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .description('check that every file of a backup is as it was written')
    .argument('<backup>', 'a folder that `marquee backup` made')
    .option('--json', 'print one JSON object')
    .action((backup: string, { json }: JsonFlag) => {
      const manifest = readManifest(backup)
      if (manifest === undefined) {
        throw new UserError(`The folder ${backup} is no complete backup: it has no backup.json`)
      }
      const problems = findManifestProblems(backup, manifest, true)
      const { catalog, keys, files, madeAt } = manifest
      if (json === true) printJson({ backup, madeAt, ...catalog, keys, files: files.length, problems })
      else if (problems.length > 0) printLines(`${backup} is damaged:`, ...problems.map((problem) => `  ${problem}`))
      else {
        const contents = `${formatCount(catalog.shows, 'show')}, ${formatCount(catalog.offers, 'offer')}`
        printLines(
          `${backup} is whole: ${formatCount(files.length, 'file')}, version ${catalog.version}`,
          `  ${contents}, ${formatCount(keys, 'key')}`,
        )
      }
      if (problems.length > 0) process.exitCode = 1
    })
}
