/** What PostGraphile needs beside the tables: printed shows as fields, and searches as functions. */
export const GRAPH_FUNCTIONS = `
CREATE FUNCTION shows_in_country(show shows, of_country text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT (show.head || coalesce(d.options, '{}') || '}')::json
  FROM (SELECT 1) one LEFT JOIN documents d ON d.country = of_country AND d.id = show.id $$;
CREATE FUNCTION shows_with_episodes(show shows, of_country text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT (show.head || coalesce(d.options, '{}') || coalesce(d.seasons, show.outline) || '}')::json
  FROM (SELECT 1) one LEFT JOIN documents d ON d.country = of_country AND d.id = show.id $$;
CREATE FUNCTION shows_everywhere(show shows) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT (show.head || show.all_options || show.all_seasons || '}')::json $$;
CREATE FUNCTION places_show(place places) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT (s.head || d.options || '}')::json
  FROM shows s, documents d WHERE s.id = place.id AND d.country = place.country AND d.id = place.id $$;
CREATE FUNCTION places_with_episodes(place places) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT (s.head || d.options || d.seasons || '}')::json
  FROM shows s, documents d WHERE s.id = place.id AND d.country = place.country AND d.id = place.id $$;
CREATE FUNCTION changes_show(change changes) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT (s.head || coalesce(d.options, '{}') || '}')::json
  FROM shows s LEFT JOIN documents d ON d.country = change.country AND d.id = s.id WHERE s.id = change.show_id $$;
CREATE FUNCTION keyword_places(query text) RETURNS SETOF places LANGUAGE sql STABLE AS $$
  SELECT p.* FROM places p WHERE p.id IN (SELECT w.id FROM words w WHERE w.words @@ query::tsquery) $$;
CREATE FUNCTION title_shows(phrase text, of_country text, only_movie boolean) RETURNS SETOF shows
LANGUAGE sql STABLE ROWS 20 AS $$
  SELECT s.* FROM title_search(phrase, of_country, only_movie) WITH ORDINALITY AS f(id, n)
  JOIN shows s ON s.id = f.id ORDER BY f.n $$;
COMMENT ON FUNCTION keyword_places IS E'@sortable\\n@filterable';
COMMENT ON FUNCTION title_search IS '@omit';
COMMENT ON FUNCTION misspelt IS '@omit';
COMMENT ON TABLE popularity IS '@omit';
COMMENT ON TABLE words IS '@omit';
COMMENT ON TABLE titles IS '@omit';
COMMENT ON TABLE documents IS '@omit';
`
