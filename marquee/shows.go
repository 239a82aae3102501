package marquee

import (
	"context"
	"time"
)

// Granularity says how much of a series a response holds. It does not affect movies.
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
	// Shape chooses the members of shows.
	Shape
}

// GetShow gets one show by its own id ("1001"), its IMDb id ("tt0068646") or its TMDB id ("movie/238").
func (c *Client) GetShow(ctx context.Context, id string, params GetShowParams) (*Show, error) {
	path, err := showIDPath(id)
	if err != nil {
		return nil, err
	}
	var q query
	q.add("country", params.Country)
	q.add("series_granularity", string(params.SeriesGranularity))
	q.add("output_language", params.OutputLanguage)
	params.Shape.add(&q)
	var show Show
	if err := c.fetch(ctx, q.after("/shows/"+path), decodeShow(&show, params.Shape)); err != nil {
		return nil, err
	}
	return &show, nil
}

// maxIDs is the most ids of one request for shows.
const maxIDs = 100

// GetShowsParams say which shows GetShows gets.
type GetShowsParams struct {
	// IDs are ids of any kind. At least one is required.
	IDs []string
	// Country limits options to one country, which makes the answer smaller.
	Country string
	// SeriesGranularity is GranularityEpisode if it is not set.
	SeriesGranularity Granularity
	// OutputLanguage is "en" if it is not set.
	OutputLanguage string
	// Shape chooses the members of shows.
	Shape
}

// GetShows gets several shows: one show for each id, in the order of the ids. Ids that no show has are left out. A request
// has at most 100 ids, so more of them are several requests, one after the other.
func (c *Client) GetShows(ctx context.Context, params GetShowsParams) ([]Show, error) {
	shows := []Show{}
	for start := 0; start == 0 || start < len(params.IDs); start += maxIDs {
		end := start + maxIDs
		if end > len(params.IDs) {
			end = len(params.IDs)
		}
		var q query
		q.addList("ids", params.IDs[start:end])
		q.add("country", params.Country)
		q.add("series_granularity", string(params.SeriesGranularity))
		q.add("output_language", params.OutputLanguage)
		params.Shape.add(&q)
		var part []Show
		if err := c.fetch(ctx, q.after("/shows"), decodeShows(&part, params.Shape)); err != nil {
			return nil, err
		}
		shows = append(shows, part...)
	}
	return shows, nil
}

// SimilarShowsParams say which shows SimilarShows finds. Only Country is required.
type SimilarShowsParams struct {
	// Country is the one in which the shows can be watched; or up to ten ("us,gb,de"), or "any" for all countries.
	Country string
	// Catalogs limits to shows on at least one of them, as in FilterShowsParams.
	Catalogs []string
	// ShowType limits to movies or series.
	ShowType ShowType
	// Limit is the most shows, from 1 to 20; 20 if it is not set.
	Limit *int
	// SeriesGranularity is GranularityShow if it is not set.
	SeriesGranularity Granularity
	// OutputLanguage is "en" if it is not set.
	OutputLanguage string
	// Shape chooses the members of shows.
	Shape
}

// SimilarShows finds shows that resemble one, by any of its ids, the most similar first.
func (c *Client) SimilarShows(ctx context.Context, id string, params SimilarShowsParams) ([]Show, error) {
	path, err := showIDPath(id)
	if err != nil {
		return nil, err
	}
	var q query
	q.add("country", params.Country)
	q.addList("catalogs", params.Catalogs)
	q.add("show_type", string(params.ShowType))
	q.addInt("limit", params.Limit)
	q.add("series_granularity", string(params.SeriesGranularity))
	q.add("output_language", params.OutputLanguage)
	params.Shape.add(&q)
	var shows []Show
	if err := c.fetch(ctx, q.after("/shows/"+path+"/similar"), decodeShows(&shows, params.Shape)); err != nil {
		return nil, err
	}
	return shows, nil
}

// ShowHistoryParams say which history ShowHistory gets. Only Country is required.
type ShowHistoryParams struct {
	// Country is the one whose history is returned.
	Country string
	// SeriesGranularity is GranularityEpisode if it is not set.
	SeriesGranularity Granularity
	// OutputLanguage is "en" if it is not set.
	OutputLanguage string
}

