import { AccountMail, type MailMessage } from '../accounts/people/account-mail.ts'
import { type Settings, serviceAddress } from '../config.ts'
import { UserError } from '../lib/user-error.ts'

/** How long a mail server may take for each step. */
const TIMEOUT_MS = 15_000

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
    { url: smtpUrl, connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
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
