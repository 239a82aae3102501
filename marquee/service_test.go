package marquee_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/marquee-catalog/marquee/marquee"
)

// Every endpoint of a service that really runs, with keys of both sources. Where it is, and its keys, are in the
// environment; ../server/test/process/go-client.test.ts starts it and sets them.
const (
	addressVariable        = "MARQUEE_TEST_ADDRESS"
	directKeyVariable      = "MARQUEE_TEST_DIRECT_KEY"
	marketplaceKeyVariable = "MARQUEE_TEST_MARKETPLACE_KEY"
)

func needService(t *testing.T) (address string) {
	t.Helper()
	address = os.Getenv(addressVariable)
	if address == "" {
		t.Skipf("no service: set %s, %s and %s", addressVariable, directKeyVariable, marketplaceKeyVariable)
	}
	return address
}

func TestEveryEndpointOfTheService(t *testing.T) {
	address := needService(t)
	for source, variable := range map[marquee.KeySource]string{
		marquee.DirectKey: directKeyVariable, marquee.MarketplaceKey: marketplaceKeyVariable,
	} {
		t.Run(string(source), func(t *testing.T) {
			g := openGate(t, address)
			client, err := marquee.New(os.Getenv(variable), marquee.WithBaseURL(g.URL+"/v4"))
			if err != nil {
				t.Fatal(err)
			}
			if client.KeySource() != source {
				t.Fatalf("the key of %s is taken for one of %s", source, client.KeySource())
			}
			t.Run("one show", func(t *testing.T) { oneShow(t, g, client) })
			t.Run("a series", func(t *testing.T) { aSeries(t, g, client) })
			t.Run("filter search", func(t *testing.T) { filterSearch(t, g, client) })
			t.Run("title search", func(t *testing.T) { titleSearch(t, g, client) })
			t.Run("top lists", func(t *testing.T) { topLists(t, g, client) })
			t.Run("changes", func(t *testing.T) { allChanges(t, g, client) })
			t.Run("a mirror", func(t *testing.T) { aMirror(t, client) })
			t.Run("reference data", func(t *testing.T) { referenceData(t, g, client) })
			t.Run("pages", func(t *testing.T) { pagesByNumber(t, g, client) })
			t.Run("errors", func(t *testing.T) { errorsOfTheService(t, client) })
			t.Run("quota", func(t *testing.T) { quotaOfTheKey(t, client) })
		})
	}
}

func aMirror(t *testing.T, client *marquee.Client) {
	mirror := client.Mirror(marquee.MirrorParams{Country: "us", SeriesGranularity: marquee.GranularityShow}, nil)
	first, err := mirror.Sync(background)
	if err != nil || !first.Whole || first.Updated != mirror.Len() || mirror.Len() == 0 {
		t.Fatalf("%+v came, %d shows: %v", first, mirror.Len(), err)
	}
	it := client.FilterShows(background, marquee.FilterShowsParams{Country: "us"})
	count := 0
	for it.Next() {
		if show, found := mirror.Show(it.Show().ID); !found || !reflect.DeepEqual(&show, it.Show()) {
			t.Errorf("the copy of %s differs", it.Show().ID)
		}
		count++
	}
	if it.Err() != nil || count != mirror.Len() {
		t.Errorf("the catalog has %d shows, the copy %d: %v", count, mirror.Len(), it.Err())
	}
	stored := mirror.Copy()
	again, err := client.Mirror(marquee.MirrorParams{Country: "us"}, &stored).Sync(background)
	if err != nil || again != (marquee.MirrorSync{}) {
		t.Errorf("where nothing happened, %+v came: %v", again, err)
	}
}

var background = context.Background()

