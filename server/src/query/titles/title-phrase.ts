import { joinKey, titleVariants } from '../../catalog/index/analyzer.ts'
import { canonicalForms, isAnyArticle } from '../../catalog/text/canonical-words.ts'
import { fold, isUnspaced, splitUnspaced, splitWords } from '../../catalog/text/tokenizer.ts'

/** The most words of a phrase that are looked up; the rest is left out. */
const MAX_SLOTS = 16

/** A word of a phrase, and what it may match as a whole word: itself, and its canonical forms. */
export interface PhraseWord {
  readonly word: string
  readonly forms: readonly string[]
  /** The start of a longer word, if the word may be unfinished. */
  readonly prefix: string | undefined
  /** The year that the word may stand for. */
  readonly year: number | undefined
}

/** A year at the end of a phrase, and the keys of the phrase without it. */
interface TrailingYear {
  readonly year: number
  readonly keys: readonly string[]
}

/** A phrase of a title search, analyzed as titles are. */
export interface TitlePhrase {
  /** The keys that a whole title may equal. */
  readonly keys: readonly string[]
  /** The keys without a leading article; empty if there is none. */
  readonly strippedKeys: readonly string[]
  readonly trailingYear: TrailingYear | undefined
  readonly words: readonly PhraseWord[]
}

const APOSTROPHES = /['’‘`´]/g
const AND_SIGNS = /&| \+ /g
/** Signs that are more than the end of a word, and letters that may fold to one. */
const MAY_HAVE_SIGNS = /[&+,]|[^\x20-\x7e]/
const TRAILING_ARTICLE = /,\s*(\S+)\s*$/
const YEAR = /^(?:18[89]\d|19\d\d|20\d\d)$/

/** The rest of a longer query is left out. */
export const MAX_PHRASE_LENGTH = 300

/** The words of a query, folded. Apostrophes are dropped, other punctuation separates. */
export function phraseWords(text: string): string[] {
  return splitWords(fold(text.slice(0, MAX_PHRASE_LENGTH)).replace(APOSTROPHES, ''))
}

/** Analyzes a query that has these words. A query of punctuation only has a key, but no words. */
export function parsePhrase(text: string, words: readonly string[]): TitlePhrase {
  if (words.length === 0) {
    return { keys: titleVariants(text), strippedKeys: [], trailingYear: undefined, words: [] }
  }
  const phrase = buildPhrase(words)
  if (!MAY_HAVE_SIGNS.test(text)) return phrase
  const folded = fold(text.slice(0, MAX_PHRASE_LENGTH)).replace(APOSTROPHES, '')
  // An and sign counts as "and", and as nothing.
  const linked = splitWords(folded.replace(AND_SIGNS, ' and '))
  const keys = linked.length === words.length ? phrase.keys : [...new Set([...phrase.keys, ...formKeys(linked)])]
  const last = words.at(-1) as string
  if (words.length === 1 || !isAnyArticle(last) || TRAILING_ARTICLE.exec(folded)?.[1] !== last)
    return { ...phrase, keys }
  // "Godfather, The" is "The Godfather".
  const rest = words.slice(0, -1)
  return { ...phrase, keys: [...keys, ...formKeys([last, ...rest])], strippedKeys: formKeys(rest) }
}

/** Whether a word may be the year of a show. */
export function isYear(word: string): boolean {
  return YEAR.test(word)
}

/** Builds a phrase from folded words. */
export function buildPhrase(words: readonly string[]): TitlePhrase {
  const hasArticle = words.length > 1 && isAnyArticle(words[0] as string)
  const last = words.at(-1) as string
  const hasYear = words.length > 1 && isYear(last)
  const forms = canonicalForms(words)
  return {
    keys: joinForms(forms),
    strippedKeys: hasArticle ? formKeys(words.slice(1)) : [],
    trailingYear: hasYear ? { year: Number(last), keys: yearlessKeys(words.slice(0, -1)) } : undefined,
    words: buildWords(words, forms),
  }
}

function yearlessKeys(words: readonly string[]): string[] {
  const hasArticle = words.length > 1 && isAnyArticle(words[0] as string)
  return [...formKeys(words), ...(hasArticle ? formKeys(words.slice(1)) : [])]
}

function formKeys(words: readonly string[]): string[] {
  return joinForms(canonicalForms(words))
}

function joinForms(forms: readonly (readonly string[])[]): string[] {
  return forms.length === 1 ? [joinKey(forms[0] as string[])] : [...new Set(forms.map(joinKey))]
}

function buildWords(words: readonly string[], forms: readonly (readonly string[])[]): PhraseWord[] {
  const [canonical = words, ...others] = forms
  const parallel = [words, ...others].filter(({ length }) => length === canonical.length)
  const slots = new Map<string, PhraseWord>()
  canonical.forEach((word, i) => {
    const isLast = i === canonical.length - 1
    const forms = [...new Set([word, ...parallel.map((form) => form[i] as string)])]
    for (const [token, tokenForms, isUnfinished] of splitToken(word, forms, isLast)) {
      const known = slots.get(token)
      const prefix = isUnfinished ? (isLast ? lastPrefix(words, token) : token) : known?.prefix
      slots.set(token, { word: token, forms: tokenForms, prefix, year: isYear(token) ? Number(token) : undefined })
    }
  })
  return [...slots.values()].slice(0, MAX_SLOTS)
}

/** A word as tokens of the index: most are one; in scripts without spaces the last of them may be unfinished. */
function splitToken(word: string, forms: string[], isLast: boolean): [string, string[], boolean][] {
  if (!isUnspaced(word)) return [[word, forms, isLast]]
  const tokens = splitUnspaced([word])
  return tokens.map((token, i) => [token, [token], i === tokens.length - 1])
}

/** The last word as it was typed: a number may have been typed as the start of a word. */
function lastPrefix(words: readonly string[], token: string): string {
  const typed = words.at(-1) as string
  return isUnspaced(typed) ? token : typed
}
