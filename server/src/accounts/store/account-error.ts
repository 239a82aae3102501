import { UserError } from '../../lib/user-error.ts'

/** The codes of errors that the accounts report to their users. */
export type AccountErrorCode =
  | 'unknown_plan'
  | 'invalid_plan'
  | 'plan_in_use'
  | 'unknown_key'
  | 'key_ended'
  | 'too_many_keys'
  | 'invalid_origin'
  | 'invalid_name'
  | 'unknown_account'
  | 'account_disabled'
  | 'invalid_email'
  | 'weak_password'
  | 'wrong_password'
  | 'sign_in_failed'
  | 'sign_up_closed'
  | 'invitation_needed'
  | 'reset_needed'
  | 'too_many_attempts'
  | 'too_many_changes'
  | 'key_taken'
  | 'too_many_feeds'
  | 'unknown_feed'
  | 'too_many_webhooks'
  | 'unknown_webhook'
  | 'unavailable'

/** Thrown when the accounts refuse a request. The message states what would be accepted. */
export class AccountError extends UserError {
  override readonly name = 'AccountError'
  readonly code: AccountErrorCode
  /** Seconds after which the request may be retried. */
  readonly retryAfter: number | undefined

  constructor(code: AccountErrorCode, message: string, retryAfter?: number) {
    super(message)
    this.code = code
    this.retryAfter = retryAfter
  }
}
