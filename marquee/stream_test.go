package marquee

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"
)

func writeChange(w http.ResponseWriter, number int) {
	fmt.Fprintf(w, "id: %d\nevent: change\n", number)
	fmt.Fprintf(w, `data: {"changeType":"new","showId":"%d","show":{"itemType":"show","showType":"movie","id":"%d"}}`, number, number)
	fmt.Fprint(w, "\n\n")
}

func startStream(t *testing.T, serve http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(serve)
	t.Cleanup(server.Close)
	client, err := New("mq-key-test", WithBaseURL(server.URL+"/v4"))
	if err != nil {
		t.Fatal(err)
	}
	client.sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return client
}

func TestAStreamGoesOnBehindTheLastEvent(t *testing.T) {
	requests := 0
	client := startStream(t, func(w http.ResponseWriter, r *http.Request) {
		requests++
		last, _ := strconv.Atoi(r.Header.Get("Last-Event-ID"))
		if requests == 1 && (r.Header.Get("Last-Event-ID") != "" || r.URL.Query().Get("change_type") != "new,removed") {
			t.Errorf("the first request is %s with %v", r.URL, r.Header)
		}
		if requests%5 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintf(w, "retry: 2000\nid: %d\n\n: heartbeat\n\n", last)
		writeChange(w, last+1)
		// Cut off within an event: it comes again.
		fmt.Fprintf(w, "id: %d\nevent: change\ndata: {", last+2)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	done := errors.New("seen enough")
	var seen []string
	params := StreamParams{Country: "us", ChangeTypes: []ChangeType{ChangeNew, ChangeRemoved}, ItemTypes: []ItemType{ItemShow}}
	err := client.StreamChanges(context.Background(), params, func(change *StreamedChange, since string) error {
		if change.ShowID != change.Show.ID || change.ShowID != since {
			t.Errorf("the change of %s has the show %s and the token %s", change.ShowID, change.Show.ID, since)
		}
		if seen = append(seen, change.ShowID); len(seen) == 20 {
			return done
		}
		return nil
	})
	if !errors.Is(err, done) {
		t.Fatalf("it ended by %v", err)
	}
	for i, id := range seen {
		if id != strconv.Itoa(i+1) {
			t.Fatalf("number %d is the change %s", i+1, id)
		}
	}
}

func TestAStreamEndsByAnErrorThatStays(t *testing.T) {
	requests := 0
	client := startStream(t, func(w http.ResponseWriter, r *http.Request) {
		if requests++; requests == 1 {
			fmt.Fprint(w, "id: 1\n\nevent: expired\ndata: {}\n\n")
			return
		}
		w.Header().Set("X-Error-Code", "token_expired")
		w.WriteHeader(http.StatusGone)
		fmt.Fprint(w, `{"message":"Start again."}`)
	})
	err := client.StreamChanges(context.Background(), StreamParams{Country: "us"}, nil)
	var refused *ServiceError
	if !errors.As(err, &refused) || refused.Code != "token_expired" || requests != 2 {
		t.Fatalf("after %d requests: %v", requests, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := client.StreamChanges(ctx, StreamParams{Country: "us"}, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled: %v", err)
	}
}
