package marquee

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

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
