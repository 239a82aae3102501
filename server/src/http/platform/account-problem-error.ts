import type { AccountProblem, AccountProblemCode } from '../../accounts/account-problem.ts'
import { ApiError, type ErrorCode } from '../errors.ts'

const ERROR_OF: Record<AccountProblemCode, ErrorCode> = {
  unknown_plan: 'invalid_body',
  invalid_plan: 'invalid_body',
  plan_in_use: 'conflict',
  unknown_key: 'not_found',
  key_ended: 'conflict',
  too_many_keys: 'conflict',
  invalid_origin: 'invalid_body',
  invalid_name: 'invalid_body',
  unknown_account: 'not_found',
  invalid_email: 'invalid_body',
  weak_password: 'invalid_body',
  wrong_password: 'wrong_password',
  sign_in_failed: 'sign_in_failed',
  sign_up_closed: 'sign_up_closed',
  invitation_needed: 'invitation_needed',
  too_many_attempts: 'too_many_attempts',
  too_many_changes: 'too_many_attempts',
  key_taken: 'conflict',
  unavailable: 'unavailable',
}

/** A problem of the accounts as an error of the service; `problem` tells apart what shares a code. */
export function accountProblemError({ code, message, retryAfter }: AccountProblem): ApiError {
  return new ApiError(ERROR_OF[code], `${message}.`, {
    extras: { problem: code, ...(retryAfter !== undefined && { retryAfter }) },
    ...(retryAfter !== undefined && { headers: ['Retry-After', String(retryAfter)] }),
  })
}
