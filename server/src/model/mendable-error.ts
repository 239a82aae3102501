/** A failure that whoever runs the program can mend: told as a sentence that says how, without a stack. */
export class MendableError extends Error {
  override readonly name: string = 'MendableError'
}
