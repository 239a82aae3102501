package marquee_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"reflect"
	"sync"
	"testing"

	"github.com/marquee-catalog/marquee/marquee"
)

// gate stands before the service, counts what passes, and remembers the last answer.
type gate struct {
	*httptest.Server
	mutex    sync.Mutex
	requests int
	status   int
	body     []byte
}

func openGate(t *testing.T, address string) *gate {
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{}
	proxy := httputil.NewSingleHostReverseProxy(target)
	pass := proxy.Director
	proxy.Director = func(r *http.Request) {
		pass(r)
		// The transport of the proxy then asks for gzip itself, and takes it off.
		r.Header.Del("Accept-Encoding")
	}
	proxy.ModifyResponse = g.note
	g.Server = httptest.NewServer(proxy)
	t.Cleanup(g.Close)
	return g
}

func (g *gate) note(response *http.Response) error {
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.requests++
	g.status = response.StatusCode
	g.body = body
	return nil
}

// passed is how many requests passed since it was asked last.
func (g *gate) passed() int {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	count := g.requests
	g.requests = 0
	return count
}

// holds checks that a value says all that the last answer said, and nothing else.
func (g *gate) holds(t *testing.T, value any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var said, kept any
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if json.Unmarshal(g.body, &said) != nil || json.Unmarshal(text, &kept) != nil {
		t.Fatalf("the service said %.300s", g.body)
	}
	// The order of a map does not matter, and a list of countries may have come as one.
	if byCode, isMap := said.(map[string]any); isMap && reflect.TypeOf(value) == reflect.TypeOf([]marquee.Country{}) {
		list := []any{}
		for _, country := range kept.([]any) {
			list = append(list, byCode[country.(map[string]any)["countryCode"].(string)])
		}
		said = list
	}
	if !reflect.DeepEqual(said, kept) {
		t.Errorf("the service said\n%.2000s\nand what is left of it is\n%.2000s", g.body, text)
	}
}
