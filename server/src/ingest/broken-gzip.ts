/** What is to be said of an error that compressed data ends with when it breaks off or is damaged; others go on. */
export function brokenGzip(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code?.startsWith('Z_') !== true) throw error
  return `the compressed data breaks off (${message})`
}