func oneShow(t *testing.T, g *gate, client *marquee.Client) {
	byIMDb, err := client.GetShow(background, "tt0068646", marquee.GetShowParams{Country: "us"})
	if err != nil {
		t.Fatal(err)
	}
	g.holds(t, byIMDb)
	if byIMDb.Title != "The Godfather" || byIMDb.Year() != 1972 || byIMDb.ShowType != marquee.Movie {
		t.Errorf("%s (%d) came", byIMDb.Title, byIMDb.Year())
	}
	for _, id := range []string{byIMDb.ID, byIMDb.TMDBID} {
		if again, err := client.GetShow(background, id, marquee.GetShowParams{Country: "US"}); !reflect.DeepEqual(again, byIMDb) {
			t.Errorf("by %s, another show came: %v", id, err)
		}
	}
	everywhere, err := client.GetShow(background, byIMDb.ID, marquee.GetShowParams{OutputLanguage: "fr"})
	if err != nil {
		t.Fatal(err)
	}
	g.holds(t, everywhere)
	if everywhere.Title != "Le Parrain" || len(everywhere.StreamingOptions) < 2 {
		t.Errorf("%s came, in %d countries", everywhere.Title, len(everywhere.StreamingOptions))
	}
}

func aSeries(t *testing.T, g *gate, client *marquee.Client) {
	get := func(granularity marquee.Granularity) *marquee.Show {
		show, err := client.GetShow(background, "tv/1396", marquee.GetShowParams{Country: "us", SeriesGranularity: granularity})
		if err != nil {
			t.Fatal(err)
		}
		g.holds(t, show)
		return show
	}
	if show := get(marquee.GranularityShow); show.Seasons != nil {
		t.Error("there are seasons at granularity show")
	}
	if show := get(marquee.GranularitySeason); len(show.Seasons) != 5 || show.Seasons[0].Episodes != nil {
		t.Error("seasons are missing, or there are episodes, at granularity season")
	}
	show := get(marquee.GranularityEpisode)
	link := show.EpisodeLink(marquee.EpisodeChoice{Season: 5, Episode: 16, Country: "us"})
	if link == "" {
		t.Error("the last episode has no link")
	}
}

func filterSearch(t *testing.T, g *gate, client *marquee.Client) {
	page, err := client.FilterShowsPage(background, marquee.FilterShowsParams{
		Country: "us", Catalogs: []string{"netflix", "prime.subscription", "prime.rent", "apple"}, OutputLanguage: "es",
		ShowType: marquee.Movie, Genres: []string{"drama", "crime"}, GenresRelation: marquee.AnyGenre,
		ShowOriginalLanguage: "en", YearMin: marquee.Int(1950), YearMax: marquee.Int(2026), RatingMin: marquee.Int(1),
		RatingMax: marquee.Int(100), SeriesGranularity: marquee.GranularityEpisode,
		OrderBy: marquee.OrderByPopularity1Week, OrderDirection: marquee.Descending,
	})
	if err != nil {
		t.Fatal(err)
	}
	g.holds(t, page)
	if len(page.Shows) == 0 {
		t.Error("nothing was found")
	}
	for _, order := range []marquee.OrderBy{
		marquee.OrderByOriginalTitle, marquee.OrderByReleaseDate, marquee.OrderByRating, marquee.OrderByPopularityAllTime,
		marquee.OrderByPopularity1Year, marquee.OrderByPopularity1Month, marquee.OrderByPopularity1Week,
	} {
		seen := map[string]bool{}
		shows := client.FilterShows(background, marquee.FilterShowsParams{Country: "us", OrderBy: order})
		g.passed()
		for shows.Next() {
			if seen[shows.Show().ID] {
				t.Errorf("show %s came twice", shows.Show().ID)
			}
			seen[shows.Show().ID] = true
		}
		if pages := (len(seen) + 19) / 20; shows.Err() != nil || pages < 3 || g.passed() != pages {
			t.Errorf("by %s, %d shows came on %d pages: %v", order, len(seen), pages, shows.Err())
		}
	}
	found := client.FilterShows(background, marquee.FilterShowsParams{Country: "us", Keyword: "godfather"})
	if !found.Next() || found.Show().ID == "" {
		t.Errorf("the keyword found nothing: %v", found.Err())
	}
}

