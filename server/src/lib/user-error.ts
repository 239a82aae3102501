/**
 * A failure that the person who runs the program can fix: printed as one sentence that says how, without a stack trace.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError'
}
