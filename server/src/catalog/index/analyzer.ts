import { AND, canonicalizeWords, isArticle } from '../text/canonical-words.ts'
import { fold, isUnspaced, splitUnspaced, splitWords, tokenize } from '../text/tokenizer.ts'
import { segmentKana } from '../text/transliteration.ts'

export { fold, tokenize }

/** Titles are truncated to this length. */
const MAX_TITLE_LENGTH = 300

/** Initials are made of titles with at least this many words, or of shorter ones that have a number. */
const MIN_INITIALS_WORDS = 4
const MIN_INITIALS_LENGTH = 3

/** A title of ASCII words with single spaces has no punctuation to take into account. */
const PLAIN_TITLE = /^[a-z0-9]+(?: [a-z0-9]+)*$/
const PUNCTUATION = /[^\p{L}\p{M}\p{N} ]+/gu
const HAS_AND_SIGN = /&| \+ /
const AND_SIGN = /&| \+ /g
const TRAILING_YEAR = /[([]\s*(\d{4})\s*[)\]]\s*$/
const TRAILING_ARTICLE = /,\s*(\S+)\s*$/
/** Where a subtitle starts. */
const SUBTITLE = /\s*[:;(]\s*|\s+[-–—|/]\s+/u
const DIGITS = /^\d+$/

/** What a title is indexed by. */
export interface AnalyzedTitle {
  /** The whole title, without spaces, in all forms that count as equal. */
  readonly keys: ReadonlySet<string>
  /** The same without a leading article, and without a trailing year that is the show's. */
  readonly strippedKeys: ReadonlySet<string>
  readonly words: ReadonlySet<string>
}

/**
 * Analyzes a title in one of the given languages. Words written together or apart count as equal, so a key has no
 * spaces. Punctuation separates words, and is also dropped: "Ocean's" gives "ocean", "s" and "oceans".
 */
export function analyzeTitle(title: string, languages: readonly string[], year?: number): AnalyzedTitle {
  const folded = fold(title)
  const keys = new Set<string>()
  const strippedKeys = new Set<string>()
  const words = new Set<string>()
  const isPlain = PLAIN_TITLE.test(folded)
  const raw = splitWords(folded)
  if (raw.length === 0) {
    const bare = folded.trim().slice(0, MAX_TITLE_LENGTH)
    if (bare !== '') keys.add(bare)
    return { keys, strippedKeys, words }
  }
  const forms: (readonly string[])[] = [raw]
  if (!isPlain) {
    if (HAS_AND_SIGN.test(folded)) forms.push(splitWords(folded.replace(AND_SIGN, ` ${AND} `)))
    addWords(splitWords(folded.replace(PUNCTUATION, '')), words)
  }
  addCanonicalForms(forms, languages)
  for (const form of forms) {
    keys.add(joinKey(form))
    addWords(form, words)
    if (form.length > 1 && isArticle(form[0] as string, languages)) strippedKeys.add(joinKey(form.slice(1)))
  }
  if (!isPlain) addInvertedTitle(title, raw, languages, keys, strippedKeys)
  if (year !== undefined && TRAILING_YEAR.exec(folded)?.[1] === String(year)) {
    const rest = analyzeTitle(title.normalize('NFKC').replace(TRAILING_YEAR, ''), languages)
    for (const key of [...rest.keys, ...rest.strippedKeys]) strippedKeys.add(key)
  }
  addTranscription(title, languages, keys, strippedKeys, words)
  for (const key of keys) strippedKeys.delete(key)
  return { keys, strippedKeys, words }
}

/** Adds the canonical forms of a title in the languages that it may be in. */
function addCanonicalForms(forms: (readonly string[])[], languages: readonly string[]): void {
  for (const language of languages) {
    for (const form of forms.slice()) {
      const canonical = canonicalizeWords(form, language)
      if (canonical !== form) forms.push(canonical)
    }
  }
}

/**
 * Adds a title with its kana in Latin letters, once without long vowels, as most people type them, and once with. A key is of the
 * whole title: what has no transcription stays in it as it is, so "ナルト 疾風伝" starts with "naruto" but does not equal it. The words
 * are those of kana, also written together.
 */
function addTranscription(
  title: string,
  languages: readonly string[],
  keys: Set<string>,
  strippedKeys: Set<string>,
  words: Set<string>,
): void {
  const segments = segmentKana(title)
  if (segments.length === 0) return
  const kana = new Map(segments.flatMap((segment) => (segment.latin === undefined ? [] : [[segment.text, segment]])))
  // Kana are transcribed last: no transcription is taken for a numeral, an abbreviation or an article.
  const split = (andSign: string) =>
    segments.flatMap(({ text }) => (kana.has(text) ? [text] : splitWords(fold(text).replace(AND_SIGN, andSign))))
  const forms: (readonly string[])[] = [split(' ')]
  if (segments.some(({ text }) => HAS_AND_SIGN.test(text))) forms.push(split(` ${AND} `))
  addCanonicalForms(forms, languages)
  for (const spelling of ['latin', 'prolonged'] as const) {
    for (const form of forms) {
      const transcribed = form.map((word) => kana.get(word)?.[spelling] ?? word)
      keys.add(joinKey(transcribed))
      if (form.length > 1 && isArticle(form[0] as string, languages)) strippedKeys.add(joinKey(transcribed.slice(1)))
      for (const word of transcribed) if (!isUnspaced(word)) words.add(word)
    }
    const joined = segments.flatMap((segment) => segment[spelling] ?? [])
    if (joined.length < (forms[0] as readonly string[]).length) words.add(joinKey(joined))
  }
}

/** A title with its article at the end, as in "Godfather, The". */
function addInvertedTitle(
  title: string,
  raw: readonly string[],
  languages: readonly string[],
  keys: Set<string>,
  strippedKeys: Set<string>,
): void {
  const last = raw.at(-1) as string
  if (raw.length < 2 || !isArticle(last, languages) || fold(TRAILING_ARTICLE.exec(title)?.[1] ?? '') !== last) return
  const rest = raw.slice(0, -1)
  keys.add(joinKey([last, ...rest]))
  strippedKeys.add(joinKey(rest))
}

function addWords(form: readonly string[], words: Set<string>): void {
  for (const word of splitUnspaced(form as string[])) words.add(word)
}

/** The key of a title: its words without spaces. */
export function joinKey(words: readonly string[]): string {
  return words.join('').slice(0, MAX_TITLE_LENGTH)
}

/** The keys under which a title is found as equal, those of a query or of a title in an unknown language. */
export function titleVariants(title: string): string[] {
  return [...analyzeTitle(title, ['en']).keys]
}

/**
 * The initials of a title and of its subtitle, by which people abbreviate long ones: "lotr", "himym", "t2". Numbers are
 * kept; a leading article may be left out.
 */
export function titleInitials(title: string): Set<string> {
  const initials = new Set<string>()
  for (const part of fold(title).split(SUBTITLE)) {
    const raw = splitWords(part)
    if (raw.length < 2) continue
    const canonical = canonicalizeWords(raw, 'en')
    // "I" in the middle of a title is a word more often than a numeral.
    const isParallel = canonical.length === raw.length
    const counted = isParallel ? canonical.map((word, i) => (raw[i]?.length === 1 ? raw[i] : word)) : canonical
    addInitials(raw, initials)
    addInitials(counted, initials)
  }
  return initials
}

function addInitials(words: readonly string[], initials: Set<string>): void {
  const hasNumber = words.some((word) => DIGITS.test(word))
  if (words.length < MIN_INITIALS_WORDS && !hasNumber) return
  const all = words.map((word) => (DIGITS.test(word) ? word : word.charAt(0))).join('')
  const rest = isArticle(words[0] as string, ['en']) ? all.slice(1) : ''
  for (const one of [all, rest]) {
    if (one.length >= MIN_INITIALS_LENGTH || (hasNumber && one.length >= 2 && !DIGITS.test(one))) initials.add(one)
  }
}
