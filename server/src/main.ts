import { readSettings } from './config.ts'
import { runPrimary } from './serving/primary.ts'

/** Serves until it is told to stop: one process writes and watches over the others, which answer requests. */
export async function serve({ demo }: { readonly demo: boolean }): Promise<void> {
  await runPrimary(readSettings(process.env), demo)
}
