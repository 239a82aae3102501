import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { open } from 'lmdb'
import { describeHolder } from '../../ingest/import-lock.ts'
import { currentHolder, type TaskHolder } from '../../ledger/ledger.ts'
import { makeFolder } from '../../lib/files.ts'
import { isRunning } from '../../lib/process-identity.ts'
import { UserError } from '../../lib/user-error.ts'

/**
 * Takes a data directory for the service of this process. One service a folder: a second one would keep the same catalog,
 * run the same schedule and, as a demo, end the keys of the first. The claim lasts as long as the process does. It has an
 * environment of its own, since the catalog is copied into backups, and put in another's place on nodes.
 */
export async function claimDataDirectory(dataDirectory: string, now: number): Promise<void> {
  const folder = join(dataDirectory, 'service')
  makeFolder(folder)
  const root = open<TaskHolder, string>({ path: folder, encoding: 'json' })
  try {
    const holder = root.transactionSync(() => {
      const known = root.get('claim')
      if (known !== undefined && isRunning(known)) return known
      root.putSync('claim', currentHolder(now, 'the service'))
      return undefined
    })
    if (holder === undefined) return
    const since = new Date(holder.since * 1000).toISOString().replace('.000', '')
    throw new UserError(
      `The folder ${dataDirectory} is served by ${describeHolder(holder)} since ${since}; ` +
        'stop that one, or set MARQUEE_DATA to another folder',
    )
  } finally {
    await root.close()
  }
}

/** A port that nobody else gets until it is released. */
export interface ReservedPort {
  readonly port: number
  release(): Promise<void>
}

/** Has the system choose a free port of an address, and holds it. Nobody is answered there meanwhile. */
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
