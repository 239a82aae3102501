import { createHash } from 'node:crypto'
import type { CsvRow } from './csv-row.ts'

const ID_FIELDS = ['id', 'imdbId', 'tmdbId'] as const

/** The ids of a show as hashes: its own key, then those of `ID_FIELDS`; 0 where it has none. */
type IdHashes = readonly number[]

/**
 * Numbers the shows of a table in the order of their first rows. Rows are of one show if any of their ids is equal, else
 * if type, year and title are. Only hashes are held in memory, some hundred bytes a show, whatever the table says of it.
 */
export class ShowNumbers {
  private readonly byHash = new Map<number, number>()
  /** By show and kind of id, the hash of the first id that a row had. */
  private readonly ids: number[][] = ['key', ...ID_FIELDS].map(() => [])
  private total = 0

  get count(): number {
    return this.total
  }

  /** The number of the show that a row is of; a new one if there is none yet. */
  findOrAdd(row: CsvRow): number {
    const { showType, year, title } = row.values
    const ids = hashIds(row)
    const titleHash = hash(`title ${showType} ${year} ${title}`)
    const byTitle = this.byHash.get(titleHash)
    const isSame = byTitle !== undefined && !this.hasOtherIds(byTitle, ids)
    const number = this.findByIds(ids) ?? (isSame ? byTitle : this.total++)
    for (const one of [...ids, titleHash]) if (one !== 0 && !this.byHash.has(one)) this.byHash.set(one, number)
    for (const [kind, id] of ids.entries()) {
      const known = this.ids[kind] as number[]
      if (number === known.length) known.push(id)
      else if (known[number] === 0) known[number] = id
    }
    return number
  }

  /** The number of a show that an earlier row has any id of this row with. */
  find(row: CsvRow): number | undefined {
    return this.findByIds(hashIds(row))
  }

  private findByIds(ids: IdHashes): number | undefined {
    for (const id of ids) {
      const number = id === 0 ? undefined : this.byHash.get(id)
      if (number !== undefined) return number
    }
    return undefined
  }

  /** Whether a show has another id of a kind that the row has. */
  private hasOtherIds(number: number, ids: IdHashes): boolean {
    return ids.some((id, kind) => {
      const known = this.ids[kind]?.[number] ?? 0
      return id !== 0 && known !== 0 && id !== known
    })
  }
}

function hashIds({ values, key }: CsvRow): IdHashes {
  const fields = ID_FIELDS.map((field) => (values[field] === undefined ? 0 : hash(`${field} ${values[field]}`)))
  return [key === undefined ? 0 : hash(`key ${key}`), ...fields]
}

/** 53 bits of SHA-256, never 0: a number that JavaScript holds exactly, and that no two ids of a table share. */
function hash(text: string): number {
  const digest = createHash('sha256').update(text).digest()
  return digest.readUIntBE(0, 6) * 32 + ((digest[6] as number) & 31) || 1
}
