import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** Makes the folder of the shared demo catalog for a run, and deletes it at the end. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-demo-'))
  project.provide('demo', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
