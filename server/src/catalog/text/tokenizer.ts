import { transliterate } from './transliteration.ts'

/** Letters that Unicode does not decompose into a base letter and a mark, and what people type for them. */
const LETTER_REPLACEMENTS: Readonly<Record<string, string>> = {
  ı: 'i',
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  // Signs of a nasal vowel in Hindi, which is written with either.
  '\u0901': '\u0902',
}

const ASCII_ONLY = /^[\x20-\x7e]*$/
const NOT_ASCII = /[^\x20-\x7e]/g
/** Up to the end of Latin Extended-B, without combining marks. */
const LATIN_ONLY = /^[\x20-\x7e\xa0-\u024f]*$/
/**
 * Accents: marks of no script of their own and of Cyrillic, and the points of Arabic, Hebrew and Syriac, which texts mostly lack.
 * With them go invisible marks, and the nukta of Devanagari, which is often left out. Other marks are letters: vowels and tones of
 * Indic scripts and Thai, consonants of voiced kana. Without them, different words are equal (ハハ, ババ and パパ).
 */
const ACCENTS =
  /(?:(?=[\p{sc=Inherited}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{DI}\u093c])[^\P{M}\u3099\u309a])+/gu
const REPLACED_LETTERS = /[ıßøæœłđðþ\u0901]/g
/** Marks belong to the letter before them. */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu
/** Scripts written without spaces: runs of them are cut into overlapping pairs of characters. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\u3099\u309a\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
/** Thai has the lowest code points of them. */
const FIRST_UNSPACED = 0xe00
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u')
const RUNS = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu')

/** Folds case and accents, and writes Cyrillic and Greek in Latin letters. */
export function fold(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase()
  return LATIN_ONLY.test(text) ? text.replace(NOT_ASCII, foldLatinLetter).toLowerCase() : foldAny(text)
}

function foldAny(text: string): string {
  const folded = text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(REPLACED_LETTERS, (letter) => LETTER_REPLACEMENTS[letter] as string)
    .normalize('NFC')
  return transliterate(folded)
}

const foldedLatinLetters = new Map<string, string>()

/** Folds one letter. Latin letters fold independently of their neighbours, so each result is kept: 432 at most. */
function foldLatinLetter(letter: string): string {
  let folded = foldedLatinLetters.get(letter)
  if (folded === undefined) {
    folded = foldAny(letter)
    foldedLatinLetters.set(letter, folded)
  }
  return folded
}

/** The folded words of a text in order, repeats included. */
export function tokenize(text: string): string[] {
  const folded = fold(text)
  return ASCII_ONLY.test(folded) ? splitAscii(folded) : splitUnspaced(splitWords(folded))
}

/** The words of folded text, as they are delimited by everything but letters, their marks, and digits. */
export function splitWords(folded: string): string[] {
  return ASCII_ONLY.test(folded) ? splitAscii(folded) : (folded.match(WORD) ?? [])
}

/** Whether a word has letters of a script that is written without spaces. */
export function isUnspaced(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) >= FIRST_UNSPACED) return HAS_UNSPACED.test(word)
  return false
}

/**
 * Cuts words of scripts without spaces into bigrams, and the last character on its own. So a text contains a phrase only
 * if it has all of the phrase's tokens, where the last one may be the start of a longer token.
 */
export function splitUnspaced(words: string[]): string[] {
  if (!words.some(isUnspaced)) return words
  const tokens: string[] = []
  for (const word of words) {
    for (const [run] of word.matchAll(RUNS)) {
      if (!isUnspaced(run)) {
        tokens.push(run)
        continue
      }
      const letters = Array.from(run)
      letters.forEach((letter, i) => {
        tokens.push(letter + (letters[i + 1] ?? ''))
      })
    }
  }
  return tokens
}

/** Splits folded ASCII text, which is most of all text, without a regular expression. */
function splitAscii(folded: string): string[] {
  const words: string[] = []
  let start = -1
  for (let i = 0; i < folded.length; i++) {
    const code = folded.charCodeAt(i)
    const isWord = (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
    if (isWord) {
      if (start < 0) start = i
    } else if (start >= 0) {
      words.push(folded.slice(start, i))
      start = -1
    }
  }
  if (start >= 0) words.push(folded.slice(start))
  return words
}
