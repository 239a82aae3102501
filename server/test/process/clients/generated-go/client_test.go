package generated

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
)

// client sends the requests of the published Go client: the direct base or the marketplace's, by the prefix of the key.
type client struct {
	base   string
	header string
	key    string
}

func newClient(t *testing.T, variable string) client {
	t.Helper()
	address, key := os.Getenv("MARQUEE_TEST_ADDRESS"), os.Getenv(variable)
	if address == "" || key == "" {
		t.Fatalf("MARQUEE_TEST_ADDRESS and %s must be set", variable)
	}
	if strings.HasPrefix(key, "motn-key-") {
		return client{address + "/v4", "X-API-Key", key}
	}
	return client{address, "X-RapidAPI-Key", key}
}

// statusError is an error response, read by the error model of the document.
type statusError struct {
	status  int
	message string
}

func (e statusError) Error() string { return fmt.Sprintf("%d %s", e.status, e.message) }

func (c client) get(path string, query url.Values, model any) error {
	request, err := http.NewRequest(http.MethodGet, c.base+path+"?"+query.Encode(), nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "OpenAPI-Generator/1.0.0/go")
	request.Header.Set(c.header, c.key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		message, err := readError(response.Header.Get("Content-Type"), body)
		if err != nil {
			return fmt.Errorf("the error of %s cannot be read: %w", path, err)
		}
		return statusError{response.StatusCode, message}
	}
	return decodeStrict(body, model)
}

func readError(contentType string, body []byte) (string, error) {
	if kind, _, err := mime.ParseMediaType(contentType); err != nil || kind != "application/json" {
		return "", fmt.Errorf("content type %q", contentType)
	}
	var model ModelError
	if err := decodeStrict(body, &model); err != nil {
		return "", err
	}
	return *model.Message, nil
}

func (c client) getShow(id string, query url.Values) (*Show, error) {
	var show Show
	return &show, c.get("/shows/"+url.PathEscape(id), query, &show)
}

// eachPage requests pages until there is no more, or the limit is reached.
func (c client) eachPage(path string, query url.Values, limit int, read func(page int) (model any, next func() (bool, *string))) error {
	for page := 0; page < limit; page++ {
		model, next := read(page)
		if err := c.get(path, query, model); err != nil {
			return err
		}
		hasMore, cursor := next()
		if !hasMore {
			return nil
		}
		query.Set("cursor", *cursor)
	}
	return nil
}

func forEachKey(t *testing.T, test func(t *testing.T, c client)) {
	for _, variable := range []string{"MARQUEE_TEST_DIRECT_KEY", "MARQUEE_TEST_MARKETPLACE_KEY"} {
		t.Run(variable, func(t *testing.T) { test(t, newClient(t, variable)) })
	}
}

func TestShow(t *testing.T) {
	forEachKey(t, func(t *testing.T, c client) {
		for _, id := range []string{"tt0468569", "movie/155", "tv/1396"} {
			for _, granularity := range []string{"show", "season", "episode"} {
				show, err := c.getShow(id, url.Values{"series_granularity": {granularity}})
				if err != nil {
					t.Fatal(id, granularity, err)
				}
				if len(show.StreamingOptions) == 0 {
					t.Errorf("%s has no streaming options", id)
				}
			}
		}
	})
}

func TestSearchByFilters(t *testing.T) {
	forEachKey(t, func(t *testing.T, c client) {
		query := url.Values{
			"country": {"us"}, "catalogs": {"netflix,prime.subscription,hulu.addon"}, "genres": {"action,drama"},
			"genres_relation": {"or"}, "order_by": {"popularity_1year"}, "order_direction": {"desc"},
			"year_min": {"1980"}, "rating_min": {"10"}, "output_language": {"fr"}, "series_granularity": {"episode"},
		}
		shows := 0
		err := c.eachPage("/shows/search/filters", query, 3, func(int) (any, func() (bool, *string)) {
			result := &SearchResult{}
			return result, func() (bool, *string) { shows += len(result.Shows); return *result.HasMore, result.NextCursor }
		})
		if err != nil || shows == 0 {
			t.Fatal(shows, err)
		}
	})
}

