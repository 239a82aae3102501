import type { Random } from '../../../src/demo/random.ts'
import type { Work } from './work.ts'

/* How lists of services write the titles and names of works: seen in public lists of large services, and made here. */

/** How likely a list is to write a title in another way. */
export interface TitleHabits {
  /** Drops a subtitle; adds "The Movie", "A Limited Series" or the like. */
  readonly subtitles: number
  /** Moves "The" to the end, or leaves it out. */
  readonly articles: number
  /** Adds the year in brackets. */
  readonly years: number
  /** Adds a season to a series. */
  readonly seasons: number
  /** Adds a version: dubbed, extended, 4K. */
  readonly versions: number
  /** Writes numbers of parts in another way. */
  readonly numerals: number
  /** Writes "&" for "and", or the other way round. */
  readonly ampersands: number
  /** Other quotation marks, dashes, hyphens and capitals. */
  readonly punctuation: number
  /** Transliterates in another way. */
  readonly transliteration: number
  /** Leaves accents out. */
  readonly accents: number
  /** Misspells. */
  readonly typos: number
  /** Takes the original title. */
  readonly originals: number
}

/** A title as a list writes it, with what was done to it. */
export interface NoisyTitle {
  readonly title: string
  readonly noise: readonly string[]
}

/** Writes a title as a list with these habits would. */
export function addTitleNoise(random: Random, work: Work, habits: TitleHabits): NoisyTitle {
  const noise: string[] = []
  let title = work.title
  const apply = (kind: keyof TitleHabits, alter: (title: string) => string) => {
    if (!random.chance(habits[kind])) return
    const altered = alter(title)
    if (altered !== title) noise.push(kind)
    title = altered
  }
  apply('originals', () => work.original ?? work.title)
  apply('subtitles', (text) => alterSubtitle(random, text, work))
  apply('ampersands', (text) => (/ & /.test(text) ? text.replace(' & ', ' and ') : text.replace(' and ', ' & ')))
  apply('numerals', (text) => alterNumeral(random, text))
  if (work.language === 'in' || work.language === 'ja') apply('transliteration', (text) => transliterate(random, text))
  apply('accents', (text) => text.normalize('NFD').replace(/\p{M}/gu, ''))
  apply('typos', (text) => misspell(random, text))
  apply('punctuation', (text) => alterPunctuation(random, text))
  apply('articles', (text) => alterArticle(random, text))
  if (work.showType === 'series') {
    apply(
      'seasons',
      (text) => text + random.pick([': Season 1', ' Season 1', ' - Season 2', ': The Complete Series', ' (Season 3)']),
    )
  }
  apply(
    'versions',
    (text) =>
      `${text} ${random.pick(['(Dubbed)', '[Ultra HD]', '(4K UHD)', '(English Subtitled)', "(Director's Cut)"])}`,
  )
  apply('years', (text) => `${text} (${work.year})`)
  return { title, noise }
}

function alterSubtitle(random: Random, title: string, { showType, year }: Work): string {
  const at = title.indexOf(': ')
  if (at > 3) return title.slice(0, at)
  if (showType === 'series') return title + random.pick([': A Limited Series', ': The Series', `: ${year} Special`])
  return title + random.pick([': The Movie', ': The Untold Story', ' - The Film'])
}

const NUMERALS: readonly (readonly string[])[] = [
  ['2', 'II', 'Part 2', 'Part II', 'Part Two', 'Vol. 2', 'Two'],
  ['3', 'III', 'Part 3', 'Part III', 'Part Three', 'Vol. 3', 'Three'],
]

function alterNumeral(random: Random, title: string): string {
  for (const forms of NUMERALS) {
    // Longer forms first: "Part 2" holds "2".
    const form = [...forms].sort((a, b) => b.length - a.length).find((one) => new RegExp(` ${one}(?=$|:)`).test(title))
    if (form !== undefined) return title.replace(` ${form}`, ` ${random.pick(forms)}`)
  }
  const small = /^(\d{1,2}) /.exec(title)
  const names = 'zero one two three four five six seven eight nine ten eleven twelve thirteen'.split(' ')
  const name = small === null ? undefined : names[Number(small[1])]
  return name === undefined ? title : title.replace(/^\d+/, name.charAt(0).toUpperCase() + name.slice(1))
}

function alterPunctuation(random: Random, title: string): string {
  const u = random.int(7)
  if (u === 0) return title.toUpperCase()
  if (u === 1) return title.replaceAll("'", '’')
  if (u === 2) return title.replace(': ', ' - ')
  if (u === 3) return title.replace(': ', ' ')
  if (u === 4) return title.replaceAll('-', ' ')
  if (u === 5) return title.replaceAll('-', '')
  return title.replace(/[.,!?']/g, '')
}

function alterArticle(random: Random, title: string): string {
  const match = /^(The|A|An) (.+)$/.exec(title)
  if (match !== null) return random.chance(0.6) ? `${match[2]}, ${match[1]}` : (match[2] as string)
  return random.chance(0.3) ? `The ${title}` : title
}

const TRANSLITERATIONS: readonly (readonly [RegExp, string])[] = [
  [/aa/, 'a'],
  [/a(?=[^aeiou])/, 'aa'],
  [/ee/, 'i'],
  [/oo/, 'u'],
  [/ou/, 'o'],
  [/th/, 't'],
  [/v/, 'w'],
  [/w/, 'v'],
  [/dh/, 'd'],
  [/q/, 'k'],
  [/z/, 's'],
  [/([bdgklmnprst])(?=[aeiou])/, '$1h'],
  [/ei/, 'e'],
  [/y/, 'i'],
]

/** One or two other spellings of the same sounds. */
function transliterate(random: Random, text: string): string {
  let altered = text
  for (let edits = 1 + random.int(2); edits > 0; edits--) {
    const usable = TRANSLITERATIONS.filter(([from]) => from.test(altered))
    if (usable.length === 0) return altered
    const [from, to] = random.pick(usable)
    altered = altered.replace(from, to)
  }
  return altered
}

function misspell(random: Random, title: string): string {
  if (title.length < 8) return title
  const at = 2 + random.int(title.length - 4)
  const u = random.int(3)
  if (u === 0) return title.slice(0, at) + title.slice(at + 1)
  if (u === 1) return title.slice(0, at) + title.charAt(at) + title.slice(at)
  return title.slice(0, at) + title.charAt(at + 1) + title.charAt(at) + title.slice(at + 2)
}

/** Writes names as a careless list would: other order, no initials, no accents, other spellings. */
export function addNameNoise(
  random: Random,
  names: readonly string[],
  share: number,
  language: Work['language'],
): string[] {
  return names.map((name) => {
    if (!random.chance(share)) return name
    const parts = name.split(' ')
    const u = random.int(7)
    if (u === 5) return `${parts.at(-1)}, ${parts.slice(0, -1).join(' ')}`
    if (u === 6) return name.replace(/(^| )(\w+)-(\w)/g, (_, space, one, two) => `${space}${one} ${two.toUpperCase()}`)
    if (u === 0) return parts.filter((part) => !part.endsWith('.')).join(' ')
    if (u === 1) return name.normalize('NFD').replace(/\p{M}/gu, '')
    if (u === 2) return language === 'in' ? transliterate(random, name) : name.replaceAll('-', ' ')
    if (u === 3) return language === 'ja' ? [...parts].reverse().join(' ') : name.toUpperCase()
    return parts.join('  ')
  })
}
