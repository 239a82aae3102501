const cleanUps = new Set<() => unknown>()

/**
 * Cleans up after the last test of the file that runs now. Unlike vitest's `afterAll` it may be called at any time, also
 * within a hook or a test.
 */
export function atEndOfFile(cleanUp: () => unknown): void {
  cleanUps.add(cleanUp)
}

/** Runs what was asked for, the latest first. */
export async function endFile(): Promise<void> {
  const all = [...cleanUps].reverse()
  cleanUps.clear()
  for (const cleanUp of all) await cleanUp()
}
