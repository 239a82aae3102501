import { segmentKana } from '../../catalog/text/transliteration.ts'
import type { ShowType } from '../../model/show.ts'
import abbreviationData from './data/abbreviations.json' with { type: 'json' }
import noiseData from './data/noise-phrases.json' with { type: 'json' }
import { isYear, MAX_PHRASE_LENGTH, phraseWords } from './title-phrase.ts'

/** What a query may mean besides what is written. */
export interface Reading {
  readonly words: readonly string[]
  /** The type of the show, if words around the title name it. */
  readonly showType?: ShowType | undefined
}

/**
 * The other readings of a query, the likelier first: without the words that people put around a title, with numbers apart from words
 * or letters joined, and with its kana in Latin letters.
 */
export function otherReadings(text: string, words: readonly string[]): Reading[] {
  const stripped = stripNoise(words)
  const rewritten = [{ words }, ...stripped].flatMap(rewriteWords)
  return [...stripped, ...rewritten, ...transcribeText(text)]
}

const leadingNoise = new Set(noiseData.leading)
const trailingNoise = new Set(noiseData.trailing)
const noiseTypes: ReadonlyMap<string, ShowType> = new Map([
  ...noiseData.types.movie.map((phrase) => [phrase, 'movie'] as const),
  ...noiseData.types.series.map((phrase) => [phrase, 'series'] as const),
])
/** The words that noise starts or ends with. Most queries have none of them, and are done with two look-ups. */
const leadingStarts = new Set(noiseData.leading.map((phrase) => phrase.split(' ')[0] as string))
const trailingEnds = new Set(noiseData.trailing.map((phrase) => phrase.split(' ').at(-1) as string))
const MAX_NOISE_WORDS = 6
const NUMBER = /\d+/g

/**
 * The words without those that people put around a title ("where can i watch …"): without those at the end, at the start,
 * and both. Empty if there are none. A year may follow them.
 */
function stripNoise(words: readonly string[]): Reading[] {
  const last = words.at(-1) ?? ''
  const year = words.length > 2 && isYear(last) ? [last] : []
  const title = year.length === 0 ? words : words.slice(0, -1)
  const first = title[0] ?? ''
  const end = title.at(-1) ?? ''
  const whole = { words: title }
  const leading = leadingStarts.has(first) ? stripLeading(whole) : whole
  const isTrailing = trailingEnds.has(end) || trailingEnds.has(end.replace(NUMBER, '#'))
  const trailing = isTrailing ? stripTrailing(whole) : whole
  const both = leading === whole || trailing === whole ? whole : stripTrailing(leading)
  return [trailing, leading, both]
    .filter((one, i, all) => one !== whole && all.indexOf(one) === i)
    .map((one) => ({ ...one, words: [...one.words, ...year] }))
}

function stripLeading(reading: Reading): Reading {
  const { words } = reading
  for (let length = Math.min(MAX_NOISE_WORDS, words.length - 1); length > 0; length--) {
    const noise = words.slice(0, length).join(' ')
    if (leadingNoise.has(noise)) return stripLeading(withoutNoise(reading, noise, words.slice(length)))
  }
  return reading
}

function stripTrailing(reading: Reading): Reading {
  const { words } = reading
  for (let length = Math.min(MAX_NOISE_WORDS, words.length - 1); length > 0; length--) {
    const tail = words.slice(-length).join(' ')
    const noise = [tail, tail.replace(NUMBER, '#')].find((one) => trailingNoise.has(one))
    if (noise !== undefined) return stripTrailing(withoutNoise(reading, noise, words.slice(0, -length)))
  }
  return reading
}

function withoutNoise({ showType }: Reading, noise: string, words: readonly string[]): Reading {
  return { words, showType: showType ?? noiseTypes.get(noise) }
}

/** What the number of a part stands behind. */
const PART_WORDS: ReadonlySet<string> = new Set(['part', 'pt', 'chapter', 'volume', 'vol', 'teil', 'partie', 'parte'])
const FIRST: ReadonlySet<string> = new Set(['1', 'one', 'i'])

/** The words without the number of a first part, which titles seldom have: "rocky 1", "it chapter one". */
export function withoutFirstNumber(words: readonly string[]): readonly string[] | undefined {
  if (!FIRST.has(words.at(-1) ?? '')) return undefined
  const isPart = PART_WORDS.has(words.at(-2) ?? '')
  const title = words.slice(0, isPart ? -2 : -1)
  return title.length === 0 ? undefined : title
}

const NUMBERED_WORD = /^(\p{L}{2,})(\d{1,4})$/u
const DIGIT_ZERO = 0x30
const DIGIT_NINE = 0x39

/** The reading with numbers apart from the words that they end, and with letters joined that stand alone; empty if it has neither. */
function rewriteWords({ words, showType }: Reading): Reading[] {
  if (!words.some(mayBeRewritten)) return []
  const apart = joinLetters(words).flatMap((word) => NUMBERED_WORD.exec(word)?.slice(1) ?? [word])
  return apart.join(' ') === words.join(' ') ? [] : [{ words: apart, showType }]
}

/** Whether a word is a letter or ends in a digit, which few do. */
function mayBeRewritten(word: string): boolean {
  const last = word.charCodeAt(word.length - 1)
  return word.length === 1 || (last >= DIGIT_ZERO && last <= DIGIT_NINE)
}

const MIN_JOINED_LETTERS = 3

/** The words with runs of single letters joined: "l o t r" may be an abbreviation with periods. */
function joinLetters(words: readonly string[]): readonly string[] {
  const joined: string[] = []
  for (let i = 0, end = 0; i < words.length; i = end) {
    while (end < words.length && words[end]?.length === 1) end++
    if (end - i >= MIN_JOINED_LETTERS) joined.push(words.slice(i, end).join(''))
    else {
      end = Math.max(end, i + 1)
      joined.push(...words.slice(i, end))
    }
  }
  return joined
}

const abbreviations: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(abbreviationData.abbreviations).map(([short, long]) => [short, long.split(' ')]),
)

/** The words with a well-known abbreviation written out; undefined if there is none. */
export function expandAbbreviations(words: readonly string[]): readonly string[] | undefined {
  if (!words.some((word) => abbreviations.has(word))) return undefined
  return words.flatMap((word) => abbreviations.get(word) ?? [word])
}

const LATIN_WORD = /^[\p{Script=Latin}\p{N}]+$/u

/**
 * The query with its kana in Latin letters: one reading, or none. The rest of it belongs to the title, but where it has no
 * transcription (Han), a title in Latin letters has other words for it.
 */
function transcribeText(text: string): Reading[] {
  const segments = segmentKana(text.slice(0, MAX_PHRASE_LENGTH))
  if (segments.length === 0) return []
  const words = segments.flatMap(({ text, latin }) => latin ?? phraseWords(text))
  return [
    { words: words.every((word) => LATIN_WORD.test(word)) ? words : segments.flatMap(({ latin }) => latin ?? []) },
  ]
}
