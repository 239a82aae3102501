import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '../peers/postgres/database.ts'
import type { Question } from '../question.ts'
import { end } from '../support/child.ts'
import { freePort } from '../support/free-port.ts'
import { send } from '../support/http.ts'
import { startMarquee } from '../support/marquee-command.ts'
import { say } from '../support/progress.ts'
import { figure } from '../support/table.ts'
import { timedImport } from '../support/timed-import.ts'

/** What it costs to keep the system of record in PostgreSQL: imports through it, and nodes that start from nothing. */
export const nodes: Question = {
  name: 'nodes',
  asks: 'How fast is an import through PostgreSQL, and how soon does a node that starts from nothing serve?',
  async find(bench) {
    const catalog = await bench.catalog()
    const scratch = mkdtempSync(join(catalog.folder, 'nodes-'))
    // PostgreSQL may have a user of its own, who has to get through to its folder.
    chmodSync(scratch, 0o755)
    const postgres = await startPostgres(join(scratch, 'postgres'))
    try {
      const { port, user, database } = postgres.connection
      const settings = { DATABASE_URL: `postgres://${user}@127.0.0.1:${port}/${database}` }
      const local = await timedImport('into a data directory', catalog.feed, join(scratch, 'local'))
      const through = await timedImport('through PostgreSQL', catalog.feed, join(scratch, 'importer'), settings)
      say('nodes: a node that starts from nothing')
      const seconds = await secondsUntilReady(join(scratch, 'node'), settings)
      const rows = [local, through, { name: 'a node from nothing', shows: through.shows, seconds }]
      return {
        tables: [
          {
            title: 'Nodes on PostgreSQL',
            head: ['', 'shows', 'seconds', 'shows/s', 'of the local import'],
            rows: rows.map(({ name, shows, seconds }) => [
              name,
              shows.toLocaleString('en'),
              figure(seconds),
              figure(shows / seconds),
              `${figure((local.seconds / seconds) * 100)} %`,
            ]),
            notes: ['A node is ready when /readyz says so: it then holds all that PostgreSQL held.'],
          },
        ],
        figures: { local, through, nodeSeconds: seconds },
      }
    } finally {
      await postgres.stop()
      rmSync(scratch, { recursive: true, force: true })
    }
  },
}

async function secondsUntilReady(data: string, settings: NodeJS.ProcessEnv): Promise<number> {
  mkdirSync(data)
  const port = await freePort()
  const started = performance.now()
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
      if (status === 200) return (performance.now() - started) / 1000
      if (node.exitCode !== null) throw new Error(`A node ended with ${node.exitCode} before it was ready`)
      await sleep(100)
    }
  } finally {
    await end(node)
  }
}
