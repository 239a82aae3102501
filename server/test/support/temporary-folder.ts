import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

const folders = new Set<string>()

// A clean-up that is asked for within a hook may never run: what is left goes with the file.
afterAll(() => folders.forEach(remove))

/** A folder of its own for a test, gone when the test is over. */
export function temporaryFolder(cleanUp: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-test-'))
  folders.add(folder)
  cleanUp(() => remove(folder))
  return folder
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  folders.delete(folder)
}