func titleSearch(t *testing.T, g *gate, client *marquee.Client) {
	shows, err := client.SearchTitle(background, marquee.SearchTitleParams{
		Title: "Amélie", Country: "gb", ShowType: marquee.Movie, SeriesGranularity: marquee.GranularityShow, OutputLanguage: "de",
	})
	if err != nil || len(shows) == 0 {
		t.Fatalf("nothing was found: %v", err)
	}
	g.holds(t, shows)
	if shows[0].IMDbID != "tt0211915" {
		t.Errorf("%s was found first", shows[0].Title)
	}
}

func topLists(t *testing.T, g *gate, client *marquee.Client) {
	shows, err := client.TopShows(background, marquee.TopShowsParams{
		Country: "us", Service: "netflix", ShowType: marquee.Series, OutputLanguage: "tr",
	})
	if err != nil || len(shows) == 0 {
		t.Fatalf("the list is empty: %v", err)
	}
	g.holds(t, shows)
	none, err := client.TopShows(background, marquee.TopShowsParams{Country: "us", Service: "mubi"})
	if err != nil || none == nil || len(none) != 0 {
		t.Errorf("%d shows came of a service without a list: %v", len(none), err)
	}
}

func allChanges(t *testing.T, g *gate, client *marquee.Client) {
	for _, changeType := range []marquee.ChangeType{
		marquee.ChangeNew, marquee.ChangeUpdated, marquee.ChangeRemoved, marquee.ChangeExpiring, marquee.ChangeUpcoming,
	} {
		total := 0
		for _, itemType := range []marquee.ItemType{marquee.ItemShow, marquee.ItemSeason, marquee.ItemEpisode} {
			params := marquee.ChangesParams{
				Country: "us", ChangeType: changeType, ItemType: itemType, IncludeUnknownDates: marquee.Bool(true),
			}
			page, err := client.ChangesPage(background, params)
			if err != nil {
				t.Fatal(err)
			}
			g.holds(t, page)
			changes := client.Changes(background, params)
			count := 0
			g.passed()
			for changes.Next() {
				change, show := changes.Change(), changes.Show()
				if change.ChangeType != changeType || change.ItemType != itemType || show == nil || show.ID != change.ShowID {
					t.Errorf("%+v came with %+v", change, show)
				}
				count++
			}
			pages := (count + 24) / 25
			if pages == 0 {
				pages = 1
			}
			if passed := g.passed(); changes.Err() != nil || passed != pages {
				t.Errorf("%s, %s: %d changes came on %d pages, not %d: %v", changeType, itemType, count, passed, pages, changes.Err())
			}
			total += count
		}
		if total == 0 {
			t.Errorf("there are no changes of type %s", changeType)
		}
	}
	narrow := client.Changes(background, marquee.ChangesParams{
		Country: "us", ChangeType: marquee.ChangeNew, ItemType: marquee.ItemShow, Catalogs: []string{"netflix", "hbo"},
		ShowType: marquee.Movie, From: time.Now().AddDate(0, 0, -20), To: time.Now(), OrderDirection: marquee.Descending,
		OutputLanguage: "ja",
	})
	if !narrow.Next() {
		t.Errorf("nothing is new: %v", narrow.Err())
	}
}

func referenceData(t *testing.T, g *gate, client *marquee.Client) {
	countries, err := client.Countries(background, marquee.LocalizedParams{OutputLanguage: "fr"})
	if err != nil || len(countries) < 2 {
		t.Fatalf("%d countries came: %v", len(countries), err)
	}
	g.holds(t, countries)
	country, err := client.Country(background, "us", marquee.LocalizedParams{OutputLanguage: "fr"})
	if err != nil {
		t.Fatal(err)
	}
	g.holds(t, country)
	if country.Name != "États-Unis" || len(country.Services) == 0 || country.Services[0].ID == "" {
		t.Errorf("%s came, with %d services", country.Name, len(country.Services))
	}
	genres, err := client.Genres(background, marquee.LocalizedParams{OutputLanguage: "tr"})
	if err != nil || len(genres) == 0 {
		t.Fatalf("%d genres came: %v", len(genres), err)
	}
	g.holds(t, genres)
}

