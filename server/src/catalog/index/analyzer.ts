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
}

const ASCII_ONLY = /^[\x20-\x7e]*$/
const NOT_ASCII = /[^\x20-\x7e]/g
/** Up to the end of Latin Extended-B, without combining marks. */
const LATIN_ONLY = /^[\x20-\x7e\xa0-\u024f]*$/
/** A title of ASCII words with single spaces, which is its own and only variant. */
const PLAIN_TITLE = /^[a-z0-9]+(?: [a-z0-9]+)*$/
const MARKS = /\p{M}+/gu
const REPLACED_LETTERS = /[ıßøæœłđðþ]/g
const NOT_WORD = /[^\p{L}\p{N}]+/gu
/** Scripts written without spaces: every character is a token of its own. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu
const HAS_UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Folds case and accents. */
export function fold(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase()
  return LATIN_ONLY.test(text) ? text.replace(NOT_ASCII, foldLatinLetter).toLowerCase() : foldAny(text)
}

function foldAny(text: string): string {
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(MARKS, '')
    .replace(REPLACED_LETTERS, (letter) => LETTER_REPLACEMENTS[letter] as string)
    .normalize('NFC')
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
  if (ASCII_ONLY.test(folded)) return tokenizeAscii(folded)
  const spaced = HAS_UNSPACED.test(folded) ? folded.replace(UNSPACED, ' $& ') : folded
  return spaced.split(NOT_WORD).filter((word) => word !== '')
}

/** Splits folded ASCII text, which is most of all text, without a regular expression. */
function tokenizeAscii(folded: string): string[] {
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

/** Titles are truncated to this length. */
const MAX_TITLE_LENGTH = 300

/**
 * The variants under which a title is indexed and searched: folded, with punctuation replaced by a space, and with
 * punctuation removed, since people type "spider man", "spiderman" and "Spider-Man". A title of punctuation only is its
 * own variant.
 */
export function titleVariants(title: string): string[] {
  const folded = fold(title)
  if (PLAIN_TITLE.test(folded)) return [folded.slice(0, MAX_TITLE_LENGTH)]
  const spaced = folded.replace(NOT_WORD, ' ').trim()
  if (spaced === '') {
    const bare = folded.trim().slice(0, MAX_TITLE_LENGTH)
    return bare === '' ? [] : [bare]
  }
  const first = spaced.slice(0, MAX_TITLE_LENGTH)
  const second = folded
    .replace(/\s+/g, ' ')
    .replace(/[^\p{L}\p{N} ]+/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, MAX_TITLE_LENGTH)
  return first === second ? [first] : [first, second]
}
