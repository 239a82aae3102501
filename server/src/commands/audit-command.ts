import type { Command } from 'commander'
import type { AuditEntry } from '../accounts/store/audit-log.ts'
import { printJson, printTable, wholeNumber } from './output.ts'
import { instantText, withAccounts } from './with-accounts.ts'

/** Adds `marquee audit`. */
export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description('who created, changed and ended keys, accounts and plans, newest first')
    .option('--last <n>', 'how many entries', '50')
    .option('--target <id>', 'only what was done to this key, account or plan')
    .option('--json', 'print a JSON array')
    .action((flags: { last: string; target?: string; json?: boolean }) => {
      const last = wholeNumber('--last', flags.last, 1, 1_000_000)
      return withAccounts(({ audit }) => {
        const entries: AuditEntry[] = []
        for (const entry of audit.newestFirst()) {
          if (flags.target !== undefined && entry.target !== flags.target) continue
          entries.push(entry)
          if (entries.length === last) break
        }
        if (flags.json === true) printJson(entries)
        else {
          printTable(
            ['when', 'who', 'what', 'to', 'details'],
            entries.map(({ at, by, action, target, details }) => [
              instantText(at),
              by,
              action,
              target,
              details === undefined ? '' : JSON.stringify(details),
            ]),
          )
        }
      })
    })
}
