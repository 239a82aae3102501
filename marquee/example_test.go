package marquee_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/marquee-catalog/marquee/marquee"
)

// catalog is a service whose answers were recorded, cut down, and kept in testdata.
var catalog = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	name := map[string]string{
		"/v4/shows/tt0068646":      "movie.json",
		"/v4/shows/tv/1396":        "series.json",
		"/v4/shows/search/filters": "filter-1.json",
		"/v4/changes":              "changes.json",
		"/v4/genres":               "genres.json",
	}[r.URL.Path]
	if name == "" {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"detail":"There is no show \"tt9999999\".","code":"not_found"}`)
		return
	}
	if r.URL.Query().Get("cursor") != "" {
		name = "filter-2.json"
	}
	w.Header().Set("X-Quota-Granted", "1000")
	w.Header().Set("X-Quota-Used", "17")
	w.Header().Set("X-Quota-Reset", "1796083200")
	http.ServeFile(w, r, "testdata/"+name)
}))

func newClient() *marquee.Client {
	client, err := marquee.New("mq-key-example", marquee.WithBaseURL(catalog.URL+"/v4"))
	if err != nil {
		log.Fatal(err)
	}
	return client
}

// Where can I watch this, and for how much?
func Example() {
	client, err := marquee.New("mq-key-example", marquee.WithBaseURL(catalog.URL+"/v4"))
	if err != nil {
		log.Fatal(err)
	}
	show, err := client.GetShow(context.Background(), "tt0068646", marquee.GetShowParams{Country: "us"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s (%d)\n", show.Title, show.Year())
	for _, offer := range show.StreamingOptions.In("us") {
		fmt.Printf("%s: %s", offer.Service.Name, offer.Type)
		if offer.Price != nil {
			fmt.Printf(" for %s", offer.Price.Formatted)
		}
		fmt.Println()
	}
	// Output:
	// The Godfather (1972)
	// HBO Max: subscription
	// Apple TV: rent for 4.99 USD
	// Apple TV: rent for 3.99 USD
	// Apple TV: buy for 9.99 USD
	// Prime Video: rent for 3.99 USD
	// Prime Video: rent for 4.99 USD
	// Prime Video: buy for 12.99 USD
}

// Pages are fetched as they are needed, here two of them.
func ExampleClient_FilterShows() {
	client := newClient()
	shows := client.FilterShows(context.Background(), marquee.FilterShowsParams{
		Country:  "us",
		ShowType: marquee.Movie,
		YearMax:  marquee.Int(1999),
		OrderBy:  marquee.OrderByPopularityAllTime,
	}, marquee.MaxPages(3))
	for shows.Next() {
		fmt.Println(shows.Show().Title)
	}
	if err := shows.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// The Shining
	// Cinema Paradiso
	// Terminator 2: Judgment Day
	// Princess Mononoke
}

// What leaves within the next week?
func ExampleClient_Changes() {
	client := newClient()
	changes := client.Changes(context.Background(), marquee.ChangesParams{
		Country:    "us",
		ChangeType: marquee.ChangeExpiring,
		ItemType:   marquee.ItemShow,
		To:         time.Now().AddDate(0, 0, 7),
	})
	for changes.Next() {
		fmt.Printf("%s leaves %s\n", changes.Show().Title, changes.Change().Service.Name)
	}
	if err := changes.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Life Is Beautiful leaves Prime Video
	// The Matrix leaves Apple TV
}

// A call can fail in three ways, which ask for different things.
func ExampleServiceError() {
	client := newClient()
	_, err := client.GetShow(context.Background(), "tt9999999", marquee.GetShowParams{})

	var said *marquee.ServiceError
	var unreachable *marquee.ConnectionError
	var breach *marquee.ContractError
	switch {
	case errors.As(err, &said):
		fmt.Println("The service said no:", said.Status, said.Code)
	case errors.As(err, &unreachable):
		fmt.Println("The service could not be reached:", unreachable.Cause)
	case errors.As(err, &breach):
		fmt.Println("Something else answered:", breach.Problem)
	}
	// Output: The service said no: 404 not_found
}

// What is free or on a subscription that the viewer has costs nothing more.
func ExampleStreamingOptions_Cheapest() {
	client := newClient()
	show, err := client.GetShow(context.Background(), "tt0068646", marquee.GetShowParams{Country: "us"})
	if err != nil {
		log.Fatal(err)
	}
	if offer := show.StreamingOptions.Cheapest("us", "netflix"); offer != nil && offer.Price != nil {
		fmt.Println("With Netflix:", offer.Type, "on", offer.Service.Name, "for", offer.Price.Formatted)
	}
	if offer := show.StreamingOptions.Cheapest("us", "netflix", "hbo"); offer != nil {
		fmt.Println("With HBO Max too:", offer.Type, "on", offer.Service.Name)
	}
	// Output:
	// With Netflix: rent on Apple TV for 3.99 USD
	// With HBO Max too: subscription on HBO Max
}

func ExampleShow_EpisodeLink() {
	client := newClient()
	show, err := client.GetShow(context.Background(), "tv/1396", marquee.GetShowParams{Country: "us"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(show.EpisodeLink(marquee.EpisodeChoice{Season: 1, Episode: 2, Country: "us", Service: "netflix"}))
	// Output: https://catalog.example/watch/netflix/us/5001/s1e2/Breaking%20Bad
}

func ExampleClient_Quota() {
	client := newClient()
	if _, err := client.Genres(context.Background(), marquee.LocalizedParams{}); err != nil {
		log.Fatal(err)
	}
	if quota, known := client.Quota(); known {
		fmt.Printf("%d of %d requests are left\n", quota.Remaining(), quota.Granted)
	}
	// Output: 983 of 1000 requests are left
}
