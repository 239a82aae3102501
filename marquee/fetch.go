package marquee

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// answer is a whole answer of the service, its body not yet read as JSON.
type answer struct {
	url       string
	status    int
	requestID string
	body      []byte
}

// reader takes from an answer what was asked for, or says how the answer breaks the contract.
type reader func(*answer) error

// fetch asks for a path below the base, as often as it takes, and as the retries and the timeout allow.
func (c *Client) fetch(caller context.Context, pathAndQuery string, read reader) error {
	url := c.credentials.base + pathAndQuery
	ctx, cancel := context.WithTimeout(caller, c.timeout)
	defer cancel()
	for retry := 0; ; retry++ {
		failed := c.attempt(ctx, url, read)
		if failed == nil {
			return nil
		}
		pause := failed.pause(retry, c.chance())
		if failed.passing && retry < c.retries && !endsWithin(ctx, pause) && c.sleep(ctx, pause) == nil {
			continue
		}
		if err := endOf(caller); err != nil {
			return fmt.Errorf("marquee: gave up on %s: %w", url, err)
		}
		return failed.err
	}
}

// endOf is why a context is over, or nil if it is not. A connection knows the deadline too, and may give up in the moment
// before the context itself does.
func endOf(ctx context.Context) error {
	if deadline, limited := ctx.Deadline(); limited && ctx.Err() == nil && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// endsWithin says whether time runs out before the pause is over: then waiting is in vain.
func endsWithin(ctx context.Context, pause time.Duration) bool {
	deadline, limited := ctx.Deadline()
	return limited && time.Until(deadline) < pause
}

// attempt sends one request and reads its answer to the end.
func (c *Client) attempt(ctx context.Context, url string, read reader) *failure {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return &failure{err: usage("%s cannot be asked for: %v", url, err)}
	}
	if c.credentials.apiKey != "" {
		request.Header.Set(c.credentials.header, c.credentials.apiKey)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "marquee-go")
	// A parameter that the service does not know is to be an error, rather than passed over.
	request.Header.Set("Prefer", "handling=strict")
	kept, known := c.kept(url)
	if known {
		request.Header.Set("If-None-Match", kept.ETag)
	}

	response, err := c.http.Do(request)
	if err != nil {
		return broken(ctx, url, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return broken(ctx, url, err)
	}
	c.noteQuota(response.Header)
	got := &answer{url, response.StatusCode, response.Header.Get("X-Request-Id"), body}
	switch {
	case got.status == http.StatusNotModified && known:
		got.body = kept.Body
	case got.status != http.StatusOK:
		return got.refusal(response.Header)
	}
	if err := read(got); err != nil {
		return &failure{err: err}
	}
	c.keep(got, response.Header.Get("ETag"))
	return nil
}

func (c *Client) kept(url string) (CachedAnswer, bool) {
	if c.cache == nil {
		return CachedAnswer{}, false
	}
	return c.cache.Get(url)
}

func (c *Client) keep(got *answer, tag string) {
	if c.cache != nil && tag != "" {
		c.cache.Set(got.url, CachedAnswer{ETag: tag, Body: got.body})
	}
}

// broken is the failure of an attempt that brought no whole answer.
func broken(ctx context.Context, url string, cause error) *failure {
	timedOut := errors.Is(endOf(ctx), context.DeadlineExceeded)
	return &failure{err: &ConnectionError{URL: url, TimedOut: timedOut, Cause: cause}, passing: true}
}
