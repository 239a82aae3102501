import { type Ask, ask } from '../ask.ts'
import { Random } from '../support/random.ts'
import type { SampleShow } from '../support/sample.ts'

const SIZE = 400
const COUNTRIES = ['us', 'us', 'us', 'us', 'gb', 'de', 'fr', 'jp']

/** Titles as they are written. */
export function exactTitles(sample: readonly SampleShow[]): Ask[] {
  const random = new Random(31)
  return titlesOf(sample, random).map((title) => titleAsk(title, random))
}

/** Beginnings of titles, three letters and more: what is sent while somebody types. */
export function titlePrefixes(sample: readonly SampleShow[]): Ask[] {
  const random = new Random(32)
  return titlesOf(sample, random).map((title) => {
    const length = Math.min(title.length, 3 + random.below(Math.max(1, Math.min(9, title.length - 3))))
    return titleAsk(title.slice(0, length).trimEnd(), random)
  })
}

/** Titles with one typing error in one word of five letters or more. */
export function misspeltTitles(sample: readonly SampleShow[]): Ask[] {
  const random = new Random(33)
  return titlesOf(
    sample.filter(({ title }) => LONG_WORD.test(title)),
    random,
  ).map((title) => titleAsk(misspell(title, random), random))
}

const LONG_WORD = /[A-Za-z]{5,}/

function titlesOf(sample: readonly SampleShow[], random: Random): string[] {
  const titles = [...new Set(sample.map(({ title }) => title).filter((title) => title.length > 3))]
  const chosen = new Set<string>()
  while (chosen.size < Math.min(SIZE, titles.length)) chosen.add(random.pick(titles))
  return [...chosen]
}

function titleAsk(title: string, random: Random): Ask {
  const query: Record<string, string> = { title, country: random.pick(COUNTRIES) }
  if (random.chance(0.2)) query.show_type = random.pick(['movie', 'series'])
  return ask('title', '/shows/search/title', query)
}

/** Swaps, drops, doubles or changes a letter behind the first one of a long word. */
function misspell(title: string, random: Random): string {
  const word = random.pick([...title.matchAll(/[A-Za-z]{5,}/g)])
  const at = word.index + 1 + random.below(word[0].length - 2)
  const [before, letter, next, rest] = [title.slice(0, at), title[at]!, title[at + 1]!, title.slice(at + 2)]
  const other = String.fromCharCode(97 + ((letter.toLowerCase().charCodeAt(0) - 97 + 1 + random.below(24)) % 26))
  const forms = [
    before + next + letter + rest,
    before + next + rest,
    before + letter + letter + next + rest,
    before + other + next + rest,
  ]
  return random.pick(forms)
}
