import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** How long a process may take to end once it was told to. */
const GRACE_MS = 10_000

/** Tells a process to end, waits until it has, and ends it where it takes too long. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const impatience = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
  await ended
  clearTimeout(impatience)
}
