import type { Catalog } from '../../catalog/catalog.ts'
import { fold } from '../../catalog/index/analyzer.ts'
import { RoaringBitmap32 } from '../../catalog/index/doc-set.ts'
import { nameWords } from '../../catalog/index/terms.ts'
import { type MeteredCache, VersionedCache } from '../../lib/cache.ts'
import { Mutex } from '../../lib/mutex.ts'
import { Turns } from '../../lib/turns.ts'
import { peopleOfQuery, type Query } from '../queries.ts'
import { NameIndex } from './name-index.ts'
import { matchName, type NameTier, TIERS } from './name-match.ts'
import { type NameReading, readName } from './name-readings.ts'

/** The most names that are returned. */
export const MAX_PEOPLE = 50

/** The most shows that are read to complete one word of a name. Of more shows, an even sample is read. */
const MAX_SAMPLED_SHOWS = 2_000

/** The most shows that are read for a name of several words. */
const MAX_READ_SHOWS = 100_000

/** So many shows are read at once; what takes more is done in several turns of the event loop. */
const SHOWS_PER_TURN = 500

/** Up to this many shows of one person are counted by reading them; of more, by the words of the name alone. */
const MAX_COUNTED_SHOWS = 200

/** A person, and the number of shows that have them. */
export interface Person {
  /** The name as the first of the shows has it. */
  readonly name: string
  readonly showCount: number
}

interface NameMatch {
  readonly name: string
  readonly words: readonly string[]
  readonly tier: NameTier
  /** Of the shows that were read. */
  readonly docs: number[]
}

/** The names that match a query, the best first. */
interface NameMatches {
  readonly matches: readonly NameMatch[]
  /** Whether there are more shows than were read. */
  readonly isSampled: boolean
}

/** A search that reads many shows, a few at a step. */
type Steps<Result> = Generator<void, Result>

/**
 * Finds people by name, and the shows of a person. Only the words of names are indexed, since most people have few shows: the names are
 * read from the shows that have all words. Those of common words are many, so they are read in turns, and the result is cached.
 */
export class PeopleSearcher {
  private readonly catalog: Catalog
  private readonly index: NameIndex
  private readonly shows = new VersionedCache<string, Uint32Array>({
    name: 'people_shows',
    maxBytes: 8 * 1024 * 1024,
    sizeOf: (docs, name) => 200 + 2 * name.length + docs.byteLength,
  })
  private readonly people = new VersionedCache<string, readonly Person[]>({
    name: 'people',
    maxBytes: 1024 * 1024,
    sizeOf: (people, name) => people.reduce((sum, person) => sum + 100 + 2 * person.name.length, 200 + 2 * name.length),
  })
  /** Searches that were begun and take more than one turn. */
  private readonly unfinished = new Map<string, Steps<void>>()
  private version = -1
  private readonly reading = new Mutex()

  constructor(catalog: Catalog) {
    this.catalog = catalog
    this.index = new NameIndex(catalog)
  }

  caches(): readonly MeteredCache[] {
    return [this.shows, this.people]
  }

  /** Begins to read what a query needs of people; returns whether that is there now. */
  begin(query: Query): boolean {
    if (!needsPeople(query)) return true
    const version = this.catalog.version()
    if (version !== this.version) this.unfinished.clear()
    this.version = version
    return this.searchesOf(query).every(({ key, isDone, steps }) => {
      if (isDone()) return true
      const begun = this.unfinished.get(key) ?? steps()
      this.unfinished.set(key, begun)
      for (let shows = 0; shows < SHOWS_PER_TURN; shows++) {
        if (begun.next().done !== true) continue
        this.unfinished.delete(key)
        return true
      }
      return false
    })
  }

  /** Goes on with that in later turns of the event loop, for one query after the other. */
  async finish(query: Query): Promise<void> {
    if (!needsPeople(query)) return
    await this.reading.run(async () => {
      const turns = new Turns()
      do await turns.next()
      while (!this.begin(query))
    })
  }

  /**
   * People by name: the same name first, then the same words in another order, then names with all of the words, then with the last one
   * unfinished. If there are none: names with the words joined or split, then with starts and initials of words, then with typing
   * errors, then with all words but one. Within each, people with more shows come first.
   */
  search(name: string, limit: number): readonly Person[] {
    return this.findPeople(name).slice(0, limit)
  }

  private findPeople(name: string): readonly Person[] {
    return this.people.getOrCompute(name, this.catalog.version(), () => runSteps(this.readPeople(name)))
  }

  /** The shows of a person: of all people whose names match best, in any order of the words. */
  showsOf(name: string): Uint32Array {
    return this.shows.getOrCompute(name, this.catalog.version(), () => runSteps(this.readShows(name)))
  }

