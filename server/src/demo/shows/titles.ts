import { pickFirstName, pickSurname } from '../data/people.ts'
import {
  pairedTitle,
  QUALIFIERS,
  qualifiedTitle,
  THINGS,
  TITLE_LANGUAGES,
  type TitleLanguage,
} from '../data/title-concepts.ts'
import { ADJECTIVES, COMMON_TITLES, GERUNDS, NOUNS, NUMBER_WORDS, PLACE_HEADS, PLACE_TAILS } from '../data/words.ts'
import type { Random } from '../random.ts'

/** A made-up title: in English, in the language it was made in, and in others where it has been translated. */
export interface GeneratedTitle {
  readonly english: string
  readonly original: string
  /** The title in a language; the English one where no other was given. */
  in(language: string): string
}

const titleLanguages: ReadonlySet<string> = new Set(TITLE_LANGUAGES)

/** A made-up place, such as Ashford or Coldmere. */
export function generatePlace(random: Random): string {
  return random.pick(PLACE_HEADS) + random.pick(PLACE_TAILS)
}

/** A title that has a counterpart in every language of the demo. */
export function generateTranslatedTitle(random: Random, originalLanguage: string, place: string): GeneratedTitle {
  const thing = random.pick(THINGS)
  const u = random.int(100)
  let render: (language: TitleLanguage) => string
  if (u < 45) {
    const qualifier = random.pick(QUALIFIERS)
    const tail = random.chance(0.6) ? `: ${place}` : ''
    render = (language) => qualifiedTitle(thing, qualifier, language) + tail
  } else if (u < 85) {
    const name = pickFirstName(random)
    render = (language) => pairedTitle(name, thing, language)
  } else {
    const other = random.pick(THINGS)
    render = (language) => pairedTitle(other[language], thing, language)
  }
  const title = (language: string) => render(titleLanguages.has(language) ? (language as TitleLanguage) : 'en')
  return { english: title('en'), original: title(originalLanguage), in: title }
}

/** A title that is English everywhere. */
export function generateEnglishTitle(random: Random, place: string): GeneratedTitle {
  const english = generateEnglishWords(random, place)
  return { english, original: english, in: () => english }
}

function generateEnglishWords(random: Random, place: string): string {
  const u = random.int(100)
  const noun = random.pick(NOUNS)
  if (u < 17) return `The ${random.pick(ADJECTIVES)} ${noun}`
  if (u < 29) return `${random.pick(ADJECTIVES)} ${noun}`
  if (u < 41) return `The ${noun} of ${place}`
  if (u < 49) return `${pickFirstName(random)} ${pickSurname(random)}`
  if (u < 56) return `${pickFirstName(random)}'s ${noun}`
  if (u < 62) return `${place} ${noun}`
  if (u < 68) return `The ${noun} and the ${random.pick(NOUNS)}`
  if (u < 74) return `${random.pick(GERUNDS)} ${pickFirstName(random)}`
  if (u < 78) return `${random.pick(GERUNDS)} the ${random.pick(ADJECTIVES)} ${noun}`
  if (u < 82) return `${random.pick(NUMBER_WORDS)} Days in ${place}`
  if (u < 86) return `${place}: The ${random.pick(ADJECTIVES)} ${noun}`
  if (u < 89) return `The ${noun} ${2 + random.int(3)}`
  if (u < 92) return `${pickFirstName(random)} & ${pickFirstName(random)}`
  if (u < 95) return `A ${noun} for ${pickFirstName(random)}`.replace(/^A (?=[AEIOU])/, 'An ')
  if (u < 97) return place
  return random.pick(COMMON_TITLES)
}

/** What an episode is called. */
export function generateEpisodeTitle(random: Random, episode: number): string {
  const u = random.int(4)
  if (u === 0) return `The ${random.pick(NOUNS)}`
  if (u === 1) return `${random.pick(ADJECTIVES)} ${random.pick(NOUNS)}`
  return `Episode ${episode}`
}
