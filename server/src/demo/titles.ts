import { firstName, surname } from './people.ts'
import type { Random } from './random.ts'
import {
  pairedTitle,
  QUALIFIERS,
  qualifiedTitle,
  THINGS,
  TITLE_LANGUAGES,
  type TitleLanguage,
} from './title-concepts.ts'
import { ADJECTIVES, GERUNDS, NOUNS, NUMBERS, PLACE_HEADS, PLACE_TAILS, WORN_TITLES } from './words.ts'

/** A made-up title: in English, in the language it was made in, and in others where it has been translated. */
export interface MadeTitle {
  readonly english: string
  readonly original: string
  /** The title in a language; the English one where no other was given. */
  in(language: string): string
}

const titleLanguages: ReadonlySet<string> = new Set(TITLE_LANGUAGES)

/** A made-up place, such as Ashford or Coldmere. */
export function placeName(random: Random): string {
  return random.pick(PLACE_HEADS) + random.pick(PLACE_TAILS)
}

/** A title that has a counterpart in every language of the demo. */
export function translatedTitle(random: Random, originalLanguage: string, place: string): MadeTitle {
  const thing = random.pick(THINGS)
  const u = random.int(100)
  let render: (language: TitleLanguage) => string
  if (u < 45) {
    const qualifier = random.pick(QUALIFIERS)
    const tail = random.chance(0.6) ? `: ${place}` : ''
    render = (language) => qualifiedTitle(thing, qualifier, language) + tail
  } else if (u < 85) {
    const name = firstName(random)
    render = (language) => pairedTitle(name, thing, language)
  } else {
    const other = random.pick(THINGS)
    render = (language) => pairedTitle(other[language], thing, language)
  }
  const title = (language: string) => render(titleLanguages.has(language) ? (language as TitleLanguage) : 'en')
  return { english: title('en'), original: title(originalLanguage), in: title }
}

/** A title that is English everywhere. */
export function englishTitle(random: Random, place: string): MadeTitle {
  const english = englishWords(random, place)
  return { english, original: english, in: () => english }
}

function englishWords(random: Random, place: string): string {
  const u = random.int(100)
  const noun = random.pick(NOUNS)
  if (u < 17) return `The ${random.pick(ADJECTIVES)} ${noun}`
  if (u < 29) return `${random.pick(ADJECTIVES)} ${noun}`
  if (u < 41) return `The ${noun} of ${place}`
  if (u < 49) return `${firstName(random)} ${surname(random)}`
  if (u < 56) return `${firstName(random)}'s ${noun}`
  if (u < 62) return `${place} ${noun}`
  if (u < 68) return `The ${noun} and the ${random.pick(NOUNS)}`
  if (u < 74) return `${random.pick(GERUNDS)} ${firstName(random)}`
  if (u < 78) return `${random.pick(GERUNDS)} the ${random.pick(ADJECTIVES)} ${noun}`
  if (u < 82) return `${random.pick(NUMBERS)} Days in ${place}`
  if (u < 86) return `${place}: The ${random.pick(ADJECTIVES)} ${noun}`
  if (u < 89) return `The ${noun} ${2 + random.int(3)}`
  if (u < 92) return `${firstName(random)} & ${firstName(random)}`
  if (u < 95) return `A ${noun} for ${firstName(random)}`.replace(/^A (?=[AEIOU])/, 'An ')
  if (u < 97) return place
  return random.pick(WORN_TITLES)
}

/** What an episode is called. */
export function episodeTitle(random: Random, episode: number): string {
  const u = random.int(4)
  if (u === 0) return `The ${random.pick(NOUNS)}`
  if (u === 1) return `${random.pick(ADJECTIVES)} ${random.pick(NOUNS)}`
  return `Episode ${episode}`
}
