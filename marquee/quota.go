package marquee

import (
	"net/http"
	"strconv"
)

// Quota is where a key stands on its plan.
type Quota struct {
	// Granted is the number of requests that the plan allows.
	Granted int64
	// Used is the number of requests that were counted so far.
	Used int64
	// Reset is when counting starts anew, in Unix seconds.
	Reset int64
}

// Remaining is how many requests are left.
func (q Quota) Remaining() int64 {
	if q.Used > q.Granted {
		return 0
	}
	return q.Granted - q.Used
}

// readQuota reads the quota headers of an answer. Answers to a key that is not accepted have none.
func readQuota(header http.Header) (Quota, bool) {
	var numbers [3]int64
	for i, name := range [...]string{"X-Quota-Granted", "X-Quota-Used", "X-Quota-Reset"} {
		number, err := strconv.ParseInt(header.Get(name), 10, 64)
		if err != nil {
			return Quota{}, false
		}
		numbers[i] = number
	}
	return Quota{Granted: numbers[0], Used: numbers[1], Reset: numbers[2]}, true
}
