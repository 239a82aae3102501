package marquee

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

func TestOptionsThatCannotBeUsedAreMistakes(t *testing.T) {
	for name, option := range map[string]Option{
		"no HTTP client":                     WithHTTPClient(nil),
		"no time":                            WithTimeout(0),
		"less than no retries":               WithRetries(-1),
		"responses without a byte":           WithMaxResponseBytes(0),
		"an empty address":                   WithBaseURL(""),
		"an address of a file":               WithBaseURL("file:///v4"),
		"an address with a key":              WithBaseURL("http://catalog.example/v4?key=1"),
		"an empty query":                     WithBaseURL("http://catalog.example/v4?"),
		"an empty fragment":                  WithBaseURL("http://catalog.example/v4#"),
		"no host":                            WithBaseURL("http:///v4"),
		"an empty marketplace":               WithMarketplace(""),
		"a marketplace that ends the header": WithMarketplace("My:\r\n"),
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

func TestMistakesInAddressesSayWhatIsRightAndTellNoSecret(t *testing.T) {
	for address, problem := range map[string]string{
		"http://user:secret@catalog.example/v4":   "user name or a password",
		"http://secret@catalog.example/v4":        "user name or a password",
		"ftp://user:secret@catalog.example/v4":    "http:// or https://",
		"user:secret@catalog.example/v4":          "http:// or https://",
		"http://user:secret@catalog.example:x/v4": "cannot be read as one",
		"http://catalog.example/v4?token=secret":  "? or #",
		"http://catalog.example/v4#secret":        "? or #",
	} {
		_, err := New("mq-key-test", WithBaseURL(address))
		var mistake *UsageError
		if !errors.As(err, &mistake) || !strings.Contains(err.Error(), problem) ||
			!strings.Contains(err.Error(), "https://catalog.example/v4") {
			t.Errorf("%s: %v", address, err)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("a secret is told: %v", err)
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

func TestTheUserAgentHoldsTheVersion(t *testing.T) {
	var sent string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = r.UserAgent()
		fmt.Fprint(w, goodGenres)
	}))
	defer server.Close()
	client, err := New("mq-key-test", WithBaseURL(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Genres(context.Background(), LocalizedParams{}); err != nil {
		t.Fatal(err)
	}
	if sent != "marquee-go/"+Version {
		t.Errorf("the User-Agent is %q", sent)
	}
}

func TestAnExportSkipsWhatHasNoHandler(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, `{"kind":"export"}`)
		fmt.Fprintln(w, `{"kind":"remove","id":"1"}`)
		fmt.Fprintln(w, `{"kind":"end","complete":true}`)
	}))
	defer server.Close()
	client, err := New("mq-key-test", WithBaseURL(server.URL))
	if err != nil {
		t.Fatal(err)
	}
	removed := []string{}
	handlers := ExportHandlers{Removed: func(id string) error { removed = append(removed, id); return nil }}
	for _, some := range []ExportHandlers{{}, handlers} {
		if err := client.Export(context.Background(), ExportParams{Country: "us"}, some); err != nil {
			t.Fatal(err)
		}
	}
	if len(removed) != 1 || removed[0] != "1" {
		t.Errorf("removed: %v", removed)
	}
}

func TestTheVersionIsThatOfTheOtherClients(t *testing.T) {
	text, err := os.ReadFile("../client/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Version string }
	if err := json.Unmarshal(text, &manifest); err != nil || manifest.Version != Version {
		t.Errorf("the version is %q here and %q there: %v", Version, manifest.Version, err)
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
