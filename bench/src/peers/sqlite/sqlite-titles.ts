import type Database from 'better-sqlite3'
import { alike } from '../text.ts'

const MOST = 20
/** Titles that share most trigrams with the phrase, of which those without too many typing errors are kept. */
const CANDIDATES = 100

/** Title search in four steps, each of which is taken only while there is room for more. */
export class SqliteTitles {
  readonly #prepare: (sql: string) => Database.Statement

  constructor(prepare: (sql: string) => Database.Statement) {
    this.#prepare = prepare
  }

  /** Ids of shows: the whole title, its beginning, all words, all words but for typing errors. */
  find(phrase: string, country: number, movie: boolean | undefined): number[] {
    const found = new Set<number>()
    const steps = [this.#equal, this.#begun, this.#words, this.#misspelt]
    for (const step of steps) {
      if (found.size >= MOST) break
      for (const id of step.call(this, phrase, country, movie)) {
        if (found.size >= MOST && step !== this.#equal) break
        found.add(id)
      }
    }
    return [...found]
  }

  #equal(phrase: string, country: number, movie: boolean | undefined): number[] {
    return this.#popular('SELECT DISTINCT id FROM titles WHERE title = ?', [phrase], country, movie, 1000)
  }

  #begun(phrase: string, country: number, movie: boolean | undefined): number[] {
    const range = 'SELECT DISTINCT id FROM titles WHERE title >= ? AND title < ?'
    return this.#popular(range, [phrase, `${phrase}\u{10ffff}`], country, movie, 2 * MOST)
  }

  #words(phrase: string, country: number, movie: boolean | undefined): number[] {
    const match = phrase.split(' ').map((word) => `"${word}"`)
    const sql = 'SELECT rowid AS id FROM title_words WHERE title_words MATCH ?'
    return this.#popular(sql, [match.join(' AND ')], country, movie, 2 * MOST)
  }

  #misspelt(phrase: string, country: number, movie: boolean | undefined): number[] {
    const match = trigramsOf(phrase).map((gram) => `"${gram}"`)
    if (match.length === 0) return []
    const sql = `SELECT t.id, t.title FROM title_grams g JOIN titles t ON t.n = g.rowid
      WHERE title_grams MATCH ? ORDER BY g.rank LIMIT ${CANDIDATES}`
    const rows = this.#prepare(sql).all(match.join(' OR ')) as { id: number; title: string }[]
    const asked = phrase.split(' ')
    const fitting = rows.filter(({ title }) => {
      const words = title.split(' ')
      return asked.every((word) => words.some((other) => alike(word, other)))
    })
    if (fitting.length === 0) return []
    const list = [...new Set(fitting.map(({ id }) => id))]
    return this.#popular('SELECT value AS id FROM json_each(?)', [JSON.stringify(list)], country, movie, 2 * MOST)
  }

  /** Of the shows that a query finds, those that are most popular in a country. */
  #popular(
    ids: string,
    values: readonly unknown[],
    country: number,
    movie: boolean | undefined,
    most: number,
  ): number[] {
    const sql = `SELECT f.id FROM (${ids}) f LEFT JOIN popularity p ON p.country = ? AND p.id = f.id
      ${movie === undefined ? '' : 'JOIN shows s ON s.id = f.id AND s.movie = ?'}
      ORDER BY p.alltime DESC, f.id LIMIT ?`
    const bound = [...values, country, ...(movie === undefined ? [] : [movie ? 1 : 0]), most]
    return (this.#prepare(sql).all(...bound) as { id: number }[]).map(({ id }) => id)
  }
}

function trigramsOf(phrase: string): string[] {
  const grams = new Set<string>()
  for (let i = 0; i + 3 <= phrase.length; i++) grams.add(phrase.slice(i, i + 3))
  return [...grams].filter((gram) => gram.trim().length === 3)
}
