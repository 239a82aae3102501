import { type FoldedTitle, foldTitle } from '../../catalog/identity/folded-title.ts'
import { allTitles, type Titled } from '../../catalog/identity/title-keys.ts'
import type { RecordLinks } from '../../model/identity.ts'
import type { Show } from '../../model/show.ts'
import { type NameKeys, nameKeys } from './person-names.ts'

/** What two descriptions of a work are compared by. */
export interface Profile {
  readonly showType: Show['showType']
  readonly titles: readonly FoldedTitle[]
  /** All years that it is listed with. */
  readonly years: readonly number[]
  /** The last year of a series: when it ended, or that of its last known season. */
  readonly lastYear: number | undefined
  /** Directors and creators. */
  readonly leaders: readonly NameKeys[]
  readonly cast: readonly NameKeys[]
  readonly runtime: number | undefined
  readonly seasonCount: number | undefined
  readonly genres: readonly string[]
}

/** The fields of a show, or of a record of one, that a profile is made of. */
export type Described = Pick<
  Show,
  'showType' | 'year' | 'lastAirYear' | 'directors' | 'creators' | 'runtime' | 'seasonCount'
> &
  Titled & {
    readonly cast?: readonly string[]
    readonly genres?: readonly string[]
    readonly records?: RecordLinks
    readonly seasons?: readonly { readonly firstAirYear?: number; readonly lastAirYear?: number }[]
  }

/** Names beyond these are seldom in the other source's list. */
const MAX_CAST = 30

/** Makes the profile of a show or a record. */
export function toProfile(described: Described): Profile {
  const { showType, directors = [], creators = [], cast = [], runtime, seasonCount, genres = [] } = described
  const titles = [...allTitles(described)].flatMap((one) => foldTitle(one)).filter(({ full }) => full !== '')
  return {
    showType,
    titles,
    years: findYears(described, titles),
    lastYear: findLastYear(described),
    leaders: [...directors, ...creators].map(nameKeys).filter(hasKeys),
    cast: cast.slice(0, MAX_CAST).map(nameKeys).filter(hasKeys),
    runtime: runtime === 0 ? undefined : runtime,
    seasonCount: seasonCount === 0 ? undefined : seasonCount,
    genres,
  }
}

function findYears({ year, records = {} }: Described, titles: readonly FoldedTitle[]): number[] {
  const years = new Set<number>()
  if (year !== undefined) years.add(year)
  for (const source in records)
    for (const link of records[source] ?? []) if (link.year !== undefined) years.add(link.year)
  const inTitle = titles.find((title) => title.year !== undefined)?.year
  if (years.size === 0 && inTitle !== undefined) years.add(inTitle)
  return [...years]
}

/** The smallest gap between two years of two profiles; undefined if one has none. */
export function yearGap({ years: some }: Profile, { years: others }: Profile): number | undefined {
  let gap: number | undefined
  for (const a of some) for (const b of others) gap = Math.min(gap ?? Number.POSITIVE_INFINITY, Math.abs(a - b))
  return gap
}

function findLastYear({ lastAirYear, seasons = [] }: Described): number | undefined {
  const years = seasons.flatMap((season) => [season.firstAirYear ?? 0, season.lastAirYear ?? 0])
  const last = Math.max(lastAirYear ?? 0, ...years)
  return last === 0 ? undefined : last
}

function hasKeys(keys: NameKeys): boolean {
  return keys.length > 0
}
