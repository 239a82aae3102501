import phrases from '../data/plots.json' with { type: 'json' }
import titleWords from '../data/title-words.json' with { type: 'json' }
import words from '../data/words.json' with { type: 'json' }
import type { Random } from '../random.ts'

/** A generated title: in English, in the original language, and in the languages into which it is translated. */
export interface GeneratedTitle {
  readonly english: string
  readonly original: string
  /** The title in a language; the English one if there is no translation. */
  in(language: string): string
}

const TITLE_LANGUAGES = ['en', 'es', 'fr', 'de', 'tr', 'ja', 'ko'] as const
type TitleLanguage = (typeof TITLE_LANGUAGES)[number]

/** A word of a title in every title language: a thing with its article, or what qualifies a thing. */
type TitleWord = Readonly<Record<TitleLanguage, string>>

const titleLanguages: ReadonlySet<string> = new Set(TITLE_LANGUAGES)
const things: readonly TitleWord[] = titleWords.things
const qualifiers: readonly TitleWord[] = titleWords.qualifiers
const { adjectives, nouns, gerunds, numbers, commonTitles, placeHeads, placeTails } = words
const { firstNames, surnameHeads, surnameTails } = words

/** Generates a place name, such as Ashford or Coldmere. */
export function generatePlace(random: Random): string {
  return random.pick(placeHeads) + random.pick(placeTails)
}

/** Generates distinct names of people, at most `count`. */
export function generatePeople(random: Random, count: number): string[] {
  const people: string[] = []
  for (let i = 0; i < count; i++) {
    const name = generatePerson(random)
    if (!people.includes(name)) people.push(name)
  }
  return people
}

/** Names are skewed: some recur far more often than others, as actors do. */
function generatePerson(random: Random): string {
  return `${random.pick(firstNames)} ${random.pickEarly(surnameHeads)}${random.pickEarly(surnameTails)}`
}

/** Generates a title that has a translation into every title language. */
export function generateTranslatedTitle(random: Random, originalLanguage: string, place: string): GeneratedTitle {
  const thing = random.pick(things)
  const u = random.int(100)
  let render: (language: TitleLanguage) => string
  if (u < 45) {
    const qualifier = random.pick(qualifiers)
    const tail = random.chance(0.6) ? `: ${place}` : ''
    render = (language) => qualifiedTitle(thing, qualifier, language) + tail
  } else if (u < 85) {
    const name = random.pick(firstNames)
    render = (language) => pairedTitle(name, thing, language)
  } else {
    const other = random.pick(things)
    render = (language) => pairedTitle(other[language], thing, language)
  }
  const title = (language: string) => render(titleLanguages.has(language) ? (language as TitleLanguage) : 'en')
  return { english: title('en'), original: title(originalLanguage), in: title }
}

/** Generates a title that is English in every language. */
export function generateEnglishTitle(random: Random, place: string): GeneratedTitle {
  const english = generateEnglishWords(random, place)
  return { english, original: english, in: () => english }
}

function generateEnglishWords(random: Random, place: string): string {
  const u = random.int(100)
  const noun = random.pick(nouns)
  if (u < 17) return `The ${random.pick(adjectives)} ${noun}`
  if (u < 29) return `${random.pick(adjectives)} ${noun}`
  if (u < 41) return `The ${noun} of ${place}`
  if (u < 49) return `${random.pick(firstNames)} ${random.pick(surnameHeads)}${random.pick(surnameTails)}`
  if (u < 56) return `${random.pick(firstNames)}'s ${noun}`
  if (u < 62) return `${place} ${noun}`
  if (u < 68) return `The ${noun} and the ${random.pick(nouns)}`
  if (u < 74) return `${random.pick(gerunds)} ${random.pick(firstNames)}`
  if (u < 78) return `${random.pick(gerunds)} the ${random.pick(adjectives)} ${noun}`
  if (u < 82) return `${random.pick(numbers)} Days in ${place}`
  if (u < 86) return `${place}: The ${random.pick(adjectives)} ${noun}`
  if (u < 89) return `The ${noun} ${2 + random.int(3)}`
  if (u < 92) return `${random.pick(firstNames)} & ${random.pick(firstNames)}`
  if (u < 95) return `A ${noun} for ${random.pick(firstNames)}`.replace(/^A (?=[AEIOU])/, 'An ')
  if (u < 97) return place
  return random.pick(commonTitles)
}

