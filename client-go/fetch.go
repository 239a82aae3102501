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

// fetch asks for a path below the base, as often as it takes, and as the retries and the timeout allow.
func (c *Client) fetch(caller context.Context, pathAndQuery string) (*answer, error) {
	url := c.credentials.base + pathAndQuery
	ctx, cancel := context.WithTimeout(caller, c.timeout)
	defer cancel()
	for retry := 0; ; retry++ {
		got, failed := c.attempt(ctx, url)
		if failed == nil {
			return got, nil
		}
		if ended := caller.Err(); ended != nil {
			return nil, gaveUp(url, ended)
		}
		pause := failed.pause(retry, c.chance())
		if !failed.passing || retry == c.retries || endsWithin(ctx, pause) {
			return nil, failed.err
		}
		if c.sleep(ctx, pause) != nil {
			if ended := caller.Err(); ended != nil {
				return nil, gaveUp(url, ended)
			}
			return nil, failed.err
		}
	}
}

// gaveUp is the error of a call that the caller's context ended.
func gaveUp(url string, ended error) error {
	return fmt.Errorf("marquee: gave up on %s: %w", url, ended)
}

// endsWithin says whether time runs out before the pause is over: then waiting is in vain.
func endsWithin(ctx context.Context, pause time.Duration) bool {
	deadline, limited := ctx.Deadline()
	return limited && time.Until(deadline) < pause
}

// attempt sends one request and reads its answer to the end.
func (c *Client) attempt(ctx context.Context, url string) (*answer, *failure) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, &failure{err: usage("%s cannot be asked for: %v", url, err)}
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
		return nil, broken(ctx, url, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, broken(ctx, url, err)
	}
	c.noteQuota(response.Header)
	got := &answer{url, response.StatusCode, response.Header.Get("X-Request-Id"), body}
	switch {
	case response.StatusCode == http.StatusOK:
		c.keep(url, response.Header.Get("ETag"), body)
		return got, nil
	case response.StatusCode == http.StatusNotModified && known:
		got.body = kept.Body
		return got, nil
	default:
		return nil, got.refusal(response.Header)
	}
}

func (c *Client) kept(url string) (CachedAnswer, bool) {
	if c.cache == nil {
		return CachedAnswer{}, false
	}
	return c.cache.Get(url)
}

func (c *Client) keep(url, tag string, body []byte) {
	if c.cache != nil && tag != "" {
		c.cache.Set(url, CachedAnswer{ETag: tag, Body: body})
	}
}

// broken is the failure of an attempt that brought no whole answer. Where time ran out there is none left to try again.
func broken(ctx context.Context, url string, cause error) *failure {
	timedOut := errors.Is(ctx.Err(), context.DeadlineExceeded)
	return &failure{err: &ConnectionError{URL: url, TimedOut: timedOut, Cause: cause}, passing: !timedOut}
}
