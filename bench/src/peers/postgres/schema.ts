import { SHOW_ORDERS } from '../peer-store.ts'

/** Tables, with one partition of those that are asked by country for each of them. */
export function tables(countries: readonly string[]): string {
  const partitions = countries.flatMap((country) =>
    ['places', 'documents'].map(
      (table) => `CREATE TABLE ${table}_${country} PARTITION OF ${table} FOR VALUES IN ('${country}');`,
    ),
  )
  return `
CREATE EXTENSION pg_trgm;
CREATE TABLE shows (
  id bigint NOT NULL, imdb text, tmdb text, movie boolean,
  head text, outline text, all_options text, all_seasons text);
CREATE TABLE documents (country text NOT NULL, id bigint NOT NULL, options text, seasons text) PARTITION BY LIST (country);
CREATE TABLE places (
  country text NOT NULL, id bigint NOT NULL, movie boolean, year int, rating int, language text,
  genres text[], catalogs text[], title text, alltime int, "1year" int, "1month" int, "1week" int
) PARTITION BY LIST (country);
CREATE TABLE words (id bigint NOT NULL, words tsvector);
CREATE TABLE titles (n bigint NOT NULL, id bigint NOT NULL, movie boolean, title text, words tsvector);
CREATE TABLE changes (
  n bigint NOT NULL, country text, type text, item text, "time" bigint, rank bigint,
  movie boolean, show_id bigint, service text, body json);
${partitions.join('\n')}`
}

/**
 * Indexes: the orders in both directions for cursors, arrays by GIN, words by GIN, titles by trigrams. Made once
 * everything is in.
 */
export const INDEXES = `
ALTER TABLE shows ADD PRIMARY KEY (id);
CREATE INDEX ON shows (imdb);
CREATE INDEX ON shows (tmdb);
ALTER TABLE documents ADD PRIMARY KEY (country, id);
CREATE INDEX ON documents (id);
ALTER TABLE places ADD PRIMARY KEY (country, id);
CREATE INDEX ON places (id);
${SHOW_ORDERS.flatMap((order) =>
  ['ASC', 'DESC'].map((direction) => `CREATE INDEX ON places ("${order}" ${direction}, id);`),
).join('\n')}
CREATE INDEX ON places USING gin (catalogs) WITH (fastupdate = off);
CREATE INDEX ON places USING gin (genres) WITH (fastupdate = off);
CREATE INDEX ON words USING gin (words) WITH (fastupdate = off);
ALTER TABLE words ADD PRIMARY KEY (id);
ALTER TABLE titles ADD PRIMARY KEY (n);
CREATE INDEX ON titles (title, id);
CREATE INDEX ON titles USING gin (words) WITH (fastupdate = off);
CREATE INDEX ON titles USING gin (title gin_trgm_ops) WITH (fastupdate = off);
ALTER TABLE changes ADD PRIMARY KEY (n);
CREATE INDEX ON changes (country, type, item, "time", rank);
CREATE INDEX ON changes (country, type, item, "time" DESC, rank);
`

/**
 * Title search in four steps, each taken only while there is room for more: the whole title, its beginning, all words,
 * and what is nearest by trigrams.
 */
export const FUNCTIONS = `
CREATE FUNCTION title_search(phrase text, of_country text, only_movie boolean) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE AS $$
DECLARE
  found bigint[] := '{}';
  more bigint[];
BEGIN
  SELECT array_agg(id) INTO more FROM (
    SELECT t.id FROM titles t LEFT JOIN places p ON p.country = of_country AND p.id = t.id
    WHERE t.title = phrase AND (only_movie IS NULL OR t.movie = only_movie)
    GROUP BY t.id ORDER BY max(p.alltime) DESC NULLS LAST, t.id) best;
  found := found || coalesce(more, '{}');
  IF cardinality(found) < 20 THEN
    SELECT array_agg(id) INTO more FROM (
      SELECT t.id FROM titles t LEFT JOIN places p ON p.country = of_country AND p.id = t.id
      WHERE t.title > phrase AND t.title < phrase || chr(1114111) AND (only_movie IS NULL OR t.movie = only_movie)
        AND NOT t.id = ANY (found)
      GROUP BY t.id ORDER BY max(p.alltime) DESC NULLS LAST, t.id LIMIT 20 - cardinality(found)) best;
    found := found || coalesce(more, '{}');
  END IF;
  IF cardinality(found) < 20 THEN
    SELECT array_agg(id) INTO more FROM (
      SELECT t.id FROM titles t LEFT JOIN places p ON p.country = of_country AND p.id = t.id
      WHERE t.words @@ ('''' || replace(phrase, ' ', ''' & ''') || '''')::tsquery
        AND (only_movie IS NULL OR t.movie = only_movie) AND NOT t.id = ANY (found)
      GROUP BY t.id ORDER BY max(p.alltime) DESC NULLS LAST, t.id LIMIT 20 - cardinality(found)) best;
    found := found || coalesce(more, '{}');
  END IF;
  IF cardinality(found) < 20 THEN
    SELECT array_agg(id) INTO more FROM (
      SELECT t.id FROM titles t
      WHERE t.title % phrase AND (only_movie IS NULL OR t.movie = only_movie) AND NOT t.id = ANY (found)
      GROUP BY t.id ORDER BY max(similarity(t.title, phrase)) DESC, t.id LIMIT 20 - cardinality(found)) best;
    found := found || coalesce(more, '{}');
  END IF;
  RETURN QUERY SELECT unnest(found);
END $$;
ALTER FUNCTION title_search SET pg_trgm.similarity_threshold = 0.5;
`
