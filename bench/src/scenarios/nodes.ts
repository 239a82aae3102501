import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Scenario } from '../context.ts'
import { send } from '../lib/http.ts'
import { startMarquee, timeImport } from '../lib/marquee-cli.ts'
import { logProgress } from '../lib/output.ts'
import { findFreePort, stopProcess } from '../lib/processes.ts'
import { startPostgres } from '../targets/peers/postgres/postgres-server.ts'

/** An import through PostgreSQL, and the first copy of a new node. */
export const nodes: Scenario = {
  name: 'nodes',
  description: 'an import through PostgreSQL, and the time until a new node is ready',
  async run(context) {
    const { folder, feed } = await context.catalog()
    const scratch = mkdtempSync(join(folder, 'nodes-'))
    // PostgreSQL may run as another user, who has to be able to enter the folder.
    chmodSync(scratch, 0o755)
    const postgres = await startPostgres(join(scratch, 'postgres'))
    try {
      const { port, user, database } = postgres.connection
      const settings = { DATABASE_URL: `postgres://${user}@127.0.0.1:${port}/${database}` }
      const local = await timeImport('into a data directory', feed, join(scratch, 'local'))
      const replicated = await timeImport('through PostgreSQL', feed, join(scratch, 'importer'), settings)
      logProgress('nodes: a new node')
      return {
        kind: 'nodes',
        shows: local.shows,
        localSeconds: local.seconds,
        postgresSeconds: replicated.seconds,
        newNodeSeconds: await timeUntilReady(join(scratch, 'node'), settings),
      }
    } finally {
      await postgres.stop()
      rmSync(scratch, { recursive: true, force: true })
    }
  },
}

/** Starts a node on an empty data directory and waits until `/readyz` returns 200. */
async function timeUntilReady(data: string, settings: NodeJS.ProcessEnv): Promise<number> {
  mkdirSync(data)
  const port = await findFreePort()
  const startedAt = performance.now()
  const node = startMarquee(['serve'], data, {
    ...settings,
    HOST: '127.0.0.1',
    PORT: String(port),
    MARQUEE_WORKERS: '1',
  })
  try {
    const request = { method: 'GET', path: '/readyz', headers: {} } as const
    for (;;) {
      const { status } = await send(port, request).catch(() => ({ status: 0 }))
      if (status === 200) return (performance.now() - startedAt) / 1000
      if (node.exitCode !== null) throw new Error(`The node exited with ${node.exitCode} before it was ready`)
      await sleep(100)
    }
  } finally {
    await stopProcess(node)
  }
}
