/** Says on standard error what is being done, so that standard output holds nothing but results. */
export function say(text: string): void {
  process.stderr.write(`bench: ${text}\n`)
}
