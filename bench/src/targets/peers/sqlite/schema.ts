import { SHOW_ORDERS } from '../peer-store.ts'

/** Tables; the indexes are built after loading. */
export const TABLES = `
CREATE TABLE shows (
  id INTEGER PRIMARY KEY, imdb TEXT, tmdb TEXT, movie INT,
  head TEXT, outline TEXT, all_options TEXT, all_seasons TEXT);
CREATE TABLE documents (key INTEGER PRIMARY KEY, options TEXT, seasons TEXT);
CREATE TABLE listings (
  country INT, id INT, movie INT, year INT, rating INT, language TEXT, genres INT,
  catalogs0 INT, catalogs1 INT, catalogs2 INT,
  title TEXT, popularity_alltime INT, popularity_1year INT, popularity_1month INT, popularity_1week INT,
  PRIMARY KEY (country, id)) WITHOUT ROWID;
CREATE TABLE popularity (country INT, id INT, alltime INT, PRIMARY KEY (country, id)) WITHOUT ROWID;
CREATE TABLE titles (n INTEGER PRIMARY KEY, id INT, title TEXT);
CREATE TABLE changes (
  country INT, type TEXT, item TEXT, time INT, rank INT, movie INT, show_id INT, service TEXT, body TEXT);
CREATE VIRTUAL TABLE words USING fts5(text, content='', detail=none, columnsize=0, prefix='3 4 5 6');
CREATE VIRTUAL TABLE title_words USING fts5(text, content='', detail=none, columnsize=0, prefix='1 2 3 4');
CREATE VIRTUAL TABLE title_grams USING fts5(text, content='', tokenize='trigram');
`

/** A covering index for each order and direction, so that a search reads no table. Ties are ordered by id. */
const ORDER_INDEXES = SHOW_ORDERS.flatMap((order) =>
  ['ASC', 'DESC'].map(
    (direction) => `CREATE INDEX by_${order}_${direction} ON listings (country, ${order} ${direction}, id,
      movie, year, rating, language, genres, catalogs0, catalogs1, catalogs2);`,
  ),
)

/** Indexes and statistics. */
export const INDEXES = `
CREATE INDEX by_imdb ON shows (imdb, id);
CREATE INDEX by_tmdb ON shows (tmdb, id);
CREATE INDEX by_title_text ON titles (title, id);
CREATE INDEX by_time ON changes (country, type, item, time, rank, service, movie);
CREATE INDEX by_time_desc ON changes (country, type, item, time DESC, rank, service, movie);
${ORDER_INDEXES.join('\n')}
INSERT INTO words(words) VALUES ('optimize');
INSERT INTO title_words(title_words) VALUES ('optimize');
INSERT INTO title_grams(title_grams) VALUES ('optimize');
PRAGMA analysis_limit = 1000;
ANALYZE;
`

/** A single integer as the key of a show in a country: the fastest lookup of SQLite. */
export function documentKey(country: number, id: number): number {
  return country * 2 ** 40 + id
}
