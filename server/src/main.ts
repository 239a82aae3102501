import cluster from 'node:cluster'
import { readSettings } from './config.ts'
import { keepTicksFast } from './serving/fast-ticks.ts'

/** Serves until it is told to stop: one process writes and watches over the others, which answer requests. */
export async function serve({ demo }: { readonly demo: boolean }): Promise<void> {
  keepTicksFast()
  const settings = readSettings(process.env)
  // Each loads only what it needs: starting is most of what a short life costs.
  if (cluster.isPrimary) await (await import('./serving/primary.ts')).runPrimary(settings, demo)
  else await (await import('./serving/worker.ts')).runWorker(settings)
}
