import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describeHolder } from '../../ingest/import-lock.ts'
import { currentHolder, type TaskHolder } from '../../ledger/ledger.ts'
import { makeFolder } from '../../lib/files.ts'
import { openLmdb } from '../../lib/lmdb.ts'
import { isRunning } from '../../lib/process-identity.ts'
import { UserError } from '../../lib/user-error.ts'

/**
 * Claims a data directory for the service of this process, until the process ends. Two services in one folder would apply
 * the same windows, run the same schedule and, as demos, revoke each other's keys. The claim has an LMDB environment of
 * its own, because backups copy that of the catalog and a bootstrap replaces it.
 */
export async function claimDataDirectory(dataDir: string, now: number): Promise<void> {
  const folder = join(dataDir, 'service')
  makeFolder(folder)
  const root = openLmdb<TaskHolder, string>({ path: folder, encoding: 'json' })
  try {
    const holder = root.transactionSync(() => {
      const existing = root.get('claim')
      if (existing !== undefined && isRunning(existing)) return existing
      root.putSync('claim', currentHolder(now, 'the service'))
      return undefined
    })
    if (holder === undefined) return
    const since = new Date(holder.since * 1000).toISOString().replace('.000', '')
    throw new UserError(
      `The folder ${dataDir} is served by ${describeHolder(holder)} since ${since}; ` +
        'stop that one, or set MARQUEE_DATA to another folder',
    )
  } finally {
    await root.close()
  }
}

/** A port that no other program can take until it is released. */
interface ReservedPort {
  readonly port: number
  release(): Promise<void>
}

/** Takes a free port of an address by listening on it. Connections are closed at once. */
export async function reservePort(host: string): Promise<ReservedPort> {
  const server = createServer((socket) => socket.destroy())
  server.listen(0, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    release: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}
