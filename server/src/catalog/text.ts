/** Letters that Unicode does not take apart into a base letter and a mark, and what people type for them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
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
const MARKS = /\p{M}+/gu
const SPECIAL = /[ıßøæœłđðþ]/g
const NOT_WORD = /[^\p{L}\p{N}]+/gu
/** Scripts written without spaces: every letter counts as a word of its own. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu
const HAS_UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Text without regard to case and accents. */
export function fold(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(MARKS, '')
    .replace(SPECIAL, (letter) => PLAIN_LETTERS[letter] as string)
    .normalize('NFC')
}

/** The folded words of a text, in order, repeats included. */
export function wordsOf(text: string): string[] {
  const folded = fold(text)
  const spaced = HAS_UNSPACED.test(folded) ? folded.replace(UNSPACED, ' $& ') : folded
  return spaced.split(NOT_WORD).filter((word) => word !== '')
}

/** Titles longer than this are compared by their beginning. */
const LONGEST_FORM = 300

/**
 * The forms under which a title is compared: folded, with punctuation once as a space and once left out, since
 * people type "spider man", "spiderman" and "Spider-Man". A title of nothing but punctuation stands for itself.
 */
export function titleForms(title: string): string[] {
  const folded = fold(title)
  const spaced = folded.replace(NOT_WORD, ' ').trim()
  if (spaced === '') {
    const bare = folded.trim().slice(0, LONGEST_FORM)
    return bare === '' ? [] : [bare]
  }
  const first = spaced.slice(0, LONGEST_FORM)
  const second = folded
    .replace(/\s+/g, ' ')
    .replace(/[^\p{L}\p{N} ]+/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, LONGEST_FORM)
  return first === second ? [first] : [first, second]
}