// ShowHistory gets when a show was live in a country, by any of its ids.
func (c *Client) ShowHistory(ctx context.Context, id string, params ShowHistoryParams) (*ShowHistory, error) {
	path, err := showIDPath(id)
	if err != nil {
		return nil, err
	}
	var q query
	q.add("country", params.Country)
	q.add("series_granularity", string(params.SeriesGranularity))
	q.add("output_language", params.OutputLanguage)
	var history ShowHistory
	if err := c.fetch(ctx, q.after("/shows/"+path+"/history"), decodeHistory(&history)); err != nil {
		return nil, err
	}
	return &history, nil
}

// SearchTitleParams say what SearchTitle looks for.
type SearchTitleParams struct {
	// Title is a title or a part of it, in any language. It is required.
	Title string
	// Country is the one whose options are returned. It is required.
	Country string
	// Catalogs limits to shows on at least one of them, as in FilterShowsParams.
	Catalogs []string
	// ShowType limits to movies or series.
	ShowType ShowType
	// Genres limits to shows that have all of these.
	Genres []string
	// YearMin and YearMax bound the release year of movies and the first air year of series.
	YearMin, YearMax *int
	// Limit is the most shows, from 1 to 20. If it is not set, that is 20, or all whose title equals the phrase.
	Limit *int
	// SeriesGranularity is GranularityShow if it is not set.
	SeriesGranularity Granularity
	// OutputLanguage is "en" if it is not set.
	OutputLanguage string
	// Shape chooses the members of shows.
	Shape
}

// SearchTitle finds shows by title, the best match first, whether or not they can be watched in the country.
func (c *Client) SearchTitle(ctx context.Context, params SearchTitleParams) ([]Show, error) {
	var q query
	q.add("title", params.Title)
	q.add("country", params.Country)
	q.addList("catalogs", params.Catalogs)
	q.add("show_type", string(params.ShowType))
	q.addList("genres", params.Genres)
	q.addInt("year_min", params.YearMin)
	q.addInt("year_max", params.YearMax)
	q.addInt("limit", params.Limit)
	q.add("series_granularity", string(params.SeriesGranularity))
	q.add("output_language", params.OutputLanguage)
	params.Shape.add(&q)
	var shows []Show
	if err := c.fetch(ctx, q.after("/shows/search/title"), decodeShows(&shows, params.Shape)); err != nil {
		return nil, err
	}
	return shows, nil
}

// SearchPeopleParams say whom SearchPeople looks for.
type SearchPeopleParams struct {
	// Name is a name or a part of it. It is required.
	Name string
	// Limit is the most people, from 1 to 50; 20 if it is not set.
	Limit *int
}

// SearchPeople finds actors, directors and creators by name, with the number of their shows, the best match first.
func (c *Client) SearchPeople(ctx context.Context, params SearchPeopleParams) ([]Person, error) {
	var q query
	q.add("name", params.Name)
	q.addInt("limit", params.Limit)
	var people []Person
	if err := c.fetch(ctx, q.after("/people/search"), decodePeople(&people)); err != nil {
		return nil, err
	}
	return people, nil
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
	// Shape chooses the members of shows.
	Shape
}

// TopShows gets a service's own top list in rank order. It is empty for services that have no official list.
func (c *Client) TopShows(ctx context.Context, params TopShowsParams) ([]Show, error) {
	var q query
	q.add("country", params.Country)
	q.add("service", params.Service)
	q.add("show_type", string(params.ShowType))
	q.add("output_language", params.OutputLanguage)
	params.Shape.add(&q)
	var shows []Show
	if err := c.fetch(ctx, q.after("/shows/top"), decodeShows(&shows, params.Shape)); err != nil {
		return nil, err
	}
	return shows, nil
}

// GenresRelation says how several genres of a filter belong together.
type GenresRelation string

// The relations of genres.
const (
	AllGenres GenresRelation = "and"
	AnyGenre  GenresRelation = "or"
)

// OrderBy is what shows are sorted by.
type OrderBy string

// The orders of shows. Popularity is that in the country that is searched.
const (
	OrderByOriginalTitle     OrderBy = "original_title"
	OrderByReleaseDate       OrderBy = "release_date"
	OrderByRating            OrderBy = "rating"
	OrderByPopularityAllTime OrderBy = "popularity_alltime"
	OrderByPopularity1Year   OrderBy = "popularity_1year"
	OrderByPopularity1Month  OrderBy = "popularity_1month"
	OrderByPopularity1Week   OrderBy = "popularity_1week"
	OrderByRuntime           OrderBy = "runtime"
	OrderByAvailableSince    OrderBy = "available_since"
	OrderByLeaving           OrderBy = "leaving"
	OrderByRandom            OrderBy = "random"
)

// OrderDirection is the direction of an order.
type OrderDirection string

