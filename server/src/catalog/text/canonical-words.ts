import data from './data/languages.json' with { type: 'json' }

/*
 * Words that count as equal in titles are replaced by one of them: numbers as digits, words and Roman numerals, "and" in
 * the language of the title, ordinals, and a few abbreviations.
 */

interface LanguageWords {
  readonly articles: ReadonlySet<string>
  readonly and: ReadonlySet<string>
  /** What single words are replaced by. */
  readonly replacements: ReadonlyMap<string, string>
  /** Numbers of two words, by the first word, then by the second. */
  readonly pairs: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** The canonical form of "and", and of `&`. */
export const AND = 'and'

const ENGLISH = 'en'
const ENGLISH_NUMBERS: ReadonlyMap<string, number> = new Map(Object.entries(data.languages.en.numbers))
/** Replaced in titles of all languages. */
const COMMON = [
  ...Object.entries(data.abbreviations),
  ...Object.entries(data.romanNumerals).map(([numeral, n]): [string, string] => [numeral, String(n)]),
]
/** Abbreviations come before a name or a number: at the end, they are words that somebody is still typing. */
const leadingAbbreviations: ReadonlySet<string> = new Set(Object.keys(data.abbreviations))

const languages = new Map<string, LanguageWords>()
for (const [code, { articles, and, numbers }] of Object.entries(data.languages)) {
  const pairs = new Map<string, Map<string, string>>()
  const replacements = new Map(COMMON)
  for (const [word, n] of Object.entries(numbers)) {
    const [first, second] = word.split(' ') as [string, string?]
    if (second === undefined) replacements.set(word, String(n))
    else pairs.set(first, (pairs.get(first) ?? new Map<string, string>()).set(second, String(n)))
  }
  if (code === ENGLISH) for (const [word, ordinal] of Object.entries(data.ordinals)) replacements.set(word, ordinal)
  languages.set(code, { articles: new Set(articles), and: new Set(and), replacements, pairs })
}

const NO_WORDS: ReadonlySet<string> = new Set()
const OTHER_LANGUAGE: LanguageWords = {
  articles: NO_WORDS,
  and: NO_WORDS,
  replacements: new Map(COMMON),
  pairs: new Map(),
}

/** Norwegian has three codes. */
function languageWords(language: string): LanguageWords {
  return languages.get(language === 'nb' || language === 'nn' ? 'no' : language) ?? OTHER_LANGUAGE
}

/** Whether a word is an article in one of the languages. */
export function isArticle(word: string, titleLanguages: readonly string[]): boolean {
  return titleLanguages.some((language) => languageWords(language).articles.has(word))
}

/** The words of a title in their canonical form, for its language. The same list if none is replaced. */
export function canonicalizeWords(words: readonly string[], language: string): readonly string[] {
  const { replacements, pairs, and } = languageWords(language)
  if (!words.some((word, i) => replacements.has(word) || (and.has(word) && isInner(words, i)))) return words
  const canonical: string[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string
    const phrase = language === ENGLISH ? parseEnglishNumber(words, i) : undefined
    const pair = pairs.get(word)?.get(words[i + 1] ?? '')
    if (phrase !== undefined) {
      canonical.push(String(phrase.value))
      i += phrase.length - 1
    } else if (pair !== undefined) {
      canonical.push(pair)
      i++
    } else if (and.has(word) && isInner(words, i)) canonical.push(AND)
    // A single letter at the start is a word or a name: "I, Robot", "V for Vendetta", "X-Men".
    else if (i === 0 && word.length === 1) canonical.push(word)
    else if (i === words.length - 1 && leadingAbbreviations.has(word)) canonical.push(word)
    else canonical.push(replacements.get(word) ?? word)
  }
  return canonical
}

/** Whether a word has words on both sides, as a conjunction does. */
function isInner(words: readonly string[], i: number): boolean {
  return i > 0 && i < words.length - 1
}

/** The number that starts at a word, such as "one hundred and one", with the count of its words. */
function parseEnglishNumber(words: readonly string[], start: number): { value: number; length: number } | undefined {
  let value = 0
  let current = 0
  let end = start
  for (let i = start; i < words.length; i++) {
    const n = ENGLISH_NUMBERS.get(words[i] as string)
    if (n === undefined) {
      // "and" only within a number: after hundred or thousand, and before more of it.
      const isLinked = words[i] === 'and' && i > start && (current % 100 === 0 || current === 0)
      if (isLinked && isSmallNumber(words[i + 1])) continue
      break
    }
    if (n === 1000) {
      if (value > 0) break
      value = (current || 1) * 1000
      current = 0
    } else if (n === 100) {
      if (current > 9) break
      current = (current || 1) * 100
    } else if (n >= 20) {
      if (current % 100 !== 0) break
      current += n
    } else {
      const rest = current % 100
      if (end > start && (n === 0 || (rest !== 0 && (rest < 20 || rest % 10 !== 0 || n > 9)))) break
      current += n
    }
    end = i + 1
  }
  return end === start ? undefined : { value: value + current, length: end - start }
}

function isSmallNumber(word: string | undefined): boolean {
  const n = ENGLISH_NUMBERS.get(word ?? '')
  return n !== undefined && n < 100
}

/** Languages of number words and conjunctions that a query may be meant in, beside English. */
const queryLanguages = buildQueryLanguages()

function buildQueryLanguages(): Map<string, string[]> {
  const excluded = new Set(data.notNumbersInQueries)
  const byWord = new Map<string, string[]>()
  const add = (word: string, code: string) => byWord.set(word, [...(byWord.get(word) ?? []), code])
  for (const [code, { numbers, and }] of Object.entries(data.languages)) {
    if (code === ENGLISH) continue
    for (const word of and) add(word, code)
    for (const word of Object.keys(numbers)) {
      const [first] = word.split(' ') as [string]
      if (!ENGLISH_NUMBERS.has(word) && !excluded.has(word)) add(first, code)
    }
  }
  return byWord
}

/** The most canonical forms of a query. */
const MAX_QUERY_FORMS = 4

/**
 * The forms of a phrase in an unknown language: as it is, and canonical in each language of which it has a number word or
 * a conjunction. English comes first.
 */
export function canonicalForms(words: readonly string[]): (readonly string[])[] {
  const forms = [canonicalizeWords(words, ENGLISH)]
  if (forms[0] === words && !words.some((word) => queryLanguages.has(word))) return forms
  const seen = new Set(forms.map((form) => form.join(' ')))
  const add = (form: readonly string[]) => {
    const text = form.join(' ')
    if (forms.length < MAX_QUERY_FORMS && !seen.has(text)) {
      seen.add(text)
      forms.push(form)
    }
  }
  add(words)
  for (const word of words) for (const code of queryLanguages.get(word) ?? []) add(canonicalizeWords(words, code))
  return forms
}

/** Words that are articles in any language, for a query in an unknown one. */
const anyArticle: ReadonlySet<string> = new Set(Object.values(data.languages).flatMap(({ articles }) => articles))

/** Whether a word is an article in any language. */
export function isAnyArticle(word: string): boolean {
  return anyArticle.has(word)
}
