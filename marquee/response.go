package marquee

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"
)

// decode reads the body as JSON into a value.
func (a *answer) decode(into any) error {
	if err := json.Unmarshal(a.body, into); err != nil {
		return a.breach(err.Error()+a.glimpse(), err)
	}
	return nil
}

// breach is the error of an answer that is not what the contract says.
func (a *answer) breach(problem string, cause error) error {
	return &ContractError{URL: a.url, Status: a.status, RequestID: a.requestID, Problem: problem, Cause: cause}
}

// glimpse shows how the body begins, for whoever has to find out who answered instead.
func (a *answer) glimpse() string {
	const enough = 60
	start := bytes.TrimSpace(a.body)
	if len(start) == 0 {
		return "; it is empty"
	}
	if len(start) > enough {
		start = append(bytes.ToValidUTF8(start[:enough:enough], nil), "…"...)
	}
	return "; it begins with " + string(start)
}

// readShow reads one show.
func readShow(into *Show) reader {
	return func(a *answer) error {
		if err := a.decode(into); err != nil {
			return err
		}
		return a.checkShow(into)
	}
}

// readShows reads a list of shows.
func readShows(into *[]Show) reader {
	return func(a *answer) error {
		if err := a.decode(into); err != nil {
			return err
		}
		return a.checkShows(*into)
	}
}

func (a *answer) checkShows(shows []Show) error {
	if shows == nil {
		return a.breach("there is no list of shows", nil)
	}
	for i := range shows {
		if err := a.checkShow(&shows[i]); err != nil {
			return err
		}
	}
	return nil
}

func (a *answer) checkShow(show *Show) error {
	if show.ID == "" {
		return a.breach("a show has no id", nil)
	}
	return nil
}

// envelope is what pages of all kinds have beside their items.
type envelope struct {
	HasMore    *bool  `json:"hasMore"`
	NextCursor string `json:"nextCursor"`
}

// checkPage holds the page that was asked for by a cursor to the rules of all pages.
func (a *answer) checkPage(told envelope, cursor string) error {
	switch {
	case told.HasMore == nil:
		return a.breach("it does not say whether there are more pages", nil)
	case *told.HasMore && told.NextCursor == "":
		return a.breach("there are more pages, but no cursor for them", nil)
	case *told.HasMore && told.NextCursor == cursor:
		return a.breach("the next page is this page again", nil)
	}
	return nil
}

// next is the cursor of the next page; it is empty on the last one.
func (e envelope) next() string {
	if !*e.HasMore {
		return ""
	}
	return e.NextCursor
}

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
