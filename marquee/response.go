package marquee

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

// response is a complete response of the service, its body not yet decoded.
type response struct {
	url       string
	status    int
	requestID string
	body      []byte
}

// decode unmarshals the body as JSON.
func (r *response) decode(into any) error {
	if err := json.Unmarshal(r.body, into); err != nil {
		return r.contractError(err.Error()+r.bodyExcerpt(), err)
	}
	return nil
}

// contractError is the error of a response that breaks the contract.
func (r *response) contractError(problem string, cause error) error {
	return &ContractError{URL: r.url, Status: r.status, RequestID: r.requestID, Problem: problem, Cause: cause}
}

// bodyExcerpt quotes the start of the body: it shows which server answered instead of the service.
func (r *response) bodyExcerpt() string {
	const maxBytes = 60
	start := bytes.TrimSpace(r.body)
	if len(start) == 0 {
		return "; it is empty"
	}
	if len(start) > maxBytes {
		start = append(bytes.ToValidUTF8(start[:maxBytes:maxBytes], nil), "…"...)
	}
	return "; it begins with " + string(start)
}

// decodeShow decodes one show.
func decodeShow(into *Show, shape Shape) decoder {
	return func(r *response) error {
		if err := r.decode(into); err != nil {
			return err
		}
		return r.checkShow(into, shape)
	}
}

// decodePeople decodes a list of people.
func decodePeople(into *[]Person) decoder {
	return func(r *response) error {
		if err := r.decode(into); err != nil {
			return err
		}
		if *into == nil {
			return r.contractError("there is no list of people", nil)
		}
		for _, each := range *into {
			if each.Name == "" {
				return r.contractError("a person has no name", nil)
			}
		}
		return nil
	}
}

// decodeHistory decodes the history of a show.
func decodeHistory(into *ShowHistory) decoder {
	return func(r *response) error {
		if err := r.decode(into); err != nil {
			return err
		}
		if into.ShowID == "" || into.Places == nil {
			return r.contractError("there is no history of a show", nil)
		}
		return nil
	}
}

// decodeCount decodes a count of shows.
func decodeCount(into *ShowCount) decoder {
	return func(r *response) error {
		var body struct {
			Count  *int        `json:"count"`
			Facets *Facets     `json:"facets"`
			Steps  []StepCount `json:"steps"`
		}
		if err := r.decode(&body); err != nil {
			return err
		}
		if body.Count == nil || body.Facets == nil {
			return r.contractError("there is no count with facets", nil)
		}
		*into = ShowCount{*body.Count, *body.Facets, body.Steps}
		return nil
	}
}

// decodeShows decodes a list of shows.
func decodeShows(into *[]Show, shape Shape) decoder {
	return func(r *response) error {
		if err := r.decode(into); err != nil {
			return err
		}
		return r.checkShows(*into, shape)
	}
}

func (r *response) checkShows(shows []Show, shape Shape) error {
	if shows == nil {
		return r.contractError("there is no list of shows", nil)
	}
	for i := range shows {
		if err := r.checkShow(&shows[i], shape); err != nil {
			return err
		}
	}
	return nil
}

func (r *response) checkShow(show *Show, shape Shape) error {
	if show.ID == "" && !shape.isPartial() {
		return r.contractError("a show has no id", nil)
	}
	return nil
}

// envelope holds the fields of every page beside its items.
type envelope struct {
	HasMore    *bool  `json:"hasMore"`
	NextCursor string `json:"nextCursor"`
}

// checkPage checks the fields that every page has; cursor is the one that was requested.
func (r *response) checkPage(got envelope, cursor string) error {
	switch {
	case got.HasMore == nil:
		return r.contractError("it does not say whether there are more pages", nil)
	case *got.HasMore && got.NextCursor == "":
		return r.contractError("there are more pages, but no cursor for them", nil)
	case *got.HasMore && got.NextCursor == cursor:
		return r.contractError("the next page is this page again", nil)
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

// errorBody is the plain JSON body of an error; code and parameter are in headers.
type errorBody struct {
	Message string `json:"message"`
}

// problem is the JSON body of an error as problem details (RFC 9457).
type problem struct {
	Type       string `json:"type"`
	Title      string `json:"title"`
	Status     int    `json:"status"`
	Detail     string `json:"detail"`
	Code       string `json:"code"`
	Parameter  string `json:"parameter"`
	RetryAfter *int64 `json:"retryAfter"`
	RequestID  string `json:"requestId"`
	Base       string `json:"base"`
	Header     string `json:"header"`
}

// decodeProblem reads an error of either form. A message is enough, since other services of this API send nothing else.
// It returns nil for any other body.
func (r *response) decodeProblem(header http.Header) *problem {
	var plain errorBody
	var body problem
	if json.Unmarshal(r.body, &plain) != nil || json.Unmarshal(r.body, &body) != nil {
		return nil
	}
	if body.Detail == "" {
		body.Detail = plain.Message
	}
	if body.Detail == "" {
		return nil
	}
	if body.Code == "" {
		body.Code = header.Get("X-Error-Code")
	}
	if body.Parameter == "" {
		// The text is empty if the header cannot be decoded.
		body.Parameter, _ = url.PathUnescape(header.Get("X-Error-Parameter"))
	}
	return &body
}

// failure turns a response with another status than 200 into an error.
func (r *response) failure(header http.Header) *attemptError {
	retryAfter := parseRetryAfter(header.Get("Retry-After"), time.Now())
	isBusy := r.status == http.StatusTooManyRequests || r.status == http.StatusServiceUnavailable

	body := r.decodeProblem(header)
	if r.status < 400 || body == nil {
		return &attemptError{err: r.unexpectedStatus(header), isTemporary: isBusy, retryAfter: retryAfter}
	}
	if retryAfter == nil && body.RetryAfter != nil {
		pause := time.Duration(*body.RetryAfter) * time.Second
		retryAfter = &pause
	}
	refused := &ServiceError{
		URL:       r.url,
		Status:    r.status,
		Code:      body.Code,
		Type:      body.Type,
		Message:   body.Detail,
		Parameter: body.Parameter,
		RequestID: r.requestID,
		Base:      body.Base,
		Header:    body.Header,
	}
	if refused.RequestID == "" {
		refused.RequestID = body.RequestID
	}
	if retryAfter != nil {
		refused.RetryAfter = *retryAfter
	}
	// A quota resets after days or weeks, so a retry is pointless.
	return &attemptError{err: refused, isTemporary: isBusy && body.Code != "quota_exceeded", retryAfter: retryAfter}
}

// unexpectedStatus is the error of a response that is neither a result nor an error of the service.
func (r *response) unexpectedStatus(header http.Header) error {
	if r.status == http.StatusNotModified {
		return r.contractError("it says \"not modified\" to a request without a condition", nil)
	}
	if location := header.Get("Location"); location != "" {
		return r.contractError("it leads to "+location+", which is not followed, since the key would go along", nil)
	}
	if r.status < 400 {
		return r.contractError("its status is neither 200 nor that of an error"+r.bodyExcerpt(), nil)
	}
	return r.contractError("its status is that of an error, but its body is not"+r.bodyExcerpt(), nil)
}