func pagesByNumber(t *testing.T, g *gate, client *marquee.Client) {
	params := marquee.FilterShowsParams{Country: "us", Catalogs: []string{"netflix"}}
	walk := func(limits ...marquee.Limit) (pages int) {
		g.passed()
		shows := client.FilterShows(background, params, limits...)
		for shows.Next() {
		}
		if shows.Err() != nil {
			t.Error(shows.Err())
		}
		return g.passed()
	}
	all := walk()
	if all < 2 {
		t.Fatalf("there are only %d pages", all)
	}
	for limit := 0; limit <= all+1; limit++ {
		want := limit
		if want > all {
			want = all
		}
		if pages := walk(marquee.MaxPages(limit)); pages != want {
			t.Errorf("with a limit of %d of %d pages, %d were fetched", limit, all, pages)
		}
	}
}

func errorsOfTheService(t *testing.T, client *marquee.Client) {
	_, err := client.GetShow(background, "tt9999999", marquee.GetShowParams{})
	expectRefusal(t, err, 404, "not_found", "")
	_, err = client.FilterShowsPage(background, marquee.FilterShowsParams{Country: "us", RatingMin: marquee.Int(101)})
	expectRefusal(t, err, 400, "invalid_parameter", "rating_min")
	_, err = client.FilterShowsPage(background, marquee.FilterShowsParams{})
	expectRefusal(t, err, 400, "missing_parameter", "country")
	_, err = client.FilterShowsPage(background, marquee.FilterShowsParams{Country: "us", Cursor: "no cursor"})
	expectRefusal(t, err, 400, "invalid_cursor", "cursor")
	_, err = client.Country(background, "zz", marquee.LocalizedParams{})
	expectRefusal(t, err, 404, "not_found", "")
}

func expectRefusal(t *testing.T, err error, status int, code, parameter string) *marquee.ServiceError {
	t.Helper()
	var said *marquee.ServiceError
	if !errors.As(err, &said) {
		t.Fatalf("the service did not say no: %v", err)
	}
	if said.Status != status || said.Code != code || parameter != "" && said.Parameter != parameter ||
		said.RequestID == "" || said.Message == "" {
		t.Errorf("the service said %+v", said)
	}
	return said
}

func quotaOfTheKey(t *testing.T, client *marquee.Client) {
	if quota, known := client.Quota(); !known || quota.Used == 0 || quota.Reset < time.Now().Unix() {
		t.Errorf("the quota is %+v, %v", quota, known)
	}
}

func TestKeysInTheWrongPlace(t *testing.T) {
	base := marquee.WithBaseURL(needService(t) + "/v4")
	client, err := marquee.New(os.Getenv(directKeyVariable), base, marquee.WithKeyPrefix("another-"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Genres(background, marquee.LocalizedParams{})
	if said := expectRefusal(t, err, 401, "wrong_key_source", ""); said.Base != "/v4" || said.Header != "X-API-Key" {
		t.Errorf("the key belongs to %q and %q", said.Base, said.Header)
	}
	client, err = marquee.New("mq-key-of-nobody", base)
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Genres(background, marquee.LocalizedParams{})
	expectRefusal(t, err, 401, "invalid_key", "")
	client, err = marquee.NewKeyless(base)
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Genres(background, marquee.LocalizedParams{})
	expectRefusal(t, err, 401, "missing_key", "")
}

func TestAnswersThatStillHoldAreNotSentAgain(t *testing.T) {
	g := openGate(t, needService(t))
	client, err := marquee.New(os.Getenv(directKeyVariable), marquee.WithBaseURL(g.URL+"/v4"), marquee.WithCache(marquee.NewMemoryCache(10)))
	if err != nil {
		t.Fatal(err)
	}
	var answers [2]*marquee.Show
	var statuses [2]int
	for i := range answers {
		if answers[i], err = client.GetShow(background, "tt0068646", marquee.GetShowParams{}); err != nil {
			t.Fatal(err)
		}
		statuses[i] = g.status
	}
	if fmt.Sprint(statuses) != "[200 304]" || !reflect.DeepEqual(answers[0], answers[1]) {
		t.Errorf("the statuses are %v", statuses)
	}
}
