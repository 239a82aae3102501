// What's new on my services this week?
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/marquee-catalog/marquee/marquee"
)

func main() {
	client, err := marquee.New(os.Getenv("MARQUEE_KEY"), marquee.WithBaseURL(os.Getenv("MARQUEE_URL")))
	if err != nil {
		log.Fatal(err)
	}
	changes := client.Changes(context.Background(), marquee.ChangesParams{
		Country:        "us",
		Catalogs:       []string{"netflix", "disney", "prime.subscription"},
		ChangeType:     marquee.ChangeNew,
		ItemType:       marquee.ItemShow,
		From:           time.Now().AddDate(0, 0, -7),
		OrderDirection: marquee.Descending,
	}, marquee.MaxItems(10))
	for changes.Next() {
		change, show := changes.Change(), changes.Show()
		day := time.Unix(*change.Timestamp, 0).Format("Mon 2 Jan")
		fmt.Printf("%s  %s (%d) on %s\n", day, show.Title, show.Year(), change.Service.Name)
	}
	if err := changes.Err(); err != nil {
		log.Fatal(err)
	}
}