// The directions of an order.
const (
	Ascending  OrderDirection = "asc"
	Descending OrderDirection = "desc"
)

// FilterShowsParams say which shows FilterShows finds. Only Country is required; what is not set filters nothing.
type FilterShowsParams struct {
	// Country is the one whose catalogs are searched; or up to ten ("us,gb,de"), or "any" for all countries.
	Country string
	// Catalogs limits to shows on at least one of them: a service ("netflix"), a service and a type of option
	// ("prime.rent"), or an addon ("prime.addon.hbomaxus").
	Catalogs []string
	// OutputLanguage is "en" if it is not set.
	OutputLanguage string
	// ShowType limits to movies or series.
	ShowType ShowType
	// Genres are ids of genres.
	Genres []string
	// GenresRelation is AllGenres if it is not set.
	GenresRelation GenresRelation
	// ShowOriginalLanguage is an ISO 639-1 code, such as "ko".
	ShowOriginalLanguage string
	// YearMin and YearMax bound the release year of movies and the first air year of series.
	YearMin, YearMax *int
	// RatingMin and RatingMax go from 0 to 100.
	RatingMin, RatingMax *int
	// Keyword is looked for in title and overview.
	Keyword string
	// People are names of people, all of whom a show must have as actors, directors or creators.
	People []string
	// RuntimeMin and RuntimeMax bound the runtime of movies, in minutes.
	RuntimeMin, RuntimeMax *int
	// SeasonsMax limits to series of at most so many seasons.
	SeasonsMax *int
	// ExcludeGenres are ids of genres, none of which a show may have.
	ExcludeGenres []string
	// IDs limits to these shows, and ExcludeIDs leaves shows out: up to 100 ids of any kind each.
	IDs, ExcludeIDs []string
	// OptionTypes, and the fields down to LeavingBefore, are about options: one and the same option, of Catalogs if they
	// are set, must pass all of them. OptionTypes are types of options on any service.
	OptionTypes []OptionType
	// Audios are languages (ISO 639-1 or 639-2), one of which must be an audio language.
	Audios []string
	// Subtitles are languages, one of which must be a language of subtitles; "eng-cc" is closed captions.
	Subtitles []string
	// QualityMin is the least video quality.
	QualityMin Quality
	// PriceMax is the highest price ("3.99") in the Currency ("USD"); options without a price do not match.
	PriceMax, Currency string
	// AvailableSinceMin is the earliest time at which an option was first seen.
	AvailableSinceMin time.Time
	// LeavingBefore is a time before which an option must end.
	LeavingBefore time.Time
	// SeriesGranularity is GranularityShow if it is not set.
	SeriesGranularity Granularity
	// OrderBy is OrderByOriginalTitle if it is not set.
	OrderBy OrderBy
	// OrderDirection is ascending for titles and dates and descending for rating and popularity, if it is not set.
	OrderDirection OrderDirection
	// Seed chooses one of the orders of OrderByRandom, which needs it: the same seed is the same order.
	Seed *int
	// Limit is the most shows of a page; the page size, 10 to 20, if it is not set.
	Limit *int
	// Cursor is where to start: NextCursor of an earlier page, with all else unchanged.
	Cursor string
	// Shape chooses the members of shows.
	Shape
}

// ShowPage is a page of shows.
type ShowPage struct {
	Shows []Show `json:"shows"`
	// HasMore says whether there is a next page.
	HasMore bool `json:"hasMore"`
	// NextCursor is the cursor of the next page; it is empty on the last one.
	NextCursor string `json:"nextCursor,omitempty"`
}

// addFilters adds what filters; order and pages are not part of it.
func (params *FilterShowsParams) addFilters(q *query) {
	q.add("country", params.Country)
	q.addList("catalogs", params.Catalogs)
	q.add("output_language", params.OutputLanguage)
	q.add("show_type", string(params.ShowType))
	q.addList("genres", params.Genres)
	q.add("genres_relation", string(params.GenresRelation))
	q.add("show_original_language", params.ShowOriginalLanguage)
	q.addInt("year_min", params.YearMin)
	q.addInt("year_max", params.YearMax)
	q.addInt("rating_min", params.RatingMin)
	q.addInt("rating_max", params.RatingMax)
	q.add("keyword", params.Keyword)
	q.addList("people", params.People)
	q.addInt("runtime_min", params.RuntimeMin)
	q.addInt("runtime_max", params.RuntimeMax)
	q.addInt("seasons_max", params.SeasonsMax)
	q.addList("exclude_genres", params.ExcludeGenres)
	q.addList("ids", params.IDs)
	q.addList("exclude_ids", params.ExcludeIDs)
	types := make([]string, len(params.OptionTypes))
	for i, one := range params.OptionTypes {
		types[i] = string(one)
	}
	q.addList("option_types", types)
	q.addList("audios", params.Audios)
	q.addList("subtitles", params.Subtitles)
	q.add("quality_min", string(params.QualityMin))
	q.add("price_max", params.PriceMax)
	q.add("currency", params.Currency)
	q.addTime("available_since_min", params.AvailableSinceMin)
	q.addTime("leaving_before", params.LeavingBefore)
}

