/*
 * A Korean syllable is one character, and is composed while it is typed: 기 ㅅ, 기새, 기생. Unicode has all syllables in one
 * range, in the order of their consonant, their vowel and their final consonant, if they have one.
 */
const FIRST_SYLLABLE = 0xac00
const LAST_SYLLABLE = 0xd7a3
const FIRST_CONSONANT = 0x1100
const LAST_CONSONANT = 0x1112

/** Syllables of a consonant and a vowel, and of a consonant. */
const SYLLABLES_OF_VOWEL = 28
const SYLLABLES_OF_CONSONANT = 21 * SYLLABLES_OF_VOWEL

/**
 * A folded text whose last syllable lacks its vowel or its final consonant, with the first and with the last syllable that it may
 * become; undefined if it ends otherwise.
 */
export function spanOfOpenSyllable(text: string): [first: string, last: string] | undefined {
  const code = text.charCodeAt(text.length - 1)
  const spanFrom = (first: number, count: number): [string, string] => {
    const start = text.slice(0, -1)
    return [start + String.fromCharCode(first), start + String.fromCharCode(first + count - 1)]
  }
  if (code >= FIRST_SYLLABLE && code <= LAST_SYLLABLE) {
    const isOpen = (code - FIRST_SYLLABLE) % SYLLABLES_OF_VOWEL === 0
    return isOpen ? spanFrom(code, SYLLABLES_OF_VOWEL) : undefined
  }
  if (code < FIRST_CONSONANT || code > LAST_CONSONANT) return undefined
  return spanFrom(FIRST_SYLLABLE + (code - FIRST_CONSONANT) * SYLLABLES_OF_CONSONANT, SYLLABLES_OF_CONSONANT)
}
