import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import { onFileFinished } from './file-cleanup.ts'

/**
 * Makes a temporary folder and deletes it when the test ends.
 * @param onEnd registers the deletion for another moment; `afterAll` for the end of the file
 */
export function temporaryFolder(onEnd: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-test-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  // When a block of tests ends, services that write to the folder may still run; when the file ends, they are stopped before.
  if (onEnd !== afterAll) onEnd(remove)
  // Vitest may not run a cleanup that was registered within a hook.
  onFileFinished(remove)
  return folder
}
