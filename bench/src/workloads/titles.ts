import type { SampleShow } from '../data/feed.ts'
import { Random } from '../lib/random.ts'
import { type ApiRequest, apiRequest, takeFresh } from './api-request.ts'

const SIZE = 400
const COUNTRIES = ['us', 'us', 'us', 'us', 'gb', 'de', 'fr', 'jp']

/** Exact titles. */
export function exactTitles(sample: readonly SampleShow[]): ApiRequest[] {
  const random = new Random(31)
  return pickTitles(sample, random).map((title) => titleRequest(title, random))
}

/** Title prefixes of three letters and more, as sent by a search-as-you-type client. */
export function titlePrefixes(sample: readonly SampleShow[]): ApiRequest[] {
  const random = new Random(32)
  return pickTitles(sample, random).map((title) => {
    const length = Math.min(title.length, 3 + random.below(Math.max(1, Math.min(9, title.length - 3))))
    return titleRequest(title.slice(0, length).trimEnd(), random)
  })
}

/** Titles with one typo in a word of five letters or more. */
export function misspelledTitles(sample: readonly SampleShow[]): ApiRequest[] {
  const random = new Random(33)
  return pickTitles(
    sample.filter(({ title }) => LONG_WORD.test(title)),
    random,
  ).map((title) => titleRequest(misspell(title, random), random))
}

/**
 * Title searches that were never sent before: each call gives others. A third are complete titles, a third are misspelled,
 * and a third are unfinished. No result is cached, and a misspelled word is expanded for the first time.
 */
export function freshTitles(sample: readonly SampleShow[]): () => ApiRequest[] {
  const random = new Random(34)
  const shows = sample.filter(({ title }) => title.length > 5)
  const misspellable = shows.filter(({ title }) => LONG_WORD.test(title))
  const kinds = [
    { shows, spell: (title: string) => mixCase(title, random) },
    { shows: misspellable, spell: (title: string) => misspell(title, random) },
    { shows, spell: (title: string) => unfinished(title, random) },
  ]
  let count = 0
  return takeFresh(() => {
    const { shows, spell } = kinds[count++ % kinds.length]!
    const { title, showType } = random.pick(shows)
    const query: Record<string, string> = { title: spell(title), country: random.pick(COUNTRIES) }
    if (random.chance(0.2)) query.show_type = showType
    return apiRequest('title', '/shows/search/title', query)
  })
}

/** Letters in upper and lower case at random, which makes no difference but to caches. */
function mixCase(title: string, random: Random): string {
  return [...title].map((letter) => (random.chance(0.5) ? letter.toUpperCase() : letter.toLowerCase())).join('')
}

/** The words of a title from any of them on, without the end of the last one. */
function unfinished(title: string, random: Random): string {
  const words = title.split(' ')
  const rest = words.slice(random.below(words.length)).join(' ')
  return mixCase(rest.slice(0, Math.max(3, 1 + random.below(rest.length))).trimEnd(), random)
}

const LONG_WORD = /[A-Za-z]{5,}/

function pickTitles(sample: readonly SampleShow[], random: Random): string[] {
  const titles = [...new Set(sample.map(({ title }) => title).filter((title) => title.length > 3))]
  const chosen = new Set<string>()
  while (chosen.size < Math.min(SIZE, titles.length)) chosen.add(random.pick(titles))
  return [...chosen]
}

function titleRequest(title: string, random: Random): ApiRequest {
  const query: Record<string, string> = { title, country: random.pick(COUNTRIES) }
  if (random.chance(0.2)) query.show_type = random.pick(['movie', 'series'])
  return apiRequest('title', '/shows/search/title', query)
}

/** Transposes, deletes, doubles or replaces one letter of a long word, never its first. */
function misspell(title: string, random: Random): string {
  const word = random.pick([...title.matchAll(/[A-Za-z]{5,}/g)])
  const at = word.index + 1 + random.below(word[0].length - 2)
  const [before, letter, next, rest] = [title.slice(0, at), title[at]!, title[at + 1]!, title.slice(at + 2)]
  const other = String.fromCharCode(97 + ((letter.toLowerCase().charCodeAt(0) - 97 + 1 + random.below(24)) % 26))
  const variants = [
    before + next + letter + rest,
    before + next + rest,
    before + letter + letter + next + rest,
    before + other + next + rest,
  ]
  return random.pick(variants)
}