func TestSearchByTitle(t *testing.T) {
	forEachKey(t, func(t *testing.T, c client) {
		var shows []Show
		query := url.Values{"title": {"the dark knight"}, "country": {"us"}, "show_type": {"movie"}}
		if err := c.get("/shows/search/title", query, &shows); err != nil || len(shows) == 0 {
			t.Fatal(len(shows), err)
		}
		if *shows[0].Title != "The Dark Knight" {
			t.Errorf("the first is %s", *shows[0].Title)
		}
	})
}

func TestTopShows(t *testing.T) {
	forEachKey(t, func(t *testing.T, c client) {
		var shows []Show
		query := url.Values{"country": {"us"}, "service": {"netflix"}, "show_type": {"series"}}
		if err := c.get("/shows/top", query, &shows); err != nil || len(shows) == 0 {
			t.Fatal(len(shows), err)
		}
	})
}

func TestChanges(t *testing.T) {
	forEachKey(t, func(t *testing.T, c client) {
		for _, changeType := range []string{"new", "updated", "removed", "expiring", "upcoming"} {
			for _, itemType := range []string{"show", "season", "episode"} {
				query := url.Values{"country": {"us"}, "change_type": {changeType}, "item_type": {itemType}, "include_unknown_dates": {"true"}}
				err := c.eachPage("/changes", query, 2, func(int) (any, func() (bool, *string)) {
					result := &ChangesResult{}
					return result, func() (bool, *string) {
						for _, change := range result.Changes {
							if _, ok := result.Shows[*change.ShowID]; !ok {
								t.Errorf("%s %s: the show %s is missing", changeType, itemType, *change.ShowID)
							}
						}
						return *result.HasMore, result.NextCursor
					}
				})
				if err != nil {
					t.Error(changeType, itemType, err)
				}
			}
		}
	})
}

func TestCountriesAndGenres(t *testing.T) {
	forEachKey(t, func(t *testing.T, c client) {
		countries := map[string]Country{}
		if err := c.get("/countries", url.Values{}, &countries); err != nil || len(countries) < 40 {
			t.Fatal(len(countries), err)
		}
		var country Country
		if err := c.get("/countries/za", url.Values{"output_language": {"es"}}, &country); err != nil {
			t.Error(err)
		}
		var genres []Genre
		if err := c.get("/genres", url.Values{}, &genres); err != nil || len(genres) == 0 {
			t.Error(len(genres), err)
		}
	})
}

func TestErrorsOfRequests(t *testing.T) {
	forEachKey(t, func(t *testing.T, c client) {
		wrong := c
		wrong.key = "motn-key-nonsense"
		cases := []struct {
			status int
			client client
			path   string
			query  url.Values
		}{
			{404, c, "/shows/tt9999999", nil},
			{404, c, "/no/such/path", nil},
			{404, c, "/search/title", nil},
			{400, c, "/shows/search/filters", url.Values{}},
			{400, c, "/shows/search/filters", url.Values{"country": {"us"}, "cursor": {"nonsense"}}},
			{400, c, "/shows/search/title", url.Values{"country": {"uk"}, "title": {"x"}}},
			{401, wrong, "/genres", nil},
		}
		for _, one := range cases {
			err := one.client.get(one.path, one.query, &struct{}{})
			failure, ok := err.(statusError)
			if !ok || failure.status != one.status || len(failure.message) < 10 {
				t.Errorf("%s: %v", one.path, err)
			}
		}
	})
}

// TestErrorTable reads the responses to requests that provoke every error of the service.
func TestErrorTable(t *testing.T) {
	file, err := os.ReadFile(os.Getenv("MARQUEE_TEST_ERRORS"))
	if err != nil {
		t.Fatal(err)
	}
	var failures []struct{ Code, ContentType, Body string }
	if err := json.Unmarshal(file, &failures); err != nil || len(failures) == 0 {
		t.Fatal(len(failures), err)
	}
	for _, failure := range failures {
		if message, err := readError(failure.ContentType, []byte(failure.Body)); err != nil || message == "" {
			t.Errorf("%s: %v", failure.Code, err)
		}
	}
}