/** Generates the title of an episode. */
export function generateEpisodeTitle(random: Random, episode: number): string {
  const u = random.int(4)
  if (u === 0) return `The ${random.pick(nouns)}`
  if (u === 1) return `${random.pick(adjectives)} ${random.pick(nouns)}`
  return `Episode ${episode}`
}

/** `The House of Glass`, in a language. The qualifier precedes the thing in Turkish, Japanese and Korean. */
function qualifiedTitle(thing: TitleWord, qualifier: TitleWord, language: TitleLanguage): string {
  switch (language) {
    case 'ja':
      return qualifier.ja + thing.ja
    case 'tr':
    case 'ko':
      return `${qualifier[language]} ${thing[language]}`
    default:
      return `${thing[language]} ${qualifier[language]}`
  }
}

const AND: TitleWord = { en: ' and ', es: ' y ', fr: ' et ', de: ' und ', tr: ' ile ', ja: 'と', ko: '와 ' }

/** `Elena and the Wolf`, in a language. */
function pairedTitle(first: string, thing: TitleWord, language: TitleLanguage): string {
  const second = thing[language]
  // The article of the second thing is lower-case inside a title.
  const hasArticle = language === 'en' || language === 'es' || language === 'fr' || language === 'de'
  return first + conjunction(first, language) + (hasArticle ? second.charAt(0).toLowerCase() + second.slice(1) : second)
}

function conjunction(first: string, language: TitleLanguage): string {
  if (language !== 'ko') return AND[language]
  // The Korean "and" is 과 after a syllable that ends in a consonant, 와 after any other.
  const last = first.charCodeAt(first.length - 1)
  const isHangul = last >= 0xac00 && last <= 0xd7a3
  return isHangul && (last - 0xac00) % 28 !== 0 ? '과 ' : AND.ko
}

/** A phrase, split at the placeholder `{}` of the place name, so that composing a plot needs no search. */
type Phrase = readonly [before: string, after?: string]

/** The parts of a plot in a language other than English. */
interface ForeignPhrases {
  readonly who: readonly string[]
  readonly what: readonly Phrase[]
  readonly how: readonly string[]
  /** The text between `who` and `what`. */
  readonly separator: string
}

const { openings, heroes, turns, closings, asides } = phrases
const deeds = phrases.deeds.map(parsePhrase)
const capitalizedHeroes = heroes.map((hero) => hero.charAt(0).toUpperCase() + hero.slice(1))
const foreignPhrases: ReadonlyMap<string, ForeignPhrases> = new Map(
  Object.entries(phrases.foreign).map(([language, { who, what, how }]) => [
    language,
    {
      who,
      what: what.map(parsePhrase),
      // No space before punctuation.
      how: how.map((turn) => (startsWithPunctuation(turn) ? turn : ` ${turn}`)),
      separator: language === 'ja' ? '' : ' ',
    },
  ]),
)

/** Generates a plot in English, 163 characters long on average. */
export function generateEnglishPlot(random: Random, place: string): string {
  const hero = random.chance(0.6) ? `${random.pick(openings)} ${random.pick(heroes)}` : random.pick(capitalizedHeroes)
  const plot = `${hero} ${fillPlace(random.pick(deeds), place)}, ${random.pick(turns)}.`
  const closed = plot.length < 170 || random.chance(0.35) ? `${plot} ${random.pick(closings)}` : plot
  return closed.length < 135 ? `${closed} ${random.pick(asides)}` : closed
}

/** Whether there are plot phrases in a language other than English. */
export function hasPlots(language: string): boolean {
  return foreignPhrases.has(language)
}

/** Generates a plot in a language other than English. */
export function generateForeignPlot(random: Random, language: string, place: string): string {
  const parts = foreignPhrases.get(language)
  if (parts === undefined) throw new Error(`The demo has no plot phrases in "${language}".`)
  return `${random.pick(parts.who)}${parts.separator}${fillPlace(random.pick(parts.what), place)}${random.pick(parts.how)}`
}

function parsePhrase(phrase: string): Phrase {
  const [before = '', after] = phrase.split('{}')
  return after === undefined ? [before] : [before, after]
}

function fillPlace(phrase: Phrase, place: string): string {
  return phrase[1] === undefined ? phrase[0] : phrase[0] + place + phrase[1]
}

function startsWithPunctuation(text: string): boolean {
  return ',;.。'.includes(text.charAt(0))
}
