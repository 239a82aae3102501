import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Catalog } from '../../catalog/catalog.ts'
import { openEnvironment } from '../../catalog/storage/environment.ts'
import type { Session } from '../../database/session.ts'
import { copyCatalog } from './catalog-copy.ts'
import { digestOfCatalog, digestOfLedger } from './document-digest.ts'
import { readHead } from './ledger-head.ts'
import { CannotMove, type Moved } from './move-in.ts'
import { NodeCatalog } from './node-catalog.ts'

/**
 * Makes a data directory of its own out of a ledger: a copy that is caught up, compared, and then cut loose. The ledger
 * stays as it is. A move that was broken off is gone on with.
 */
export async function moveOut(
  session: Session,
  directory: string,
  onProgress?: (done: number, total: number) => void,
): Promise<Moved> {
  if (!(await isFollower(directory))) await copyCatalog(session, directory, { onProgress })
  const node = new NodeCatalog(directory)
  try {
    const { catalog } = node
    const head = await readHead(session)
    await node.catchUp(session, head)
    const digest = digestOfCatalog(catalog)
    if ((await digestOfLedger(session, catalog.nextDoc(), head.lastCommit)) !== digest) {
      throw new CannotMove(`The documents in ${directory} are not those of the ledger; delete it and try again`)
    }
    catalog.environment.root.transactionSync(() => catalog.environment.meta.removeSync('position'))
    let changes = 0
    for (const range of catalog.changes.listIds()) {
      for (const _ of catalog.changes.scanAscending(range, catalog.version())) changes++
    }
    return { position: { ledger: head.id, commit: head.lastCommit }, shows: catalog.counts().shows, changes, digest }
  } finally {
    await node.close()
  }
}

/** Whether a directory holds a copy that is whole. Throws where it holds a catalog of its own. */
async function isFollower(directory: string): Promise<boolean> {
  if (!existsSync(join(directory, 'catalog', 'data.mdb'))) return false
  const environment = openEnvironment(directory)
  try {
    const catalog = new Catalog(environment)
    const begun = environment.meta.get('copy') !== undefined
    if (!begun && catalog.logPosition() === undefined && catalog.version() > 0) {
      throw new CannotMove(`The folder ${directory} holds a catalog already; name a new one`)
    }
    return catalog.logPosition() !== undefined
  } finally {
    await environment.root.close()
  }
}
