// What is leaving my services within two weeks?
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
		Country:             "us",
		Catalogs:            []string{"netflix", "disney", "prime"},
		ChangeType:          marquee.ChangeExpiring,
		ItemType:            marquee.ItemShow,
		To:                  time.Now().AddDate(0, 0, 14),
		IncludeUnknownDates: marquee.Bool(true),
	}, marquee.MaxItems(10))
	for changes.Next() {
		change, show := changes.Change(), changes.Show()
		day := "any day now"
		if change.Timestamp != nil {
			day = time.Unix(*change.Timestamp, 0).Format("Mon 2 Jan")
		}
		fmt.Printf("%s  %s (%s) leaves %s\n", day, show.Title, change.StreamingOptionType, change.Service.Name)
	}
	if err := changes.Err(); err != nil {
		log.Fatal(err)
	}
}
