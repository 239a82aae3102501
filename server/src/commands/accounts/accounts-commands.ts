import { isIP } from 'node:net'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { AccountAdmin } from '../../accounts/people/account-admin.ts'
import type { AccountMail } from '../../accounts/people/account-mail.ts'
import type { AuditContext } from '../../accounts/store/account-store.ts'
import type { Account, AuditEntry } from '../../accounts/store/account-tables.ts'
import { readSettings, serviceAddress } from '../../config.ts'
import { clientNetwork } from '../../http/request/client.ts'
import { UserError } from '../../lib/errors.ts'
import { openMail, withAccounts } from '../../runtime/open-accounts.ts'
import { type JsonFlag, parseWholeNumber } from '../terminal/flags.ts'
import { formatInstant, printJson, printLines, printTable } from '../terminal/output.ts'

/** Adds `marquee accounts` and `marquee admin`. */
export function addAccountsCommands(program: Command): void {
  const accounts = program.command('accounts').description('list, invite, change, disable and delete accounts')
  const addChange = (
    name: string,
    description: string,
    done: string,
    change: (admin: AccountAdmin, account: string, context: AuditContext) => Promise<Account>,
  ) =>
    accounts
      .command(name)
      .description(description)
      .argument('<account>', ACCOUNT_ARGUMENT)
      .option('--json', 'print one JSON object')
      .action((account: string, flags: JsonFlag) =>
        changeAccount(flags, done, (admin, context) => change(admin, account, context)),
      )
  accounts
    .command('list')
    .description('list all accounts')
    .option('--json', 'print a JSON array')
    .action((flags: JsonFlag) =>
      withAccounts(({ users, keys }) => {
        const accountList = users.list().map((account) => ({
          ...account,
          keys: keys.list(account.id).filter(({ revokedAt }) => revokedAt === undefined).length,
        }))
        if (flags.json === true) printJson(accountList)
        else {
          printTable(
            ['id', 'e-mail', 'role', 'plan', 'keys', 'created', 'state'],
            accountList.map(({ id, email, role, plan, keys: count, createdAt, disabledAt }) => [
              id,
              email,
              role,
              plan,
              count,
              formatInstant(createdAt),
              disabledAt === undefined ? 'active' : `disabled since ${formatInstant(disabledAt)}`,
            ]),
          )
        }
      }),
    )
  accounts
    .command('plan')
    .description('move an account and all its keys to another plan, effective immediately')
    .argument('<account>', ACCOUNT_ARGUMENT)
    .argument('<plan>', 'the name of a plan, as `marquee plans` shows it')
    .option('--json', 'print one JSON object')
    .action((account: string, plan: string, flags: JsonFlag) =>
      changeAccount(flags, `is on the plan ${plan}`, (admin, context) => admin.setPlan(account, plan, context)),
    )
  addChange('promote', 'make an account an admin', 'is an admin', (admin, account, context) =>
    admin.setRole(account, 'admin', context),
  )
  addChange('demote', 'make an admin a developer again', 'is a developer', (admin, account, context) =>
    admin.setRole(account, 'developer', context),
  )
  addChange(
    'disable',
    'end the sessions of an account and refuse its keys and sign-ins, until it is enabled',
    'is disabled',
    (admin, account, context) => admin.disable(account, context),
  )
  addChange(
    'enable',
    'enable a disabled account, with its keys as they were',
    'is enabled',
    (admin, account, context) => admin.enable(account, context),
  )
  addChange(
    'sign-out',
    'end all sessions of an account',
    'is signed out everywhere',
    async (admin, account, context) => {
      return (await admin.endSessions(account, context)).account
    },
  )
  accounts
    .command('reset')
    .description('print a link by which the owner of an account sets a new password, once, within a day')
    .argument('<account>', ACCOUNT_ARGUMENT)
    .option('--mail', 'send the link to the owner instead of printing it; needs MARQUEE_SMTP_URL')
    .option('--json', 'print one JSON object')
    .action((account: string, flags: MailFlags) =>
      withAccounts(async ({ admin }, context) => {
        const mail = flags.mail === true ? requireMail() : undefined
        const { code, endsAt, account: found } = await admin.createReset(account, context)
        const link = pageLink('/reset-password', code)
        if (mail !== undefined) {
          await sendOrShow(mail.sendResets(found.email, [{ code, endsAt, createdAt: found.createdAt }]), link)
          printMailed(flags, found.email, endsAt)
          return
        }
        if (flags.json === true) printJson({ email: found.email, link, code, endsAt })
        else process.stdout.write(`${link}\n`)
      }),
    )
  accounts
    .command('invite')
    .description('let an address sign up while MARQUEE_SIGN_UP is "invited"; the code is printed only once')
    .argument('<email>', 'the address')
    .option('--mail', 'send the invitation to the address instead of printing it; needs MARQUEE_SMTP_URL')
    .option('--json', 'print one JSON object')
    .action((email: string, flags: MailFlags) =>
      withAccounts(async ({ admin }, context) => {
        const mail = flags.mail === true ? requireMail() : undefined
        const { code, endsAt } = await admin.invite(email, context)
        if (mail !== undefined) {
          await sendOrShow(mail.sendInvitation(email, { code, endsAt }), pageLink('/sign-up', code))
          printMailed(flags, email, endsAt)
          return
        }
        if (flags.json === true) printJson({ email, code, endsAt })
        else process.stdout.write(`${code}\n`)
      }),
    )
  accounts
    .command('unlock')
    .description('let an address sign in again at once after too many failed attempts')
    .argument('<email>', 'the address')
    .option('--client <address>', "also delete the counters of this client's IP address and network")
    .option('--json', 'print one JSON object')
    .action((email: string, flags: { client?: string } & JsonFlag) => {
      const { client } = flags
      if (client !== undefined && isIP(client) === 0)
        throw new UserError(`--client is ${JSON.stringify(client)}; it must be an IP address such as 192.0.2.1`)
      return withAccounts(async ({ users }, context) => {
        const counters = await users.unlock(email, client === undefined ? undefined : clientNetwork(client), context)
        if (flags.json === true) printJson({ email, counters })
        else printLines(counters === 0 ? `${email} was not locked` : `${email} can sign in again`)
      })
    })
  accounts
    .command('export')
    .description('print everything that is stored about an account, as JSON')
    .argument('<account>', ACCOUNT_ARGUMENT)
    .option('--json', 'the default')
    .action((account: string) => withAccounts(({ admin }) => printJson(admin.export(account))))
  accounts
    .command('delete')
    .description('delete an account with its keys and sessions, and print what was stored about it, as JSON')
    .argument('<account>', ACCOUNT_ARGUMENT)
    .requiredOption('--yes', 'confirm it: a deleted account cannot be restored')
    .option('--json', 'the default')
    .action((account: string) =>
      withAccounts(async ({ admin }, context) => printJson(await admin.delete(account, context))),
    )
  program
    .command('admin')
    .description('create accounts that administer the service')
    .command('create')
    .description('create an admin account; the password is prompted for, or read from standard input')
    .argument('<email>', 'the address to sign in with')
    .option('--json', 'print one JSON object')
    .action(async (email: string, flags: JsonFlag) => {
      const password = await readPassword()
      await withAccounts(async ({ users }, context) => {
        const account = await users.create({ email, password, role: 'admin', plan: 'unlimited' }, context)
        if (flags.json === true) printJson(account)
        else printLines(`${account.email} is an admin`)
      })
    })
}

