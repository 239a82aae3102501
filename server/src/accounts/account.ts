import { AccountProblem } from './account-problem.ts'

/** What an account may do: use the platform, or look after the service as well. */
export type AccountRole = 'developer' | 'admin'

/** A developer's account. Its keys share its plan. */
export interface Account {
  readonly id: string
  readonly email: string
  readonly role: AccountRole
  readonly plan: string
  readonly createdAt: number
}

/** What an address and a password lead to. */
export interface Credential {
  readonly accountId: string
}

/** A permission to sign up, stored under the hash of its code. */
export interface Invitation {
  readonly email: string
  readonly createdAt: number
  readonly endsAt: number
}

const LONGEST_EMAIL = 254

/** Letters that cannot be seen, and those that a terminal would obey. */
const UNSEEN = /[\p{Cc}\p{Cf}]/u

/** An e-mail address in the one form in which it is stored and compared. */
export function normalizeEmail(text: string): string {
  const email = text.trim().normalize('NFC').toLowerCase()
  const isAddress = /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)*$/.test(email)
  if (email.length <= LONGEST_EMAIL && isAddress && !UNSEEN.test(email)) return email
  throw new AccountProblem('invalid_email', 'An e-mail address such as ann@example.com is needed')
}
