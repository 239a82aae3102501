// Where can I watch this?
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/marquee-catalog/marquee/marquee"
)

func main() {
	client, err := marquee.New(os.Getenv("MARQUEE_KEY"), marquee.WithBaseURL(os.Getenv("MARQUEE_URL")))
	if err != nil {
		log.Fatal(err)
	}
	title := strings.Join(os.Args[1:], " ")
	shows, err := client.SearchTitle(context.Background(), marquee.SearchTitleParams{Title: title, Country: "us"})
	if err != nil {
		log.Fatal(err)
	}
	if len(shows) == 0 {
		log.Fatalf("There is no show called %q.", title)
	}
	show := shows[0]
	fmt.Printf("%s (%d)\n", show.Title, show.Year())
	for _, offer := range show.StreamingOptions.In("us") {
		fmt.Printf("  %s: %s", offer.Service.Name, offer.Type)
		if offer.Price != nil {
			fmt.Printf(" for %s", offer.Price.Formatted)
		}
		if offer.LeavingSoon(time.Now(), marquee.Soon) {
			fmt.Print(", leaving soon")
		}
		fmt.Println()
	}
	if cheapest := show.StreamingOptions.Cheapest("us", "netflix", "disney"); cheapest != nil {
		fmt.Printf("Cheapest, with Netflix and Disney+: %s\n", cheapest.Link)
	}
}
