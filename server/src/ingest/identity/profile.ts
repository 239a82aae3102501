import { type FoldedTitle, foldTitle, toSkeleton } from '../../catalog/identity/folded-title.ts'
import { allTitles, type Titled } from '../../catalog/identity/identity-index.ts'
import { fold } from '../../catalog/index/analyzer.ts'
import { splitWords } from '../../catalog/text/tokenizer.ts'
import { hashText } from '../../lib/text/hash-text.ts'
import type { RecordLinks } from '../../model/identity.ts'
import type { Show } from '../../model/show.ts'

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

/** Words of a name that are often left out. */
const SUFFIXES: ReadonlySet<string> = new Set(['jr', 'sr', 'ii', 'iii', 'dr', 'sir'])
/** Skeletons shorter than this are those of many names: "Luke" and "Alice" differ in nothing but vowels. */
const MIN_SKELETON = 3

/** A person's name as hashes; two names mean the same person if they share one. */
export type NameKeys = readonly number[]

/**
 * The keys of a name: its words in any order, without initials, spelt by their sounds ("Bong Joon-ho", "Joon Ho Bong";
 * "Salmaan", "Salman"); and, if it has three words or more, its first and last one.
 */
function nameKeys(name: string): NameKeys {
  const words = splitWords(fold(name).replace(/['.\u2019]/g, ' ')).filter((word) => !SUFFIXES.has(word))
  const long = words.filter((word) => word.length > 2)
  const used = long.some((word) => word.length > 3) ? long : words
  if (used.length === 0) return []
  const keys = new Set([toKey(used)])
  if (used.length > 2) keys.add(toKey([used[0] as string, used.at(-1) as string]))
  // Some lists write a name without the space between its words.
  keys.add(hashText(`=${toSounds(words.join(''))}`))
  return [...keys]
}

function toKey(words: readonly string[]): number {
  return hashText(words.map(toSounds).sort().join(' '))
}

/** The consonants of a word, whether it starts with a vowel, and, if the consonants are few, the class of its first vowel. */
function toSounds(word: string): string {
  const skeleton = toSkeleton(word)
  if (!/^[a-z0-9]*$/.test(word)) return skeleton
  const start = /^[aeiouy]/.test(word) ? 'a' : ''
  if (skeleton.length >= MIN_SKELETON) return start + skeleton
  const vowel = /[aeiouy]/.exec(word)?.[0] ?? ''
  return `${start}${skeleton}.${VOWEL_CLASS[vowel] ?? vowel}`
}

/** Vowels that transliterations confuse: "Yusuf" and "Yousof", "Amir" and "Ameer". */
const VOWEL_CLASS: Readonly<Record<string, string>> = { i: 'e', y: 'e', u: 'o' }

/** The count of names that stand in both lists. */
export function countCommon(some: readonly NameKeys[], others: readonly NameKeys[]): number {
  if (some.length === 0 || others.length === 0) return 0
  const known = new Set(others.flat())
  return some.filter((keys) => keys.some((key) => known.has(key))).length
}
