import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of its own for a test, gone when the test is over. */
export function temporaryFolder(cleanUp: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-test-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
