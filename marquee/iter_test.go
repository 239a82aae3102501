//go:build go1.23

package marquee

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
)

// allShows are both kinds of iterators as one: the ids of their shows. A range loop calls them in the same way.
var allShows = map[string]func(ctx context.Context, c *Client, yield func(id string, err error) bool){
	"shows": func(ctx context.Context, c *Client, yield func(string, error) bool) {
		c.FilterShows(ctx, FilterShowsParams{Country: "us"}).All()(func(show *Show, err error) bool {
			if err != nil {
				return yield("", err)
			}
			return yield(show.ID, nil)
		})
	},
	"changes": func(ctx context.Context, c *Client, yield func(string, error) bool) {
		params := ChangesParams{Country: "us", ChangeType: ChangeNew, ItemType: ItemShow}
		c.Changes(ctx, params).All()(func(item ChangeWithShow, err error) bool {
			if err != nil {
				return yield("", err)
			}
			if item.Change.ShowID != item.Show.ID {
				return yield("", fmt.Errorf("the change of %s has show %s", item.Change.ShowID, item.Show.ID))
			}
			return yield(item.Show.ID, nil)
		})
	},
}

func TestAllYieldsTheItemsOfAllPages(t *testing.T) {
	for name, all := range allShows {
		server := startPagedServer(t, 3)
		items := 0
		all(context.Background(), server.client(t), func(id string, err error) bool {
			items++
			if err != nil || id != fmt.Sprint(items) {
				t.Errorf("%s: item %d is show %s: %v", name, items, id, err)
			}
			return true
		})
		if items != 6 || server.count() != 3 {
			t.Errorf("%s: %d items came of %d pages", name, items, server.count())
		}
	}
}

func TestLeavingALoopOverAllFetchesNoMorePages(t *testing.T) {
	for name, all := range allShows {
		server := startPagedServer(t, 3)
		items := 0
		all(context.Background(), server.client(t), func(string, error) bool {
			items++
			return items < 2
		})
		if items != 2 || server.count() != 1 {
			t.Errorf("%s: %d items came of %d pages", name, items, server.count())
		}
	}
}

func TestAllYieldsAnErrorLastAndOnce(t *testing.T) {
	for name, all := range allShows {
		server := startPagedServer(t, 3)
		ctx, cancel := context.WithCancel(context.Background())
		server.onPage = func(number int, r *http.Request) {
			if number == 2 {
				cancel()
				<-r.Context().Done()
			}
		}
		items, failures := 0, 0
		all(ctx, server.client(t), func(_ string, err error) bool {
			switch {
			case err == nil && failures == 0:
				items++
			case errors.Is(err, context.Canceled):
				failures++
			default:
				t.Errorf("%s: %v", name, err)
			}
			return true
		})
		if items != 2 || failures != 1 {
			t.Errorf("%s: %d items and %d errors came", name, items, failures)
		}
	}
}
