import { ASIDES, CLOSINGS, DEEDS, FOREIGN_PLOTS, HEROES, OPENINGS, TURNS } from '../data/plot-phrases.ts'
import type { Random } from '../random.ts'

/** A fragment, parted where the place goes in, so that nothing has to be searched while composing. */
type Fragment = readonly [before: string, after?: string]

const deeds = DEEDS.map(parseFragment)
const capitalHeroes = HEROES.map((hero) => hero.charAt(0).toUpperCase() + hero.slice(1))
const foreignPlots = new Map(
  Object.entries(FOREIGN_PLOTS).map(([language, [who = [], what = [], how = []]]) => [
    language,
    // A turn that opens with a mark follows without a space, and so does every turn in Japanese and Korean.
    {
      who,
      what: what.map(parseFragment),
      how: how.map((turn) => (isPunctuation(turn) ? turn : ` ${turn}`)),
      joint: language === 'ja' ? '' : ' ',
    },
  ]),
)

/** A made-up plot in English, about 163 letters long on average. */
export function generateEnglishPlot(random: Random, place: string): string {
  const hero = random.chance(0.6) ? `${random.pick(OPENINGS)} ${random.pick(HEROES)}` : random.pick(capitalHeroes)
  const plot = `${hero} ${fillPlace(random.pick(deeds), place)}, ${random.pick(TURNS)}.`
  const closed = plot.length < 170 || random.chance(0.35) ? `${plot} ${random.pick(CLOSINGS)}` : plot
  return closed.length < 135 ? `${closed} ${random.pick(ASIDES)}` : closed
}

/** Languages other than English that plots can be told in. */
export function hasPlots(language: string): boolean {
  return foreignPlots.has(language)
}

/** A made-up plot in another language. */
export function generateForeignPlot(random: Random, language: string, place: string): string {
  const plots = foreignPlots.get(language)
  if (plots === undefined) throw new Error(`The demo tells no plots in "${language}".`)
  return `${random.pick(plots.who)}${plots.joint}${fillPlace(random.pick(plots.what), place)}${random.pick(plots.how)}`
}

function parseFragment(fragment: string): Fragment {
  const [before = '', after] = fragment.split('{}')
  return after === undefined ? [before] : [before, after]
}

function fillPlace(fragment: Fragment, place: string): string {
  return fragment[1] === undefined ? fragment[0] : fragment[0] + place + fragment[1]
}

function isPunctuation(turn: string): boolean {
  return ',;.。'.includes(turn.charAt(0))
}
