import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Accounts, openAccounts } from '../accounts/accounts.ts'
import { AccountMail, type MailMessage } from '../accounts/people/account-mail.ts'
import { openPostgresAccounts } from '../accounts/postgres/postgres-account-store.ts'
import type { AuditContext } from '../accounts/store/account-store.ts'
import { readSettings, type Settings, serviceAddress } from '../config.ts'
import { systemClock } from '../lib/clock.ts'
import { UserError } from '../lib/errors.ts'
import { assertUsableFolder, forgetManifest } from './backup-manifest.ts'

type AccountSettings = Pick<Settings, 'dataDir' | 'databaseUrl' | 'keyPrefix'>

/** Opens the accounts that the settings name. With PostgreSQL, reads go to the local replica. */
export function openServiceAccounts({ dataDir, databaseUrl, keyPrefix }: AccountSettings): Accounts {
  const folder = join(dataDir, 'accounts')
  if (databaseUrl === undefined) return openAccounts(folder, { keyPrefix })
  return openPostgresAccounts(folder, databaseUrl, { keyPrefix })
}

/** Opens the accounts for a command, up to date, and closes them afterwards. The audit log names the operator. */
export async function withAccounts(
  use: (accounts: Accounts, context: AuditContext) => Promise<void> | void,
): Promise<void> {
  const settings = readSettings(process.env)
  assertUsableFolder(settings.dataDir)
  const accounts = openServiceAccounts(settings)
  const file = join(settings.dataDir, 'accounts', 'data.mdb')
  const { mtimeMs } = statSync(file)
  try {
    await accounts.refresh()
    await use(accounts, { by: 'operator', now: systemClock() })
  } finally {
    // A backup whose keys were changed is a data folder of its own from now on.
    await accounts.close()
    if (statSync(file).mtimeMs !== mtimeMs) forgetManifest(settings.dataDir)
  }
}

/** How long a mail server may take for each step. */
const SMTP_TIMEOUT_MS = 15_000

type MailSettings = Pick<Settings, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'host' | 'port'>

/** The mails of a service, if its settings name a mail server. */
export function openMail(settings: MailSettings): AccountMail | undefined {
  const { smtpUrl, mailFrom } = settings
  if (smtpUrl === undefined || mailFrom === undefined) return undefined
  return new AccountMail((message) => sendBySmtp(smtpUrl, mailFrom, message), serviceAddress(settings))
}

/** Sends one mail over a connection of its own: mails are few. */
async function sendBySmtp(smtpUrl: string, from: string, message: MailMessage): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(
    {
      url: smtpUrl,
      connectionTimeout: SMTP_TIMEOUT_MS,
      greetingTimeout: SMTP_TIMEOUT_MS,
      socketTimeout: SMTP_TIMEOUT_MS,
    },
    { from, disableFileAccess: true, disableUrlAccess: true },
  )
  try {
    await transport.sendMail({ ...message, headers: { 'Auto-Submitted': 'auto-generated' } })
  } catch (error) {
    throw new UserError(`The mail server of MARQUEE_SMTP_URL did not take the mail: ${(error as Error).message}`)
  } finally {
    transport.close()
  }
}
