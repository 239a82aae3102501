import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Finds a program in the PATH by any of its names. If it is missing, prints what to install and returns undefined, so
 * that its tests are skipped; with MARQUEE_REQUIRE_ALL=1 it throws.
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
