import type { Catalog } from '../support/catalog.ts'
import type { Reference } from './rendering/reference.ts'

/** What a peer is started with. */
export interface PeerSetting {
  readonly catalog: Catalog
  readonly reference: Reference
  /** The same reference data in a file, for the process that serves. */
  readonly referenceFile: string
  /** The present, in Unix seconds: offers are printed as they are now. */
  readonly now: number
}
