import type { ChildProcess } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../../lib/http.ts'
import { isInstalled } from '../../../lib/machine.ts'
import { findFreePort, startProcess } from '../../../lib/processes.ts'

const MAX_START_MS = 30_000

/** Whether the programs are installed: Debian's packages groonga-bin and groonga-httpd. */
export function hasGroonga(): boolean {
  return isInstalled('groonga') && isInstalled('groonga-httpd')
}

/** A running server and its port. */
export interface GroongaServer {
  readonly process: ChildProcess
  readonly port: number
}

/** Starts Groonga's HTTP server, which is nginx with the engine in it: one worker with its own cache, and no logs. */
export async function startGroonga(database: string): Promise<GroongaServer> {
  const port = await findFreePort()
  const folder = join(dirname(database), 'server')
  mkdirSync(folder, { recursive: true })
  const config = join(folder, 'httpd.conf')
  writeFileSync(config, formatConfig(database, folder, port))
  const child = startProcess('groonga-httpd', ['-p', folder, '-c', config], { stdio: ['ignore', 'ignore', 'inherit'] })
  for (const deadline = Date.now() + MAX_START_MS; ; await sleep(50)) {
    const response = await send(port, { method: 'GET', path: '/d/status', headers: {} }).catch(() => undefined)
    if (response?.status === 200) return { process: child, port }
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('groonga-httpd did not start')
  }
}

function formatConfig(database: string, folder: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  // As root, nginx would change to a user who may not be able to open the database.
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/httpd.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000000;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  groonga_log_path off;
  groonga_query_log_path off;
  groonga_database ${database};
  server {
    listen 127.0.0.1:${port};
    location /d/ { groonga on; }
  }
}
`
}
