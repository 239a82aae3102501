import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { onFileFinished } from './file-cleanup.ts'

/**
 * Makes a temporary folder and deletes it when the test ends.
 * @param onEnd registers the deletion for another moment, such as `afterAll`
 */
export function temporaryFolder(onEnd: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-test-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  onEnd(remove)
  // Vitest may not run a cleanup that was registered within a hook.
  onFileFinished(remove)
  return folder
}
