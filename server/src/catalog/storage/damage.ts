import { isLmdbDamage } from '../../lib/lmdb/lmdb-file.ts'

/**
 * Thrown when a value of the catalog is missing, cannot be decoded or does not have its checksum. What was asked for
 * cannot be answered; everything else can.
 */
export class DamagedCatalogError extends Error {
  override readonly name = 'DamagedCatalogError'
  /** The table of the value, and what is wrong with it. */
  readonly table: string
  readonly problem: string

  constructor(table: string, problem: string, cause?: unknown) {
    super(`The catalog is damaged: ${problem}; \`marquee verify\` lists all damage`, { cause })
    this.table = table
    this.problem = problem
  }
}

/** Runs a decoder of a stored value. Whatever it throws means that the value is damaged. */
export function decodeStored<T>(table: string, describe: () => string, decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (error instanceof DamagedCatalogError) throw error
    throw new DamagedCatalogError(table, `${describe()} cannot be read`, error)
  }
}

/** What is wrong with a value, in short. */
export function describeDamage(error: unknown): string {
  return error instanceof DamagedCatalogError ? error.problem : (error as Error).message
}

/** The damage behind an exception: of a value, or of a page of the file that LMDB itself found. */
export function findDamage(error: unknown): DamagedCatalogError | undefined {
  if (error instanceof DamagedCatalogError) return error
  return isLmdbDamage(error) ? new DamagedCatalogError('pages', (error as Error).message, error) : undefined
}
