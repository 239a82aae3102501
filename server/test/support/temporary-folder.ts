import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { atEndOfFile } from './end-of-file.ts'

/** A folder of its own for a test, gone when the test is over; or when whatever else is named as its end has come. */
export function temporaryFolder(cleanUp: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-test-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  cleanUp(remove)
  // A clean-up that is asked for within a hook may never run.
  atEndOfFile(remove)
  return folder
}
