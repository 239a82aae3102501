package marquee

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A server that misbehaves in one way each time it is asked. Nothing here is faked: connections are really reset, and
// time really runs out.

const goodGenres = `[{"id":"crime","name":"Crime"}]`

type fault func(w http.ResponseWriter, r *http.Request, over <-chan struct{})

func answers(status int, contentType, body string, headers ...string) fault {
	return func(w http.ResponseWriter, _ *http.Request, _ <-chan struct{}) {
		w.Header().Set("Content-Type", contentType)
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func says(bytes string) fault {
	return func(w http.ResponseWriter, _ *http.Request, _ <-chan struct{}) { hangUp(w, bytes) }
}

// resets closes the connection with a TCP reset.
func resets(w http.ResponseWriter, _ *http.Request, _ <-chan struct{}) {
	connection, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	_ = connection.(*net.TCPConn).SetLinger(0)
	_ = connection.Close()
}

func stallsInHead(_ http.ResponseWriter, r *http.Request, over <-chan struct{}) { await(r, over) }

func stallsInBody(w http.ResponseWriter, r *http.Request, over <-chan struct{}) {
	fmt.Fprint(w, `[{"id":`)
	w.(http.Flusher).Flush()
	await(r, over)
}

// drips never stalls and never comes to an end.
func drips(w http.ResponseWriter, r *http.Request, over <-chan struct{}) {
	fmt.Fprint(w, "[")
	for {
		select {
		case <-r.Context().Done():
			return
		case <-over:
			return
		case <-time.After(time.Millisecond):
			fmt.Fprint(w, " ")
			w.(http.Flusher).Flush()
		}
	}
}

var (
	good        = answers(200, "application/json", goodGenres)
	rateLimited = answers(429, "application/json", `{"detail":"Too fast.","code":"rate_limited"}`, "Retry-After", "0")
	overloaded  = answers(503, "application/json", `{"detail":"Busy.","code":"overloaded"}`, "Retry-After", "0")
	html        = answers(200, "text/html", "<!doctype html><title>Welcome</title>")
	cutJSON     = answers(200, "application/json", `[{"id":"crime","na`)
	badGateway  = answers(502, "text/html", "<h1>Bad gateway</h1>")
	cutBody     = says(halfAnAnswer)
	notHTTP     = says("SSH-2.0-OpenSSH_9.2\r\n")
)

// faultyServer answers with one fault after the other, and with the last one for ever.
func faultyServer(t *testing.T, faults ...fault) (address string, requests *int32) {
	requests = new(int32)
	over := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		number := int(atomic.AddInt32(requests, 1)) - 1
		if number >= len(faults) {
			number = len(faults) - 1
		}
		faults[number](w, r, over)
	}))
	t.Cleanup(func() {
		close(over)
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL, requests
}

// asks for the genres, and fails the test if that does not come to an end by itself.
func genresOf(t *testing.T, address string, timeout time.Duration) ([]Genre, error) {
	t.Helper()
	// Connections are not used twice: Go would send a request again by itself when an old one is gone.
	transport := &http.Transport{DisableKeepAlives: true}
	client, err := New("mq-key-test", WithBaseURL(address), WithTimeout(timeout), WithHTTPClient(&http.Client{Transport: transport}))
	if err != nil {
		t.Fatal(err)
	}
	client.sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	client.random = func() float64 { return 0 }
	type result struct {
		genres []Genre
		err    error
	}
	done := make(chan result, 1)
	go func() {
		genres, err := client.Genres(context.Background(), LocalizedParams{})
		done <- result{genres, err}
	}()
	select {
	case came := <-done:
		return came.genres, came.err
	case <-time.After(30 * time.Second):
		t.Fatal("the call hangs")
		return nil, nil
	}
}

const (
	ample = 20 * time.Second
	scant = time.Second
)

func TestFaultsThatPassAreRetried(t *testing.T) {
	for name, passing := range map[string]fault{
		"a reset": resets, "a cut body": cutBody, "no HTTP": notHTTP, "429": rateLimited, "503": overloaded,
	} {
		passing := passing
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, requests := faultyServer(t, passing, passing, good)
			genres, err := genresOf(t, address, ample)
			if err != nil || len(genres) != 1 {
				t.Errorf("%v, %v came", genres, err)
			}
			if got := atomic.LoadInt32(requests); got != 3 {
				t.Errorf("%d requests came, not 3", got)
			}
		})
	}
}

