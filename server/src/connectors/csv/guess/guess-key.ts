import type { ColumnRule } from '../csv-mapping.ts'
import { type ColumnProfile, toHeadingKey } from './column-profile.ts'

/** Headings of a table's own ids, normalized, the likeliest first. */
const KEY_HEADINGS = [
  'showid',
  'titleid',
  'contentid',
  'assetid',
  'programid',
  'movieid',
  'seriesid',
  'videoid',
  'catalogid',
  'netflixid',
  'sku',
  'uid',
  'uuid',
  'guid',
  'id',
].map(toHeadingKey)

/** If more rows than this repeat a title under another id, the ids are of rows. */
const MAX_REPEATED_SHARE = 0.05

/**
 * The columns that are the table's own id of a title. Ids that only count the rows (`s1`, `s2`, `s3`) are others in the
 * next edition of the table, so title, type and year are added to them. Ids of offers or episodes are none of titles.
 */
export function guessKey(profiles: readonly ColumnProfile[], rules: ReadonlyMap<string, ColumnRule>): string[] {
  const candidates = KEY_HEADINGS.flatMap((name) =>
    profiles.filter(({ heading, keys }) => keys.includes(name) && !rules.has(heading)),
  )
  const column = (field: ColumnRule['field']) => profiles.find(({ heading }) => rules.get(heading)?.field === field)
  const identity = [column('title'), column('showType'), column('year')].filter((profile) => profile !== undefined)
  const key = candidates.find((profile) => isTitleKey(profile, identity))
  if (key === undefined) return []
  return [key, ...(isRowNumber(key) ? identity : [])].map(({ heading }) => heading)
}

/** Whether a column has an id in every row, and one id for the rows of a title. */
function isTitleKey({ all, cells }: ColumnProfile, identity: readonly ColumnProfile[]): boolean {
  if (cells.length < all.length || all.length === 0) return false
  const keysByTitle = new Map<string, Set<string>>()
  for (const [row, key] of all.entries()) {
    const title = identity.map((profile) => profile.all[row]).join('\t')
    const keys = keysByTitle.get(title) ?? new Set()
    keysByTitle.set(title, keys.add(key))
  }
  const repeated = [...keysByTitle.values()].reduce((sum, keys) => sum + keys.size - 1, 0)
  return repeated <= all.length * MAX_REPEATED_SHARE
}

/** Whether the ids count the rows, with the same letters before each number. */
function isRowNumber({ all }: ColumnProfile): boolean {
  const parsed = all.map((cell) => /^(\D*)(\d+)$/.exec(cell))
  let steps = 0
  for (const [i, match] of parsed.entries()) {
    const before = parsed[i - 1]
    if (match && before && match[1] === before[1] && Number(match[2]) === Number(before[2]) + 1) steps++
  }
  return all.length > 2 && steps >= (all.length - 1) * 0.95
}
