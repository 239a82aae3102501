import { CatalogFormatError } from '../../catalog/catalog.ts'
import { CatalogDamagedError } from '../../catalog/storage/environment.ts'

/** What LMDB says of a file that is damaged or of another form, by its error codes. */
const DAMAGE: ReadonlySet<unknown> = new Set([
  -30_797, // MDB_PAGE_NOTFOUND
  -30_796, // MDB_CORRUPTED
  -30_794, // MDB_VERSION_MISMATCH
  -30_793, // MDB_INVALID
  -30_784, // MDB_INCOMPATIBLE
])

/**
 * Whether an error that opening a catalog ended with is the fault of its data. Too many open files or readers, missing
 * rights or a full disk are not: the data may be as good as ever.
 */
export function isUnusable(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  const kinds = [CatalogDamagedError, CatalogFormatError, SyntaxError]
  return kinds.some((kind) => error instanceof kind) || DAMAGE.has(code)
}
