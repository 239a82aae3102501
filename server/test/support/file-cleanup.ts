const cleanups = new Set<() => unknown>()

/** Registers a cleanup for the end of the current test file. Unlike vitest's `afterAll`, hooks and tests may call it. */
export function onFileFinished(cleanup: () => unknown): void {
  cleanups.add(cleanup)
}

/** Runs the cleanups of the file, the latest first. */
export async function runFileCleanups(): Promise<void> {
  const all = [...cleanups].reverse()
  cleanups.clear()
  for (const cleanup of all) await cleanup()
}
