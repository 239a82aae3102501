package marquee

import (
	"context"
	"testing"
)

func TestMemoryCacheForgetsWhatWasNotUsedForLongest(t *testing.T) {
	cache := NewMemoryCache(2)
	cache.Set("a", CachedAnswer{ETag: "1"})
	cache.Set("b", CachedAnswer{ETag: "2"})
	cache.Get("a")
	cache.Set("c", CachedAnswer{ETag: "3"})
	cache.Set("a", CachedAnswer{ETag: "4"})
	for url, tag := range map[string]string{"a": "4", "b": "", "c": "3"} {
		if got, found := cache.Get(url); got.ETag != tag || found != (tag != "") {
			t.Errorf("%s: %+v, %v", url, got, found)
		}
	}
}

func TestMemoryCacheHoldsAtLeastOneAnswer(t *testing.T) {
	cache := NewMemoryCache(0)
	cache.Set("a", CachedAnswer{ETag: "1"})
	if _, found := cache.Get("a"); !found {
		t.Error("it holds nothing")
	}
}

func TestAnAnswerThatBreaksTheContractIsNotKept(t *testing.T) {
	cache := NewMemoryCache(2)
	address, _ := faultyServer(t, answers(200, "text/html", "<title>Welcome</title>", "ETag", `"1"`))
	client, err := New("mq-key-test", WithBaseURL(address), WithCache(cache))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Genres(context.Background(), LocalizedParams{}); err == nil {
		t.Error("HTML was taken for genres")
	}
	if _, found := cache.Get(address + "/genres"); found {
		t.Error("HTML was kept")
	}
}
