/** What the name of a source must be, in words. */
export const SOURCE_NAME_NEEDED = 'a text of 1 to 100 characters without control characters'

/** Whether the text can be the name of a source: it is printed in lists and labels, and kept as a key. */
export function isSourceName(name: string): boolean {
  return /^\P{Cc}{1,100}$/u.test(name)
}
