import { randomBytes } from 'node:crypto'
import { formatTime } from '../../model/time.ts'
import { hashSecret } from '../keys/api-key.ts'
import { AccountError, type AccountStore, type AccountTransaction, deleteExpired } from '../store/account-store.ts'
import type { Account } from '../store/account-tables.ts'

/** A mail in plain text. */
export interface MailMessage {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Hands a mail over to a mail server; throws if it does not take it. */
export type SendMail = (message: MailMessage) => Promise<void>

/** A code that sets the password of one of the accounts of an address. */
interface ResetCode extends OneTimeCode {
  /** When the account was created: by it, people tell accounts of the same address apart. */
  readonly createdAt: number
}

/** The mails to people with an account. Links have the address of the settings, never that of a request, which anyone can forge. */
export class AccountMail {
  private readonly send: SendMail
  private readonly address: string

  /** @param address the address of the service, without a slash at its end */
  constructor(send: SendMail, address: string) {
    this.send = send
    this.address = address
  }

  /** Sends links that set a new password, one for each account of the address. */
  async sendResets(to: string, codes: readonly ResetCode[]): Promise<void> {
    const links = codes.map(({ code, endsAt, createdAt }) => {
      const which = codes.length === 1 ? '' : `For the account of ${formatTime(createdAt)}:\n`
      return `${which}${this.pageLink('/reset-password', code)}\n(until ${formatTime(endsAt)})`
    })
    await this.send({
      to,
      subject: 'Set a new password',
      text: [
        `Somebody asked for a new password for ${to} at ${this.address}.`,
        'This sets it. It works once, and ends all sessions of the account:',
        ...links,
        'If it was not you, ignore this mail: the password stays as it is.',
      ].join('\n\n'),
    })
  }

  /** Sends an invitation to sign up. */
  async sendInvitation(to: string, { code, endsAt }: OneTimeCode): Promise<void> {
    await this.send({
      to,
      subject: 'Your invitation',
      text: [
        `You are invited to make an account at ${this.address}, with the address ${to}:`,
        `${this.pageLink('/sign-up', code)}\n(until ${formatTime(endsAt)})`,
        `If the page asks for the code of the invitation, it is ${code}`,
      ].join('\n\n'),
    })
  }

  /** The address of a page with a code in its fragment, which browsers do not send and servers do not log. */
  private pageLink(path: string, code: string): string {
    return `${this.address}${path}#${code}`
  }
}

const RESET_TTL_SECONDS = 86_400

/** A code that is returned once, and until when it can be used. */
export interface OneTimeCode {
  readonly code: string
  readonly endsAt: number
}

/** Generates a code that cannot be guessed. Only its hash is stored. */
export function generateCode(): string {
  return randomBytes(18).toString('base64url')
}

/** The codes by which the owners of accounts set a new password, once each. */
export class PasswordResets {
  private readonly store: AccountStore

  constructor(store: AccountStore) {
    this.store = store
  }

  /** Creates a code within a commit. Earlier codes of the account become invalid. */
  create(tx: AccountTransaction, accountId: string, now: number): OneTimeCode {
    this.deleteAll(tx, accountId)
    const code = generateCode()
    const endsAt = now + RESET_TTL_SECONDS
    tx.put('resets', hashSecret(code), { accountId, createdAt: now, endsAt })
    return { code, endsAt }
  }

  /** The account of an unused code; throws if the code is unknown, used or too old. */
  require(code: string, now: number): Account {
    const { resets, accounts } = this.store.tables
    const reset = resets.get(hashSecret(code))
    const account = reset !== undefined && reset.endsAt > now ? accounts.get(reset.accountId) : undefined
    if (account !== undefined) return account
    throw new AccountError('reset_needed', 'The link was used already, or is too old; ask the operator for another one')
  }

  /** Deletes the codes of an account within a commit. */
  deleteAll(tx: AccountTransaction, accountId: string): void {
    for (const { key, value } of this.store.tables.resets.getRange()) {
      if (value.accountId === accountId) tx.delete('resets', key)
    }
  }

  /** Deletes expired codes. */
  async prune(now: number): Promise<void> {
    await deleteExpired(this.store, 'resets', now)
  }
}
