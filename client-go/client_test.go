package marquee

import (
	"errors"
	"net/http"
	"testing"
	"time"
)

func TestOptionsThatCannotBeUsedAreMistakes(t *testing.T) {
	for name, option := range map[string]Option{
		"no HTTP client":        WithHTTPClient(nil),
		"no time":               WithTimeout(0),
		"less than no retries":  WithRetries(-1),
		"an empty address":      WithBaseURL(""),
		"an address of a file":  WithBaseURL("file:///v4"),
		"an address with a key": WithBaseURL("http://catalog.example/v4?key=1"),
	} {
		var mistake *UsageError
		if client, err := New("mq-key-test", option); client != nil || !errors.As(err, &mistake) {
			t.Errorf("%s: %v", name, err)
		}
		if client, err := NewKeyless(option); client != nil || !errors.As(err, &mistake) {
			t.Errorf("%s, without a key: %v", name, err)
		}
	}
}

func TestKeySource(t *testing.T) {
	for key, want := range map[string]KeySource{"mq-key-1": DirectKey, "1": MarketplaceKey} {
		client, err := New(key)
		if err != nil || client.KeySource() != want {
			t.Errorf("%s: %v", key, err)
		}
	}
}

func TestTheHTTPClientThatWasGivenStaysAsItIs(t *testing.T) {
	mine := &http.Client{Timeout: time.Minute}
	client, err := New("mq-key-test", WithHTTPClient(mine))
	if err != nil {
		t.Fatal(err)
	}
	if mine.CheckRedirect != nil {
		t.Error("it was changed")
	}
	if client.http.Timeout != time.Minute {
		t.Error("its settings are lost")
	}
}

func TestRemainingIsNeverLessThanNothing(t *testing.T) {
	if left := (Quota{Granted: 10, Used: 12}).Remaining(); left != 0 {
		t.Errorf("%d requests are left", left)
	}
}
