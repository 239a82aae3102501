package marquee

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// exchange is a request that must come, and what is answered to it.
type exchange struct {
	Request struct {
		Path    string             `json:"path"`
		Query   map[string]string  `json:"query"`
		Headers map[string]*string `json:"headers"`
	} `json:"request"`
	Answer struct {
		Status  int               `json:"status"`
		Headers map[string]string `json:"headers"`
		JSON    json.RawMessage   `json:"json"`
		Text    *string           `json:"text"`
		Fault   string            `json:"fault"`
	} `json:"answer"`
}

// exchangeServer answers the first request with the first exchange, the second with the second, and so on.
type exchangeServer struct {
	server    *httptest.Server
	exchanges []exchange
	over      chan struct{}

	mutex    sync.Mutex
	came     int
	problems []string
}

func startExchangeServer(t *testing.T, exchanges []exchange) *exchangeServer {
	s := &exchangeServer{exchanges: exchanges, over: make(chan struct{})}
	s.server = httptest.NewUnstartedServer(s)
	// Go sends a request again by itself if a connection that was used before turns out to be gone.
	s.server.Config.SetKeepAlivesEnabled(false)
	s.server.Start()
	t.Cleanup(func() {
		close(s.over)
		s.server.Close()
	})
	return s
}

func (s *exchangeServer) address() string { return s.server.URL }

// check fails the test unless all that had to come came, and nothing else.
func (s *exchangeServer) check(t *testing.T) {
	t.Helper()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, problem := range s.problems {
		t.Error(problem)
	}
	if s.came != len(s.exchanges) {
		t.Errorf("%d requests came, not %d", s.came, len(s.exchanges))
	}
}

func (s *exchangeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	number := s.came
	s.came++
	if number >= len(s.exchanges) {
		s.mutex.Unlock()
		http.Error(w, "more than enough", http.StatusTeapot)
		return
	}
	at := s.exchanges[number]
	for _, problem := range at.differences(r) {
		s.problems = append(s.problems, fmt.Sprintf("request %d: %s", number, problem))
	}
	s.mutex.Unlock()
	at.send(w, r, s.over)
}

// differences are those between the request that came and the one that had to come.
func (e *exchange) differences(r *http.Request) []string {
	var found []string
	differ := func(what string, have, want any) {
		if !reflect.DeepEqual(have, want) {
			found = append(found, fmt.Sprintf("%s is %q, not %q", what, have, want))
		}
	}
	path, queryText, _ := strings.Cut(r.RequestURI, "?")
	differ("the method", r.Method, http.MethodGet)
	differ("the path", path, e.Request.Path)
	differ("prefer", r.Header.Get("Prefer"), "handling=strict")
	differ("accept", r.Header.Get("Accept"), "application/json, application/problem+json")
	values, err := url.ParseQuery(queryText)
	differ("the error of the query", err, error(nil))
	query := map[string]string{}
	for name, given := range values {
		query[name] = strings.Join(given, " and ")
	}
	expected := e.Request.Query
	if expected == nil {
		expected = map[string]string{}
	}
	differ("the query", query, expected)
	for name, value := range e.Request.Headers {
		if value != nil {
			differ(name, r.Header.Get(name), *value)
		} else if given, sent := r.Header[http.CanonicalHeaderKey(name)]; sent {
			found = append(found, fmt.Sprintf("%s is %q, and must not be there", name, given))
		}
	}
	return found
}

func (e *exchange) send(w http.ResponseWriter, r *http.Request, over <-chan struct{}) {
	switch e.Answer.Fault {
	case "":
		e.sendWhole(w)
	case "reset":
		hangUp(w, "")
	case "stall":
		await(r, over)
	case "cut":
		hangUp(w, halfAnAnswer)
	case "stall-body":
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, `[{"id":"crime",`)
		w.(http.Flusher).Flush()
		await(r, over)
	default:
		panic("there is no fault " + e.Answer.Fault)
	}
}

func (e *exchange) sendWhole(w http.ResponseWriter) {
	if e.Answer.JSON != nil {
		w.Header().Set("Content-Type", e.contentType())
	}
	for name, value := range e.Answer.Headers {
		w.Header().Set(name, value)
	}
	w.WriteHeader(e.Answer.Status)
	if e.Answer.JSON != nil {
		_, _ = w.Write(e.Answer.JSON)
	} else if e.Answer.Text != nil {
		fmt.Fprint(w, *e.Answer.Text)
	}
}

// contentType is that of the JSON: errors with a detail are problem details.
func (e *exchange) contentType() string {
	var body struct{ Detail *string }
	if e.Answer.Status >= 400 && json.Unmarshal(e.Answer.JSON, &body) == nil && body.Detail != nil {
		return "application/problem+json"
	}
	return "application/json; charset=utf-8"
}

const halfAnAnswer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n" + `[{"id":"crime",`

// hangUp writes some bytes and closes the connection.
func hangUp(w http.ResponseWriter, last string) {
	connection, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	_, _ = connection.Write([]byte(last))
	_ = connection.Close()
}

// await waits until the client hangs up or the test is over.
func await(r *http.Request, over <-chan struct{}) {
	select {
	case <-r.Context().Done():
	case <-over:
	}
}
