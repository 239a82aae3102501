package marquee

import (
	"encoding/json"
	"net/http"
	"time"
)

// errorBody is how the service says no.
type errorBody struct {
	Message    string `json:"message"`
	Code       string `json:"code"`
	Parameter  string `json:"parameter"`
	Base       string `json:"base"`
	Header     string `json:"header"`
	RetryAfter *int64 `json:"retryAfter"`
	RequestID  string `json:"requestId"`
}

// refusal is the failure of an answer that holds nothing of what was asked for.
func (a *answer) refusal(header http.Header) *failure {
	retryAfter := readRetryAfter(header.Get("Retry-After"), time.Now())
	busy := a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable

	var told errorBody
	if a.status < 400 || json.Unmarshal(a.body, &told) != nil || told.Code == "" || told.Message == "" {
		return &failure{err: a.strange(header), passing: busy, retryAfter: retryAfter}
	}
	if retryAfter == nil && told.RetryAfter != nil {
		pause := time.Duration(*told.RetryAfter) * time.Second
		retryAfter = &pause
	}
	said := &ServiceError{
		URL:       a.url,
		Status:    a.status,
		Code:      told.Code,
		Message:   told.Message,
		Parameter: told.Parameter,
		RequestID: a.requestID,
		Base:      told.Base,
		Header:    told.Header,
	}
	if said.RequestID == "" {
		said.RequestID = told.RequestID
	}
	if retryAfter != nil {
		said.RetryAfter = *retryAfter
	}
	// A quota lasts days or weeks: asking again would only cost time.
	return &failure{err: said, passing: busy && told.Code != "quota_exceeded", retryAfter: retryAfter}
}

// strange is the error of an answer that is neither what was asked for nor an error of the service.
func (a *answer) strange(header http.Header) error {
	if a.status == http.StatusNotModified {
		return a.breach("it says \"not modified\" to a request without a condition", nil)
	}
	if location := header.Get("Location"); location != "" {
		return a.breach("it leads to "+location+", which is not followed, since the key would go along", nil)
	}
	if a.status < 400 {
		return a.breach("its status is neither 200 nor that of an error"+a.glimpse(), nil)
	}
	return a.breach("its status is that of an error, but its body is not"+a.glimpse(), nil)
}
