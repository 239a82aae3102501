package marquee

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

func TestAResponseBodyMayBeAsLargeAsTheLimitAndNoLarger(t *testing.T) {
	const limit = 1000
	for size, fits := range map[int]bool{limit - 1: true, limit: true, limit + 1: false, 100 * limit: false} {
		body := goodGenres + strings.Repeat(" ", size-len(goodGenres))
		for status, isError := range map[int]bool{200: false, 500: true} {
			address, requests := faultyServer(t, answers(status, "application/json", body, "X-Request-Id", "r1"))
			client, err := New("mq-key-test", WithBaseURL(address), WithMaxResponseBytes(limit))
			if err != nil {
				t.Fatal(err)
			}
			_, err = client.Genres(context.Background(), LocalizedParams{})
			var tooLarge *ResponseTooLargeError
			if errors.As(err, &tooLarge) == fits {
				t.Errorf("%d bytes with status %d: %v", size, status, err)
			}
			if fits && (err != nil) != isError {
				t.Errorf("%d bytes with status %d: %v", size, status, err)
			}
			if !fits && (tooLarge.Limit != limit || tooLarge.Status != status || tooLarge.RequestID != "r1") {
				t.Errorf("the error is %+v", tooLarge)
			}
			if got := atomic.LoadInt32(requests); got != 1 {
				t.Errorf("%d requests came, not 1", got)
			}
		}
	}
}

func TestTheLimitCanBeTheLargestNumber(t *testing.T) {
	address, _ := faultyServer(t, good)
	client, err := New("mq-key-test", WithBaseURL(address), WithMaxResponseBytes(math.MaxInt64))
	if err != nil {
		t.Fatal(err)
	}
	if genres, err := client.Genres(context.Background(), LocalizedParams{}); err != nil || len(genres) != 1 {
		t.Errorf("%v, %v", genres, err)
	}
}

func TestTheLimitHoldsForABodyWithoutAnEnd(t *testing.T) {
	address, _ := faultyServer(t, drips)
	client, err := New("mq-key-test", WithBaseURL(address), WithMaxResponseBytes(5))
	if err != nil {
		t.Fatal(err)
	}
	var tooLarge *ResponseTooLargeError
	if _, err := client.Genres(context.Background(), LocalizedParams{}); !errors.As(err, &tooLarge) {
		t.Errorf("the error is %v", err)
	}
}

func TestTheLimitCountsDecompressedBytes(t *testing.T) {
	address, _ := faultyServer(t, func(w http.ResponseWriter, _ *http.Request, _ <-chan struct{}) {
		w.Header().Set("Content-Encoding", "gzip")
		compressed := gzip.NewWriter(w)
		fmt.Fprint(compressed, strings.Repeat(" ", 1<<20))
		_ = compressed.Close()
	})
	client, err := New("mq-key-test", WithBaseURL(address), WithMaxResponseBytes(100_000))
	if err != nil {
		t.Fatal(err)
	}
	var tooLarge *ResponseTooLargeError
	if _, err := client.Genres(context.Background(), LocalizedParams{}); !errors.As(err, &tooLarge) {
		t.Errorf("the error is %v", err)
	}
}
