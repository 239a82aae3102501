import type Database from 'better-sqlite3'
import { isFuzzyMatch } from '../analyzer.ts'

const MAX_RESULTS = 20
/** Titles that share the most trigrams with the phrase; each is then checked by edit distance. */
const MAX_CANDIDATES = 100

/** Title search in four steps, each run only while the page is not full. */
export class SqliteTitles {
  readonly #prepare: (sql: string) => Database.Statement

  constructor(prepare: (sql: string) => Database.Statement) {
    this.#prepare = prepare
  }

  /** Ids of shows by exact title, by prefix, by all words, and by all words within the edit distance. */
  find(phrase: string, country: number, movie: boolean | undefined): number[] {
    const found = new Set<number>()
    const steps = [this.#exact, this.#prefix, this.#words, this.#fuzzy]
    for (const step of steps) {
      if (found.size >= MAX_RESULTS) break
      for (const id of step.call(this, phrase, country, movie)) {
        if (found.size >= MAX_RESULTS && step !== this.#exact) break
        found.add(id)
      }
    }
    return [...found]
  }

  #exact(phrase: string, country: number, movie: boolean | undefined): number[] {
    return this.#mostPopular('SELECT DISTINCT id FROM titles WHERE title = ?', [phrase], country, movie, 1000)
  }

  #prefix(phrase: string, country: number, movie: boolean | undefined): number[] {
    const range = 'SELECT DISTINCT id FROM titles WHERE title >= ? AND title < ?'
    return this.#mostPopular(range, [phrase, `${phrase}\u{10ffff}`], country, movie, 2 * MAX_RESULTS)
  }

  #words(phrase: string, country: number, movie: boolean | undefined): number[] {
    const match = phrase.split(' ').map((word) => `"${word}"`)
    const sql = 'SELECT rowid AS id FROM title_words WHERE title_words MATCH ?'
    return this.#mostPopular(sql, [match.join(' AND ')], country, movie, 2 * MAX_RESULTS)
  }

  #fuzzy(phrase: string, country: number, movie: boolean | undefined): number[] {
    const match = splitTrigrams(phrase).map((gram) => `"${gram}"`)
    if (match.length === 0) return []
    const sql = `SELECT t.id, t.title FROM title_grams g JOIN titles t ON t.n = g.rowid
      WHERE title_grams MATCH ? ORDER BY g.rank LIMIT ${MAX_CANDIDATES}`
    const rows = this.#prepare(sql).all(match.join(' OR ')) as { id: number; title: string }[]
    const queryWords = phrase.split(' ')
    const matches = rows.filter(({ title }) => {
      const words = title.split(' ')
      return queryWords.every((word) => words.some((other) => isFuzzyMatch(word, other)))
    })
    if (matches.length === 0) return []
    const list = [...new Set(matches.map(({ id }) => id))]
    return this.#mostPopular(
      'SELECT value AS id FROM json_each(?)',
      [JSON.stringify(list)],
      country,
      movie,
      2 * MAX_RESULTS,
    )
  }

  /** The shows of a query that are most popular in a country. */
  #mostPopular(
    ids: string,
    values: readonly unknown[],
    country: number,
    movie: boolean | undefined,
    limit: number,
  ): number[] {
    const sql = `SELECT f.id FROM (${ids}) f LEFT JOIN popularity p ON p.country = ? AND p.id = f.id
      ${movie === undefined ? '' : 'JOIN shows s ON s.id = f.id AND s.movie = ?'}
      ORDER BY p.alltime DESC, f.id LIMIT ?`
    const bound = [...values, country, ...(movie === undefined ? [] : [movie ? 1 : 0]), limit]
    return (this.#prepare(sql).all(...bound) as { id: number }[]).map(({ id }) => id)
  }
}

function splitTrigrams(phrase: string): string[] {
  const grams = new Set<string>()
  for (let i = 0; i + 3 <= phrase.length; i++) grams.add(phrase.slice(i, i + 3))
  return [...grams].filter((gram) => gram.trim().length === 3)
}
