import { AccountError } from '../store/account-error.ts'
import type { AccountTransaction } from '../store/account-store.ts'
import type { Account, AccountTables } from '../store/account-tables.ts'

const MAX_EMAIL_LENGTH = 254

/** Control and format characters: invisible, or interpreted by a terminal. */
const INVISIBLE_CHARACTER = /[\p{Cc}\p{Cf}]/u

/** The form in which an e-mail address is stored and compared, whether it is a valid one or not. */
export function foldEmail(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}

/** Folds an e-mail address; throws if it is not a valid one. */
export function normalizeEmail(text: string): string {
  const email = foldEmail(text)
  const isAddress = /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)*$/.test(email)
  if (email.length <= MAX_EMAIL_LENGTH && isAddress && !INVISIBLE_CHARACTER.test(email)) return email
  throw new AccountError('invalid_email', 'An e-mail address such as ann@example.com is needed')
}

/** The key of a credential: e-mail address and derived password together. */
export function credentialKey(email: string, derived: string): string {
  return `${email}/${derived}`
}

/** Deletes the credential of an account within a commit, and the salt of its address if no other account has it. */
export function deleteCredentials(
  { credentials }: Pick<AccountTables, 'credentials'>,
  tx: AccountTransaction,
  { id, email }: Account,
): void {
  // "0" is the character after "/".
  const sameEmail = [...credentials.getRange({ start: `${email}/`, end: `${email}0` })]
  for (const { key, value } of sameEmail) if (value.accountId === id) tx.delete('credentials', key)
  if (sameEmail.every(({ value }) => value.accountId === id)) tx.delete('salts', email)
}
