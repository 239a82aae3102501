/** Functions for PostGraphile: prerendered shows as computed fields, searches as set-returning functions. */
export const GRAPHQL_FUNCTIONS = `
CREATE FUNCTION shows_in_country(show shows, of_country text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT (show.head || coalesce(d.options, '{}') || '}')::json
  FROM (SELECT 1) one LEFT JOIN documents d ON d.country = of_country AND d.id = show.id $$;
CREATE FUNCTION shows_with_episodes(show shows, of_country text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT (show.head || coalesce(d.options, '{}') || coalesce(d.seasons, show.outline) || '}')::json
  FROM (SELECT 1) one LEFT JOIN documents d ON d.country = of_country AND d.id = show.id $$;
CREATE FUNCTION shows_everywhere(show shows) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT (show.head || show.all_options || show.all_seasons || '}')::json $$;
CREATE FUNCTION listings_show(listing listings) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT (s.head || d.options || '}')::json
  FROM shows s, documents d WHERE s.id = listing.id AND d.country = listing.country AND d.id = listing.id $$;
CREATE FUNCTION listings_with_episodes(listing listings) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT (s.head || d.options || d.seasons || '}')::json
  FROM shows s, documents d WHERE s.id = listing.id AND d.country = listing.country AND d.id = listing.id $$;
CREATE FUNCTION changes_show(change changes) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT (s.head || coalesce(d.options, '{}') || '}')::json
  FROM shows s LEFT JOIN documents d ON d.country = change.country AND d.id = s.id WHERE s.id = change.show_id $$;
CREATE FUNCTION keyword_listings(query text) RETURNS SETOF listings LANGUAGE sql STABLE AS $$
  SELECT p.* FROM listings p WHERE p.id IN (SELECT w.id FROM words w WHERE w.words @@ query::tsquery) $$;
CREATE FUNCTION title_shows(phrase text, of_country text, only_movie boolean) RETURNS SETOF shows
LANGUAGE sql STABLE ROWS 20 AS $$
  SELECT s.* FROM title_search(phrase, of_country, only_movie) WITH ORDINALITY AS f(id, n)
  JOIN shows s ON s.id = f.id ORDER BY f.n $$;
COMMENT ON FUNCTION keyword_listings IS E'@sortable\\n@filterable';
COMMENT ON FUNCTION title_search IS '@omit';
COMMENT ON FUNCTION fuzzy_match IS '@omit';
COMMENT ON TABLE popularity IS '@omit';
COMMENT ON TABLE words IS '@omit';
COMMENT ON TABLE titles IS '@omit';
COMMENT ON TABLE documents IS '@omit';
`
