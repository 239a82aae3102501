import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { AuditEntry } from '../../accounts/store/audit-log.ts'
import { formatInstant, withAccounts } from '../../runtime/open-stores.ts'
import { CommandError, parseWholeNumber, printJson, printLines, printTable } from '../terminal/output.ts'

interface Json {
  readonly json?: boolean
}

/** Adds `marquee accounts` and `marquee admin`. */
export function addAccountsCommands(program: Command): void {
  const accounts = program.command('accounts').description('list and invite developers, and change their plans')
  accounts
    .command('list')
    .description('list all accounts')
    .option('--json', 'print a JSON array')
    .action((flags: Json) =>
      withAccounts(({ users, keys }) => {
        const people = users.list().map((account) => ({
          ...account,
          keys: keys.list(account.id).filter(({ revokedAt }) => revokedAt === undefined).length,
        }))
        if (flags.json === true) printJson(people)
        else {
          printTable(
            ['id', 'e-mail', 'role', 'plan', 'keys', 'made'],
            people.map(({ id, email, role, plan, keys: count, createdAt }) => [
              id,
              email,
              role,
              plan,
              count,
              formatInstant(createdAt),
            ]),
          )
        }
      }),
    )
  accounts
    .command('plan')
    .description('put an account, and so all its keys, on another plan; it holds at once')
    .argument('<id>', "the account's id, as `marquee accounts list` shows it")
    .argument('<plan>', 'the name of a plan, as `marquee plans` shows it')
    .option('--json', 'print one JSON object')
    .action((id: string, plan: string, flags: Json) =>
      withAccounts(async ({ users }, act) => {
        const account = await users.setPlan(id, plan, act)
        if (flags.json === true) printJson(account)
        else printLines(`${account.email} is on the plan ${plan}`)
      }),
    )
  accounts
    .command('invite')
    .description('let an address sign up while MARQUEE_SIGN_UP is "invited"; the code is shown this once')
    .argument('<email>', 'the address')
    .option('--json', 'print one JSON object')
    .action((email: string, flags: Json) =>
      withAccounts(async ({ users }, act) => {
        const { code, endsAt } = await users.invite(email, act)
        if (flags.json === true) printJson({ email, code, endsAt })
        else process.stdout.write(`${code}\n`)
      }),
    )
  program
    .command('admin')
    .description('make accounts that look after the service')
    .command('create')
    .description("make an admin's account; the password is asked for, or read from standard input")
    .argument('<email>', 'the address to sign in with')
    .option('--json', 'print one JSON object')
    .action(async (email: string, flags: Json) => {
      const password = await readPassword()
      await withAccounts(async ({ users }, act) => {
        const account = await users.create({ email, password, role: 'admin', plan: 'unlimited' }, act)
        if (flags.json === true) printJson(account)
        else printLines(`${account.email} is an admin`)
      })
    })
}

/** Reads a password without showing it. */
async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) {
    const given = (await text(process.stdin)).replace(/\r?\n$/, '')
    if (given === '') throw new CommandError('A password is needed on standard input')
    return given
  }
  process.stderr.write('Password: ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  const given = await lines.question('')
  lines.close()
  process.stderr.write('\n')
  return given
}

/** Adds `marquee audit`. */
export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description('who created, changed and ended keys, accounts and plans, newest first')
    .option('--last <n>', 'how many entries', '50')
    .option('--target <id>', 'only what was done to this key, account or plan')
    .option('--json', 'print a JSON array')
    .action((flags: { last: string; target?: string; json?: boolean }) => {
      const last = parseWholeNumber('--last', flags.last, 1, 1_000_000)
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
              formatInstant(at),
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
