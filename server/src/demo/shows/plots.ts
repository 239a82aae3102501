import phrases from '../data/plots.json' with { type: 'json' }
import type { Random } from '../random.ts'

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
