import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Finds a program that some tests need, by any of its names. Where it is missing, its tests are skipped with a line that
 * says what to install; with MARQUEE_REQUIRE_ALL=1 that is a failure.
 */
export function requiredProgram(names: readonly string[], install: string): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      const path = join(folder, name)
      if (isExecutable(path)) return path
    }
  }
  const message = `${names[0]} is not installed: ${install}`
  if (process.env.MARQUEE_REQUIRE_ALL === '1') throw new Error(message)
  process.stderr.write(`skipped: ${message}\n`)
  return undefined
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