const ACCOUNT_ARGUMENT = "the account's e-mail address, or its id as `marquee accounts list` shows it"

type ChangeAccount = (admin: AccountAdmin, context: AuditContext) => Promise<Account>

/** Changes an account and prints what it is now. */
function changeAccount({ json }: JsonFlag, done: string, change: ChangeAccount): Promise<void> {
  return withAccounts(async ({ admin }, context) => {
    const account = await change(admin, context)
    if (json === true) printJson(account)
    else printLines(`${account.email} ${done}`)
  })
}

interface MailFlags extends JsonFlag {
  readonly mail?: boolean
}

function requireMail(): AccountMail {
  const mail = openMail(readSettings(process.env))
  if (mail !== undefined) return mail
  throw new UserError('Mails need a mail server: set MARQUEE_SMTP_URL and MARQUEE_MAIL_FROM, or leave --mail out')
}

/** Waits until a link is sent. If the mail server does not take it, the error shows the link, which works all the same. */
function sendOrShow(sending: Promise<void>, link: string): Promise<void> {
  return sending.catch((error: Error) => {
    throw new UserError(`${error.message}. The link works without the mail; hand it over in another way: ${link}`)
  })
}

function printMailed({ json }: JsonFlag, email: string, endsAt: number): void {
  if (json === true) printJson({ email, mailed: true, endsAt })
  else printLines(`The link was sent to ${email}; it works until ${formatInstant(endsAt)}`)
}

/** The address of a page with a code in its fragment, which browsers do not send and servers do not log. */
function pageLink(path: string, code: string): string {
  return `${serviceAddress(readSettings(process.env))}${path}#${code}`
}

/** Reads a password: from a prompt without echo on a terminal, otherwise from standard input. */
async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) {
    const password = (await text(process.stdin)).replace(/\r?\n$/, '')
    if (password === '') throw new UserError('A password is needed on standard input')
    return password
  }
  process.stderr.write('Password: ')
  const noEcho = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: noEcho, terminal: true })
  const password = await lines.question('')
  lines.close()
  process.stderr.write('\n')
  return password
}

/** Adds `marquee audit`. */
export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description('list who changed keys, accounts, plans and sources, newest first')
    .option('--last <n>', 'how many entries', '50')
    .option('--target <id>', 'only entries about this key, account or plan')
    .option('--json', 'print a JSON array')
    .action((flags: { last: string; target?: string } & JsonFlag) => {
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
            ['time', 'by', 'action', 'target', 'details'],
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
