package marquee

import (
	"errors"
	"testing"
	"time"
)

func TestRetryAfterOfTheBodyCountsWhereTheHeaderIsMissing(t *testing.T) {
	address, _ := faultyServer(t, answers(429, "application/json", `{"detail":"Later.","code":"quota_exceeded","retryAfter":90}`))
	_, err := genresOf(t, address, ample)
	var said *ServiceError
	if !errors.As(err, &said) || said.RetryAfter != 90*time.Second {
		t.Errorf("the error is %+v", err)
	}
}

func TestRetryAfterIsWholeSecondsOrADate(t *testing.T) {
	now := time.Date(2026, 11, 15, 8, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"7": 7 * time.Second, " 7 ": 7 * time.Second, "0": 0,
		"Sun, 15 Nov 2026 08:01:30 GMT": 90 * time.Second,
		"Sun, 15 Nov 2026 07:59:59 GMT": 0,
		"99999999999999999999999":       maxRetryAfter,
		"Fri, 31 Dec 9999 23:59:59 GMT": maxRetryAfter,
	} {
		if got := parseRetryAfter(value, now); got == nil || *got != want {
			t.Errorf("%q is %v, not %v", value, got, want)
		}
	}
	for _, value := range []string{"", "soon", "-1", "1.5"} {
		if got := parseRetryAfter(value, now); got != nil {
			t.Errorf("%q is %v", value, *got)
		}
	}
}