  /** The searches that a query consists of. */
  private searchesOf(query: Query) {
    const version = this.catalog.version()
    const store = function* <Value>(cache: VersionedCache<string, Value>, name: string, steps: Steps<Value>) {
      cache.set(name, yield* steps, version)
    }
    if (query.kind === 'people') {
      const { name } = query
      const isDone = () => this.people.has(name, version)
      return [{ key: `people ${name}`, isDone, steps: () => store(this.people, name, this.readPeople(name)) }]
    }
    return peopleOfQuery(query).map((name) => ({
      key: `shows ${name}`,
      isDone: () => this.shows.has(name, version),
      steps: () => store(this.shows, name, this.readShows(name)),
    }))
  }

  private *readPeople(name: string): Steps<readonly Person[]> {
    const words = nameWords(name)
    if (words.length === 0) return []
    const maxShows = words.length === 1 ? MAX_SAMPLED_SHOWS : MAX_READ_SHOWS
    let found: NameMatches = { matches: [], isSampled: false }
    for (const reading of readName(this.index, words)) {
      found = yield* this.readNames(reading, maxShows)
      if (found.matches.length > 0) break
    }
    const { matches, isSampled } = found
    const best = matches
      .slice(0, MAX_PEOPLE)
      .map((match) => ({ ...match, showCount: isSampled ? this.countShows(match) : match.docs.length }))
    if (isSampled) best.sort((a, b) => a.tier - b.tier || b.showCount - a.showCount)
    return best.map(({ name, showCount }) => ({ name, showCount }))
  }

  private *readShows(name: string): Steps<Uint32Array> {
    const words = nameWords(name)
    if (words.length === 0) return new Uint32Array(0)
    const exact = this.index.docsWithAll(words.map((word) => [word]))
    // Each of these shows has a name with the word. Whether one consists of nothing else is not read of so many.
    if (words.length === 1 && exact.size > MAX_READ_SHOWS) return exact.toUint32Array()
    let { matches } = yield* this.readNames({ words, docs: exact, maxTier: TIERS.allWords }, MAX_READ_SHOWS)
    if (matches.length === 0) {
      for (const reading of readName(this.index, words)) {
        matches = (yield* this.readNames(reading, MAX_READ_SHOWS)).matches
        if (matches.length > 0) break
      }
    }
    const best = matches.filter(({ tier }) => tierOfFilter(tier) === tierOfFilter((matches[0] as NameMatch).tier))
    return new RoaringBitmap32(best.flatMap((match) => match.docs)).toUint32Array()
  }

  /** Reads the names of shows, and keeps those that match. */
  private *readNames({ words, docs, maxTier }: NameReading, maxShows: number): Steps<NameMatches> {
    const step = Math.ceil(docs.size / maxShows)
    const byName = new Map<string, NameMatch>()
    const [first = ''] = words
    const all = docs.toUint32Array()
    for (let i = 0; i < all.length; i += step) {
      const doc = all[i] as number
      for (const name of new Set(this.catalog.documents.people(doc))) {
        // Most people of a show are others, which a comparison of texts tells at little cost.
        if (maxTier < TIERS.misspelt && !fold(name).includes(first)) continue
        if (maxTier === TIERS.mostWords && !hasAny(fold(name), words)) continue
        const candidate = nameWords(name)
        const tier = matchName(words, candidate)
        if (tier === undefined || tier > maxTier) continue
        const key = candidate.join(' ')
        const match = byName.get(key)
        if (match === undefined) byName.set(key, { name, words: candidate, tier, docs: [doc] })
        else if (match.docs.at(-1) !== doc) match.docs.push(doc)
      }
      yield
    }
    const matches = [...byName.values()].sort(
      (a, b) => a.tier - b.tier || b.docs.length - a.docs.length || (a.name < b.name ? -1 : 1),
    )
    return { matches, isSampled: step > 1 }
  }

  /** The number of shows of a person. */
  private countShows({ words }: NameMatch): number {
    const docs = this.index.docsWithAll(words.map((word) => [word]))
    if (docs.size > MAX_COUNTED_SHOWS) return docs.size
    const key = words.join(' ')
    const hasPerson = (doc: number) =>
      this.catalog.documents.people(doc).some((name) => nameWords(name).join(' ') === key)
    return docs.toArray().filter(hasPerson).length
  }
}

function hasAny(name: string, words: readonly string[]): boolean {
  return words.some((word) => name.includes(word))
}

function needsPeople(query: Query): boolean {
  return query.kind === 'people' || peopleOfQuery(query).length > 0
}

function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Filters pass all people of the best tier; the order of the words makes no difference to them. */
function tierOfFilter(tier: NameTier): NameTier {
  return tier === TIERS.otherOrder ? TIERS.same : tier
}