// FilterShowsPage gets one page of what FilterShows iterates over.
func (c *Client) FilterShowsPage(ctx context.Context, params FilterShowsParams) (*ShowPage, error) {
	var q query
	params.addFilters(&q)
	q.add("series_granularity", string(params.SeriesGranularity))
	q.add("order_by", string(params.OrderBy))
	q.add("order_direction", string(params.OrderDirection))
	q.addInt("seed", params.Seed)
	q.addInt("limit", params.Limit)
	q.add("cursor", params.Cursor)
	params.Shape.add(&q)
	var body struct {
		Shows []Show `json:"shows"`
		envelope
	}
	err := c.fetch(ctx, q.after("/shows/search/filters"), func(r *response) error {
		if err := r.decode(&body); err != nil {
			return err
		}
		if err := r.checkShows(body.Shows, params.Shape); err != nil {
			return err
		}
		return r.checkPage(body.envelope, params.Cursor)
	})
	if err != nil {
		return nil, err
	}
	return &ShowPage{Shows: body.Shows, HasMore: *body.HasMore, NextCursor: body.next()}, nil
}

// FilterShows iterates over the shows of a country's catalogs, page by page, up to the limits.
func (c *Client) FilterShows(ctx context.Context, params FilterShowsParams, limits ...Limit) *ShowIterator {
	return &ShowIterator{newPager(ctx, params.Cursor, limits, func(ctx context.Context, cursor string) (page[Show], error) {
		params.Cursor = cursor
		got, err := c.FilterShowsPage(ctx, params)
		if err != nil {
			return page[Show]{}, err
		}
		return page[Show]{got.Shows, got.NextCursor}, nil
	})}
}

// Facet is what shows can be counted by.
type Facet string

// The facets.
const (
	FacetServices  Facet = "services"
	FacetShowTypes Facet = "showTypes"
	FacetGenres    Facet = "genres"
	FacetYears     Facet = "years"
	FacetLanguages Facet = "languages"
)

// CountShowsParams say which shows CountShows counts.
type CountShowsParams struct {
	// FilterShowsParams are those of FilterShows. Order, pages, granularity and shape make no difference.
	FilterShowsParams
	// Facets are what to count by; all of them if it is not set.
	Facets []Facet
	// FacetFilters say which filters facets are counted with: FacetFiltersAll if it is not set.
	FacetFilters FacetFilters
	// Steps are other values of filters to count with, such as "runtime_max:90".
	Steps []string
}

// FacetFilters are the filters that facets are counted with.
type FacetFilters string

// The filters of facets: all, or all but the one on what the facet counts by.
const (
	FacetFiltersAll    FacetFilters = "all"
	FacetFiltersOthers FacetFilters = "others"
)

// CountShows counts the shows that FilterShows finds with the same filters, as a whole and by facets.
func (c *Client) CountShows(ctx context.Context, params CountShowsParams) (*ShowCount, error) {
	var q query
	params.addFilters(&q)
	names := make([]string, len(params.Facets))
	for i, facet := range params.Facets {
		names[i] = string(facet)
	}
	q.addList("facets", names)
	q.add("facet_filters", string(params.FacetFilters))
	q.addList("steps", params.Steps)
	var count ShowCount
	if err := c.fetch(ctx, q.after("/shows/count"), decodeCount(&count)); err != nil {
		return nil, err
	}
	return &count, nil
}

// ShowIterator iterates over shows. It must not be shared between goroutines.
type ShowIterator struct {
	pager *pager[Show]
}

// Next moves to the next show and fetches a page if needed. It returns false at the end and after an error: see Err.
func (it *ShowIterator) Next() bool { return it.pager.next() }

// Show is the current show.
func (it *ShowIterator) Show() *Show { return it.pager.item() }

// Err is the error that ended the iteration, or nil at its end.
func (it *ShowIterator) Err() error { return it.pager.err }
