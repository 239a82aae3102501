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

const (
	firstStep   = 500 * time.Millisecond
	longestStep = 8 * time.Second
	// longestPause is beyond every timeout, and still leaves room to add a step.
	longestPause = math.MaxUint32 * time.Second
)

// failure is why an attempt failed, and what that means for the next.
type failure struct {
	err error
	// passing says that the same request may fare better later: the service was busy, or the connection failed.
	passing bool
	// retryAfter is what the service said of when; nil if it said nothing.
	retryAfter *time.Duration
}

// pause is how long to wait before a retry, the first being 0. Steps double, and half of each is left to chance, so that
// clients that failed together do not come back together. The service's own word takes the place of the other half.
func (f *failure) pause(retry int, chance float64) time.Duration {
	step := longestStep
	if retry < 4 {
		step = firstStep << retry
	}
	least := step / 2
	random := time.Duration(chance * float64(least))
	if f.retryAfter != nil {
		least = *f.retryAfter
	}
	return least + random
}

// readRetryAfter reads the header, which holds whole seconds or a date; nil if it holds neither.
func readRetryAfter(value string, now time.Time) *time.Duration {
	value = strings.TrimSpace(value)
	var pause time.Duration
	// Too many seconds to count are the most that can be counted.
	if seconds, err := strconv.ParseUint(value, 10, 32); err == nil || errors.Is(err, strconv.ErrRange) {
		pause = time.Duration(seconds) * time.Second
	} else if date, err := http.ParseTime(value); err != nil {
		return nil
	} else if date.After(now) {
		pause = date.Sub(now)
	}
	if pause > longestPause {
		pause = longestPause
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
