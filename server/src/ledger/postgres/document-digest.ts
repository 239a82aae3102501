import { createHash, type Hash } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Session } from '../../database/session.ts'
import type { Show } from '../../model/show.ts'
import { readDocuments } from './documents.ts'
import { storedShowJson } from './packed.ts'

const PAGE = 500

/** A digest of every document that a catalog holds. */
export function digestOfCatalog(catalog: Catalog): string {
  const hash = createHash('sha256')
  for (let doc = 0; doc < catalog.nextDoc(); doc++) take(hash, doc, storedShowJson(catalog.show(doc) as Show))
  return hash.digest('hex')
}

/** The same of the documents that the ledger holds, as of a commit. */
export async function digestOfLedger(session: Session, nextDoc: number, commit: number): Promise<string> {
  const hash = createHash('sha256')
  for (let from = 0; from < nextDoc; from += PAGE) {
    const bodies = await readDocuments(session, from, Math.min(from + PAGE, nextDoc), commit)
    bodies.forEach((body, i) => {
      take(hash, from + i, inflateRawSync(body).toString())
    })
  }
  return hash.digest('hex')
}

function take(hash: Hash, doc: number, text: string): void {
  hash.update(`${doc} ${text}\n`)
}
