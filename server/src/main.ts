import cluster from 'node:cluster'
import { readSettings } from './config.ts'
import { runPrimary } from './serving/primary.ts'
import { runWorker } from './serving/worker.ts'

/** Serves until it is told to stop: one process writes and watches over the others, which answer requests. */
export async function serve({ demo }: { readonly demo: boolean }): Promise<void> {
  const settings = readSettings(process.env)
  if (cluster.isPrimary) await runPrimary(settings, demo)
  else await runWorker(settings)
}
