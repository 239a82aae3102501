package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/marquee-catalog/marquee/marquee"
)

func main() {
	client, err := marquee.New(os.Getenv("MARQUEE_KEY"), marquee.WithBaseURL(os.Getenv("MARQUEE_URL")))
	if err != nil {
		log.Fatal(err)
	}
	show, err := client.GetShow(context.Background(), "tt0068646", marquee.GetShowParams{Country: "us"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s (%d) in the United States:\n", show.Title, show.Year())
	for _, offer := range show.StreamingOptions.In("us") {
		fmt.Printf("  %s, %s: %s\n", offer.Service.Name, offer.Type, offer.Link)
	}
}