func TestFaultsThatStayAreTold(t *testing.T) {
	tests := map[string]struct {
		stays    fault
		timeout  time.Duration
		kind     string
		timedOut bool
		requests int32
	}{
		"resets":                  {resets, ample, "connection", false, 3},
		"cut bodies":              {cutBody, ample, "connection", false, 3},
		"no HTTP":                 {notHTTP, ample, "connection", false, 3},
		"429":                     {rateLimited, ample, "service", false, 3},
		"503":                     {overloaded, ample, "service", false, 3},
		"HTML":                    {html, ample, "contract", false, 1},
		"cut JSON":                {cutJSON, ample, "contract", false, 1},
		"a bad gateway":           {badGateway, ample, "contract", false, 1},
		"a stall in the head":     {stallsInHead, scant, "connection", true, 1},
		"a stall in the body":     {stallsInBody, scant, "connection", true, 1},
		"a body without an end":   {drips, scant, "connection", true, 1},
		"a timeout after a retry": {nil, scant, "connection", true, 2},
	}
	for name, each := range tests {
		each := each
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults := []fault{each.stays}
			if each.stays == nil {
				faults = []fault{overloaded, stallsInHead}
			}
			address, requests := faultyServer(t, faults...)
			_, err := genresOf(t, address, each.timeout)
			told := describe(err)
			if told["kind"] != each.kind {
				t.Fatalf("the error is %v, of kind %v, not %s", err, told["kind"], each.kind)
			}
			if each.kind == "connection" && told["timedOut"] != each.timedOut {
				t.Errorf("timedOut is %v", told["timedOut"])
			}
			if got := atomic.LoadInt32(requests); got != each.requests {
				t.Errorf("%d requests came, not %d", got, each.requests)
			}
		})
	}
}

func TestAPortThatNobodyListensOn(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	address := server.URL
	server.Close()
	_, err := genresOf(t, address, ample)
	var connection *ConnectionError
	if !errors.As(err, &connection) || connection.TimedOut {
		t.Fatalf("the error is %v", err)
	}
	var cause *net.OpError
	if !errors.As(err, &cause) {
		t.Errorf("the cause is lost: %v", err)
	}
}

func TestTheTimeoutOfTheClientIsNotThatOfTheCallersContext(t *testing.T) {
	for name, stall := range map[string]fault{"in the head": stallsInHead, "in the body": stallsInBody} {
		address, _ := faultyServer(t, stall)
		_, err := genresOf(t, address, 100*time.Millisecond)
		var connection *ConnectionError
		if !errors.As(err, &connection) || !connection.TimedOut || connection.Cause == nil {
			t.Errorf("%s: the timeout of the client is %v", name, err)
		}
		if errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: the timeout of the client is taken for the caller's: %v", name, err)
		}

		client, err := New("mq-key-test", WithBaseURL(address))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		_, err = client.Genres(ctx, LocalizedParams{})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || errors.As(err, &connection) {
			t.Errorf("%s: the end of the caller's context is %v", name, err)
		}
	}
}

func TestADeadlineOfTheNetworkIsNotThatOfTheCallersContext(t *testing.T) {
	err := error(&ConnectionError{Cause: &net.OpError{Op: "dial", Err: context.DeadlineExceeded}})
	if errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v is taken for the end of the caller's context", err)
	}
}

// lateContext has passed its deadline without having noticed.
type lateContext struct{ context.Context }

func (lateContext) Deadline() (time.Time, bool) { return time.Now().Add(-time.Millisecond), true }

func TestADeadlineCountsBeforeTheContextHasNoticed(t *testing.T) {
	if err := contextError(lateContext{context.Background()}); err != context.DeadlineExceeded {
		t.Errorf("it ended with %v", err)
	}
	if err := contextError(context.Background()); err != nil {
		t.Errorf("a context without an end ended with %v", err)
	}
}

func TestTheKeyIsInNoError(t *testing.T) {
	for _, each := range []fault{resets, html, overloaded, stallsInHead} {
		address, _ := faultyServer(t, each)
		_, err := genresOf(t, address, 100*time.Millisecond)
		if err == nil || strings.Contains(err.Error(), "mq-key-test") {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestAnswersThatAreNoErrorsAreToldForWhatTheyAre(t *testing.T) {
	for problem, sent := range map[string]fault{
		"neither 200 nor that of an error": answers(202, "text/plain", "later"),
		"it says \"not modified\"":         answers(304, "text/plain", "", "ETag", `"1"`),
		"it leads to /elsewhere":           answers(307, "text/plain", "", "Location", "/elsewhere"),
	} {
		address, _ := faultyServer(t, sent)
		_, err := genresOf(t, address, ample)
		var breach *ContractError
		if !errors.As(err, &breach) || !strings.Contains(breach.Problem, problem) {
			t.Errorf("the error is %v, not that %s", err, problem)
		}
	}
}
