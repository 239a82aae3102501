import { SHOW_ORDERS } from '../peer-store.ts'

/** Tables; those that are queried by country have a partition for each country. */
export function createTables(countries: readonly string[]): string {
  const partitions = countries.flatMap((country) =>
    ['listings', 'documents'].map(
      (table) => `CREATE TABLE ${table}_${country} PARTITION OF ${table} FOR VALUES IN ('${country}');`,
    ),
  )
  return `
CREATE EXTENSION pg_trgm;
CREATE EXTENSION fuzzystrmatch;
CREATE TABLE shows (
  id bigint NOT NULL, imdb text, tmdb text, movie boolean,
  head text, outline text, all_options text, all_seasons text);
CREATE TABLE documents (country text NOT NULL, id bigint NOT NULL, options text, seasons text) PARTITION BY LIST (country);
CREATE TABLE listings (
  country text NOT NULL, id bigint NOT NULL, movie boolean, year int, rating int, language text,
  genres text[], catalogs text[], title text,
  popularity_alltime int, popularity_1year int, popularity_1month int, popularity_1week int
) PARTITION BY LIST (country);
CREATE TABLE popularity (country text NOT NULL, id bigint NOT NULL, alltime int);
CREATE TABLE words (id bigint NOT NULL, words tsvector);
CREATE TABLE titles (n bigint NOT NULL, id bigint NOT NULL, movie boolean, title text, words tsvector);
CREATE TABLE changes (
  n bigint NOT NULL, country text, type text, item text, "time" bigint, rank bigint,
  movie boolean, show_id bigint, service text, body json);
${partitions.join('\n')}`
}

/** Indexes, built after loading: orders in both directions, GIN for arrays and words, trigrams for titles. */
export const INDEXES = `
ALTER TABLE shows ADD PRIMARY KEY (id);
CREATE INDEX ON shows (imdb);
CREATE INDEX ON shows (tmdb);
ALTER TABLE documents ADD PRIMARY KEY (country, id);
CREATE INDEX ON documents (id);
ALTER TABLE listings ADD PRIMARY KEY (country, id);
CREATE INDEX ON listings (id);
${SHOW_ORDERS.flatMap((order) =>
  ['ASC', 'DESC'].map((direction) => `CREATE INDEX ON listings (${order} ${direction}, id);`),
).join('\n')}
CREATE INDEX ON listings USING gin (catalogs) WITH (fastupdate = off);
CREATE INDEX ON listings USING gin (genres) WITH (fastupdate = off);
CREATE INDEX ON words USING gin (words) WITH (fastupdate = off);
ALTER TABLE words ADD PRIMARY KEY (id);
ALTER TABLE popularity ADD PRIMARY KEY (country, id) INCLUDE (alltime);
ALTER TABLE titles ADD PRIMARY KEY (n);
CREATE INDEX ON titles (title, id);
CREATE INDEX ON titles USING gin (words) WITH (fastupdate = off);
CREATE INDEX ON titles USING gin (title gin_trgm_ops) WITH (fastupdate = off);
ALTER TABLE changes ADD PRIMARY KEY (n);
CREATE INDEX ON changes (country, type, item, "time", rank);
CREATE INDEX ON changes (country, type, item, "time" DESC, rank);
`

/** All steps but the first, which returns every exact match, stop at twenty. */
const REMAINING = 'LIMIT 20 - cardinality(found)'

function titleStep(condition: string, limit: string): string {
  return `IF cardinality(found) < 20 THEN
    found := found || ARRAY (
      SELECT t.id FROM titles t LEFT JOIN popularity p ON p.country = of_country AND p.id = t.id
      WHERE ${condition} AND (only_movie IS NULL OR t.movie = only_movie) AND NOT t.id = ANY (found)
      GROUP BY t.id ORDER BY max(p.alltime) DESC NULLS LAST, t.id ${limit});
  END IF;`
}

/**
 * Title search in four steps, each run only while the page is not full: exact title, prefix, all words, and all words
 * within the edit distance among the nearest titles by trigrams. The plans do not depend on the values, so generic plans
 * are used. Popularity comes from a covering index.
 */
export const FUNCTIONS = `
CREATE FUNCTION fuzzy_match(query text, title text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT NOT EXISTS (SELECT FROM unnest(string_to_array(query, ' ')) AS a WHERE NOT EXISTS (
    SELECT FROM unnest(string_to_array(title, ' ')) AS w
    WHERE levenshtein_less_equal(a, w, 2) <= CASE WHEN length(a) < 4 THEN 0 WHEN length(a) < 8 THEN 1 ELSE 2 END)) $$;
CREATE FUNCTION title_search(phrase text, of_country text, only_movie boolean) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE ROWS 20 AS $$
DECLARE
  found bigint[] := '{}';
BEGIN
  ${titleStep('t.title = phrase', '')}
  ${titleStep('t.title > phrase AND t.title < phrase || chr(1114111)', REMAINING)}
  ${titleStep("t.words @@ ('''' || replace(phrase, ' ', ''' & ''') || '''')::tsquery", REMAINING)}
  ${titleStep('t.title % phrase AND fuzzy_match(phrase, t.title)', REMAINING)}
  RETURN QUERY SELECT unnest(found);
END $$;
ALTER FUNCTION title_search SET pg_trgm.similarity_threshold = 0.4;
ALTER FUNCTION title_search SET plan_cache_mode = force_generic_plan;
`
