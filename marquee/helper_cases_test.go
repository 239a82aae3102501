package marquee

import (
	"encoding/json"
	"os"
	"testing"
	"time"
)

// The cases of helpers that all clients must pass: ../spec/cases/helpers.

type helperCase struct {
	Name      string          `json:"name"`
	Show      Show            `json:"show"`
	Offer     StreamingOption `json:"offer"`
	Arguments struct {
		Country       string     `json:"country"`
		Subscriptions []string   `json:"subscriptions"`
		Season        int        `json:"season"`
		Episode       int        `json:"episode"`
		Service       string     `json:"service"`
		Type          OptionType `json:"type"`
		Now           int64      `json:"now"`
		Days          *int       `json:"days"`
	} `json:"arguments"`
	Expect json.RawMessage `json:"expect"`
}

// helpers are what is run for the cases of a file, with what comes out as cases write it.
var helpers = map[string]func(helperCase) any{
	"cheapest-offer.json": func(c helperCase) any {
		if offer := c.Show.StreamingOptions.Cheapest(c.Arguments.Country, c.Arguments.Subscriptions...); offer != nil {
			return offer.Link
		}
		return nil
	},
	"offers-by-type.json": func(c helperCase) any {
		links := map[OptionType][]string{
			OptionSubscription: {}, OptionFree: {}, OptionRent: {}, OptionBuy: {}, OptionAddon: {},
		}
		for kind, offers := range c.Show.StreamingOptions.ByType(c.Arguments.Country) {
			for _, offer := range offers {
				links[kind] = append(links[kind], offer.Link)
			}
		}
		return links
	},
	"is-leaving-soon.json": func(c helperCase) any {
		within := Soon
		if c.Arguments.Days != nil {
			within = time.Duration(*c.Arguments.Days) * 24 * time.Hour
		}
		return c.Offer.LeavingSoon(time.Unix(c.Arguments.Now, 0), within)
	},
	"episode-link.json": func(c helperCase) any {
		link := c.Show.EpisodeLink(EpisodeChoice{
			Season: c.Arguments.Season, Episode: c.Arguments.Episode, Country: c.Arguments.Country,
			Service: c.Arguments.Service, Type: c.Arguments.Type,
		})
		if link == "" {
			return nil
		}
		return link
	},
}

func TestCasesOfHelpers(t *testing.T) {
	const folder = "../spec/cases/helpers"
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(helpers) {
		t.Errorf("there are %d files for %d helpers", len(files), len(helpers))
	}
	for _, file := range files {
		help, known := helpers[file.Name()]
		if !known {
			t.Fatalf("there is no helper for %s", file.Name())
		}
		text, err := os.ReadFile(folder + "/" + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		var read struct {
			Cases []helperCase `json:"cases"`
		}
		if err := json.Unmarshal(text, &read); err != nil || len(read.Cases) == 0 {
			t.Fatalf("%s: no cases can be read: %v", file.Name(), err)
		}
		for _, each := range read.Cases {
			t.Run(file.Name()+"/"+each.Name, func(t *testing.T) {
				match(t, "it", each.Expect, help(each))
			})
		}
	}
}
