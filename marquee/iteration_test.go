package marquee

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// pagedServer has this many pages of two items each, of shows and of changes, and counts how many are fetched.
type pagedServer struct {
	*httptest.Server
	pages   int
	fetched int32
	// onPage, if it is set, is called before a page is sent, with its number from 1 on.
	onPage func(number int, r *http.Request)
}

func startPagedServer(t *testing.T, pages int) *pagedServer {
	s := &pagedServer{pages: pages}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *pagedServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	atomic.AddInt32(&s.fetched, 1)
	number := 1
	if cursor := r.URL.Query().Get("cursor"); cursor != "" {
		_, _ = fmt.Sscanf(cursor, "%d:", &number)
	}
	if s.onPage != nil {
		s.onPage(number, r)
	}
	first, second := 2*number-1, 2*number
	if r.URL.Path == "/v4/changes" {
		fmt.Fprintf(w, `{"changes":[%s,%s],`, changeJSON(first), changeJSON(second))
		fmt.Fprintf(w, `"shows":{"%d":%s,"%d":%s}`, first, showJSON(first), second, showJSON(second))
	} else {
		fmt.Fprintf(w, `{"shows":[%s,%s]`, showJSON(first), showJSON(second))
	}
	if number < s.pages {
		fmt.Fprintf(w, `,"hasMore":true,"nextCursor":"%d:a & b"}`, number+1)
	} else {
		fmt.Fprint(w, `,"hasMore":false}`)
	}
}

// count is how many pages were fetched so far.
func (s *pagedServer) count() int { return int(atomic.LoadInt32(&s.fetched)) }

func showJSON(id int) string {
	return fmt.Sprintf(`{"itemType":"show","showType":"movie","id":"%d","title":"A show"}`, id)
}

func changeJSON(showID int) string {
	return fmt.Sprintf(`{"changeType":"new","itemType":"show","showId":"%d","showType":"movie"}`, showID)
}

func (s *pagedServer) client(t *testing.T) *Client {
	t.Helper()
	client, err := New("mq-key-test", WithBaseURL(s.URL+"/v4"))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// walk is what both iterators have in common.
type walk interface {
	Next() bool
	Show() *Show
	Err() error
}

var walks = map[string]func(context.Context, *Client, ...Limit) walk{
	"shows": func(ctx context.Context, c *Client, limits ...Limit) walk {
		return c.FilterShows(ctx, FilterShowsParams{Country: "us"}, limits...)
	},
	"changes": func(ctx context.Context, c *Client, limits ...Limit) walk {
		return c.Changes(ctx, ChangesParams{Country: "us", ChangeType: ChangeNew, ItemType: ItemShow}, limits...)
	},
}

func TestALimitOfPagesFetchesThatManyOrAllThereAre(t *testing.T) {
	const all = 4
	for name, start := range walks {
		for limit := 0; limit <= all+2; limit++ {
			server := startPagedServer(t, all)
			want := limit
			if want > all {
				want = all
			}
			it := start(context.Background(), server.client(t), MaxPages(limit))
			items := 0
			for it.Next() {
				items++
				if id := fmt.Sprint(items); it.Show().ID != id {
					t.Errorf("%s: item %s is show %s", name, id, it.Show().ID)
				}
			}
			if err := it.Err(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if server.count() != want || items != 2*want {
				t.Errorf("%s: with a limit of %d of %d pages, %d were fetched with %d items", name, limit, all, server.count(), items)
			}
			if it.Next() || it.Show() != nil {
				t.Errorf("%s: an iterator at its end goes on", name)
			}
		}
	}
}

func TestAPageIsFetchedOnlyWhenItIsNeeded(t *testing.T) {
	for name, start := range walks {
		server := startPagedServer(t, 3)
		it := start(context.Background(), server.client(t))
		for items, want := range []int{0, 1, 1, 2, 2, 3, 3} {
			if items > 0 && !it.Next() {
				t.Fatalf("%s: there is no item %d: %v", name, items, it.Err())
			}
			if server.count() != want {
				t.Errorf("%s: %d pages were fetched for %d items, not %d", name, server.count(), items, want)
			}
		}
	}
}

func TestANegativeLimitIsAMistake(t *testing.T) {
	server := startPagedServer(t, 1)
	it := server.client(t).FilterShows(context.Background(), FilterShowsParams{}, MaxItems(-1))
	var mistake *UsageError
	if it.Next() || !errors.As(it.Err(), &mistake) || server.count() != 0 {
		t.Errorf("it went on: %v, %d requests", it.Err(), server.count())
	}
}

func TestCancellingInTheMiddleOfAPageStopsTheWalk(t *testing.T) {
	for name, start := range walks {
		server := startPagedServer(t, 3)
		ctx, cancel := context.WithCancel(context.Background())
		it := start(ctx, server.client(t))
		if !it.Next() {
			t.Fatal(it.Err())
		}
		cancel()
		if it.Next() || !errors.Is(it.Err(), context.Canceled) {
			t.Errorf("%s: it went on, or failed otherwise: %v", name, it.Err())
		}
		if server.count() != 1 {
			t.Errorf("%s: %d pages were fetched, not 1", name, server.count())
		}
	}
}

func TestCancellingWhileAPageIsFetchedEndsTheRequest(t *testing.T) {
	for name, start := range walks {
		server := startPagedServer(t, 3)
		ctx, cancel := context.WithCancel(context.Background())
		hungUp := make(chan struct{})
		server.onPage = func(number int, r *http.Request) {
			if number == 2 {
				cancel()
				// The test would hang here if the client did not hang up.
				<-r.Context().Done()
				close(hungUp)
			}
		}
		it := start(ctx, server.client(t))
		items := 0
		for it.Next() {
			items++
		}
		<-hungUp
		if items != 2 || !errors.Is(it.Err(), context.Canceled) {
			t.Errorf("%s: %d items came, then %v", name, items, it.Err())
		}
		if server.count() != 2 {
			t.Errorf("%s: %d pages were fetched, not 2", name, server.count())
		}
	}
}

func TestCancellingDuringAPauseEndsTheCall(t *testing.T) {
	address, requests := faultyServer(t, answers(503, "application/json", `{"detail":"Busy.","code":"overloaded"}`, "Retry-After", "20"))
	client, err := New("mq-key-test", WithBaseURL(address))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	client.random = func() float64 { cancel(); return 0 }
	if _, err := client.Genres(ctx, LocalizedParams{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if *requests != 1 {
		t.Errorf("%d requests came, not 1", *requests)
	}
}
