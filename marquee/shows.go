package marquee

import "context"

// Granularity says how much of a series is told. It does not affect movies.
type Granularity string

// The granularities.
const (
	// GranularityShow leaves seasons out.
	GranularityShow Granularity = "show"
	// GranularitySeason has seasons without their episodes.
	GranularitySeason Granularity = "season"
	// GranularityEpisode has seasons and episodes.
	GranularityEpisode Granularity = "episode"
)

// GetShowParams refine GetShow. The zero value asks for everything.
type GetShowParams struct {
	// Country limits options to one country, which makes the answer smaller.
	Country string
	// SeriesGranularity is GranularityEpisode if it is not set.
	SeriesGranularity Granularity
	// OutputLanguage is "en" if it is not set.
	OutputLanguage string
}

// GetShow gets one show by its own id ("1001"), its IMDb id ("tt0068646") or its TMDB id ("movie/238").
func (c *Client) GetShow(ctx context.Context, id string, params GetShowParams) (*Show, error) {
	path, err := idPath(id)
	if err != nil {
		return nil, err
	}
	var q query
	q.add("country", params.Country)
	q.add("series_granularity", string(params.SeriesGranularity))
	q.add("output_language", params.OutputLanguage)
	var show Show
	if err := c.fetch(ctx, q.after("/shows/"+path), readShow(&show)); err != nil {
		return nil, err
	}
	return &show, nil
}

// SearchTitleParams say what SearchTitle looks for.
type SearchTitleParams struct {
	// Title is a title or a part of it, in any language. It is required.
	Title string
	// Country is the one whose options are told. It is required.
	Country string
	// ShowType limits to movies or series.
	ShowType ShowType
	// SeriesGranularity is GranularityShow if it is not set.
	SeriesGranularity Granularity
	// OutputLanguage is "en" if it is not set.
	OutputLanguage string
}

// SearchTitle finds shows by title, the best match first, whether or not they can be watched in the country.
func (c *Client) SearchTitle(ctx context.Context, params SearchTitleParams) ([]Show, error) {
	var q query
	q.add("title", params.Title)
	q.add("country", params.Country)
	q.add("show_type", string(params.ShowType))
	q.add("series_granularity", string(params.SeriesGranularity))
	q.add("output_language", params.OutputLanguage)
	var shows []Show
	if err := c.fetch(ctx, q.after("/shows/search/title"), readShows(&shows)); err != nil {
		return nil, err
	}
	return shows, nil
}

// TopShowsParams say which list TopShows gets.
type TopShowsParams struct {
	// Country is required.
	Country string
	// Service is the id of a service. It is required.
	Service string
	// ShowType limits to movies or series.
	ShowType ShowType
	// OutputLanguage is "en" if it is not set.
	OutputLanguage string
}

// TopShows gets a service's own top list in rank order. It is empty for services that have no official list.
func (c *Client) TopShows(ctx context.Context, params TopShowsParams) ([]Show, error) {
	var q query
	q.add("country", params.Country)
	q.add("service", params.Service)
	q.add("show_type", string(params.ShowType))
	q.add("output_language", params.OutputLanguage)
	var shows []Show
	if err := c.fetch(ctx, q.after("/shows/top"), readShows(&shows)); err != nil {
		return nil, err
	}
	return shows, nil
}
