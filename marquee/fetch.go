package marquee

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// decoder takes the result of a call from a response. It fails with a ContractError.
type decoder func(*response) error

// fetch sends GET for a path below the base URL, with retries, within the timeout.
func (c *Client) fetch(caller context.Context, pathAndQuery string, decode decoder) error {
	url := c.credentials.base + pathAndQuery
	ctx, cancel := context.WithTimeout(caller, c.timeout)
	defer cancel()
	for retry := 0; ; retry++ {
		failed := c.attempt(ctx, url, decode)
		if failed == nil {
			return nil
		}
		pause := failed.backoff(retry, c.random())
		if failed.isTemporary && retry < c.retries && !endsBefore(ctx, pause) && c.sleep(ctx, pause) == nil {
			continue
		}
		if err := contextError(caller); err != nil {
			return fmt.Errorf("marquee: gave up on %s: %w", url, err)
		}
		return failed.err
	}
}

// contextError is ctx.Err(), or DeadlineExceeded as soon as the deadline has passed: a connection has the same deadline,
// and may fail shortly before the context is cancelled.
func contextError(ctx context.Context) error {
	if deadline, limited := ctx.Deadline(); limited && ctx.Err() == nil && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// endsBefore says whether the deadline comes before the end of a pause.
func endsBefore(ctx context.Context, pause time.Duration) bool {
	deadline, limited := ctx.Deadline()
	return limited && time.Until(deadline) < pause
}

// attempt sends one request and decodes its response.
func (c *Client) attempt(ctx context.Context, url string, decode decoder) *attemptError {
	request, failed := c.newRequest(ctx, url)
	if failed != nil {
		return failed
	}
	cached, isCached := c.getCached(url)
	if isCached {
		request.Header.Set("If-None-Match", cached.ETag)
	}

	got, err := c.http.Do(request)
	if err != nil {
		return connectionFailure(ctx, url, err)
	}
	defer got.Body.Close()
	body, err := c.readBody(got.Body)
	if err != nil {
		return connectionFailure(ctx, url, err)
	}
	c.updateQuota(got.Header)
	if int64(len(body)) > c.maxBytes {
		return &attemptError{err: &ResponseTooLargeError{
			URL: url, Status: got.StatusCode, RequestID: got.Header.Get("X-Request-Id"), Limit: c.maxBytes,
		}}
	}
	received := &response{url, got.StatusCode, got.Header.Get("X-Request-Id"), body}
	switch {
	case received.status == http.StatusNotModified && isCached:
		received.body = cached.Body
	case received.status != http.StatusOK:
		return received.failure(got.Header)
	}
	if err := decode(received); err != nil {
		return &attemptError{err: err}
	}
	c.setCached(received, got.Header.Get("ETag"))
	return nil
}

// newRequest is a GET with the key and the headers of every request.
func (c *Client) newRequest(ctx context.Context, url string) (*http.Request, *attemptError) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, &attemptError{err: usage("%s cannot be requested: %v", url, err)}
	}
	if c.credentials.apiKey != "" {
		request.Header.Set(c.credentials.header, c.credentials.apiKey)
	}
	// Errors come as problem details (RFC 9457), with all that the service says of them.
	request.Header.Set("Accept", "application/json, application/problem+json")
	request.Header.Set("User-Agent", userAgent)
	// With strict handling the service refuses unknown parameters instead of ignoring them.
	request.Header.Set("Prefer", "handling=strict")
	return request, nil
}

// readBody reads a body up to the limit, and one byte more, which tells one that is too large from one that just fits.
func (c *Client) readBody(body io.Reader) ([]byte, error) {
	limit := c.maxBytes
	if limit < math.MaxInt64 {
		limit++
	}
	return io.ReadAll(io.LimitReader(body, limit))
}

func (c *Client) getCached(url string) (CachedAnswer, bool) {
	if c.cache == nil {
		return CachedAnswer{}, false
	}
	return c.cache.Get(url)
}

func (c *Client) setCached(received *response, etag string) {
	if c.cache != nil && etag != "" {
		c.cache.Set(received.url, CachedAnswer{ETag: etag, Body: received.body})
	}
}

// connectionFailure is the failure of an attempt without a complete response.
func connectionFailure(ctx context.Context, url string, cause error) *attemptError {
	timedOut := errors.Is(contextError(ctx), context.DeadlineExceeded)
	return &attemptError{err: &ConnectionError{URL: url, TimedOut: timedOut, Cause: cause}, isTemporary: true}
}

// attemptError is why an attempt failed, and whether to retry.
type attemptError struct {
	err error
	// isTemporary is true for a busy service and for a connection that failed: a retry may succeed.
	isTemporary bool
	// retryAfter is the pause that the service asked for; nil if it did not.
	retryAfter *time.Duration
}

const (
	minBackoff = 500 * time.Millisecond
	maxBackoff = 8 * time.Second
	// maxRetryAfter is beyond every timeout, and a backoff added to it does not overflow.
	maxRetryAfter = math.MaxUint32 * time.Second
)

// backoff is the pause before a retry, the first being 0: exponential, with half of it random, so that clients that
// failed together do not retry together. A Retry-After takes the place of the fixed half.
func (e *attemptError) backoff(retry int, random float64) time.Duration {
	step := maxBackoff
	if retry < 4 {
		step = minBackoff << retry
	}
	fixed := step / 2
	jitter := time.Duration(random * float64(fixed))
	if e.retryAfter != nil {
		fixed = *e.retryAfter
	}
	return fixed + jitter
}

// parseRetryAfter reads the header, which holds whole seconds or a date; nil if it holds neither.
func parseRetryAfter(value string, now time.Time) *time.Duration {
	value = strings.TrimSpace(value)
	var pause time.Duration
	// On overflow, seconds is the largest number.
	if seconds, err := strconv.ParseUint(value, 10, 32); err == nil || errors.Is(err, strconv.ErrRange) {
		pause = time.Duration(seconds) * time.Second
	} else if date, err := http.ParseTime(value); err != nil {
		return nil
	} else if date.After(now) {
		pause = date.Sub(now)
	}
	if pause > maxRetryAfter {
		pause = maxRetryAfter
	}
	return &pause
}

// sleep waits, unless the context ends first.
func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
