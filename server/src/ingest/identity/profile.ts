import { type FoldedTitle, foldTitle } from '../../catalog/identity/folded-title.ts'
import { allTitles, type Titled } from '../../catalog/identity/title-keys.ts'
import type { Show } from '../../model/show.ts'
import { type NameKeys, nameKeys } from './person-names.ts'

/** What two descriptions of a work are compared by. */
export interface Profile {
  readonly showType: Show['showType']
  readonly titles: readonly FoldedTitle[]
  readonly year: number | undefined
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
    year: described.year ?? titles.find(({ year }) => year !== undefined)?.year,
    lastYear: findLastYear(described),
    leaders: [...directors, ...creators].map(nameKeys).filter(hasKeys),
    cast: cast.slice(0, MAX_CAST).map(nameKeys).filter(hasKeys),
    runtime: runtime === 0 ? undefined : runtime,
    seasonCount: seasonCount === 0 ? undefined : seasonCount,
    genres,
  }
}

function findLastYear({ lastAirYear, seasons = [] }: Described): number | undefined {
  const years = seasons.flatMap((season) => [season.firstAirYear ?? 0, season.lastAirYear ?? 0])
  const last = Math.max(lastAirYear ?? 0, ...years)
  return last === 0 ? undefined : last
}

function hasKeys(keys: NameKeys): boolean {
  return keys.length > 0
}
