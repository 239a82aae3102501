import type { Random } from '../../../src/demo/random.ts'
import vocabulary from './vocabulary.json' with { type: 'json' }

/** A movie or a series as it is in truth. Lists tell of it, each in its own way. */
export interface Work {
  readonly showType: 'movie' | 'series'
  readonly title: string
  /** The title in the language of the original, if that is another one. */
  readonly original?: string
  /** How its title is likely to be altered: names of India and Japan are transliterated in several ways. */
  readonly language: 'en' | 'in' | 'ja' | 'other'
  readonly year: number
  /** Of a series. */
  readonly lastYear: number
  readonly seasons: number
  readonly directors: readonly string[]
  readonly cast: readonly string[]
  readonly runtime: number
  readonly genre: string
}

/** Lists of words by kind. */
export const words = Object.fromEntries(
  Object.entries(vocabulary).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text.split(' ')]] : [])),
) as Record<string, string[]>

/** Names of people, as they are common where a work comes from. */
export function makePeople(random: Random, language: Work['language'], count: number): string[] {
  const [given, surnames] =
    language === 'in'
      ? [words.indianGiven, words.indianSurnames]
      : language === 'ja'
        ? [words.japaneseGiven, words.japaneseSurnames]
        : [words.given, words.surnames]
  const people = new Set<string>()
  while (people.size < count) {
    const middle = random.chance(0.12) ? ` ${random.pick('ABCDEFGHJKLMRST'.split(''))}.` : ''
    people.add(`${random.pick(given as string[])}${middle} ${random.pick(surnames as string[])}`)
  }
  return [...people]
}
