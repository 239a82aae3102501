package marquee

import (
	"bytes"
	"encoding/json"
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

// decodeShow reads one show.
func (a *answer) decodeShow() (*Show, error) {
	var show Show
	if err := a.decode(&show); err != nil {
		return nil, err
	}
	return &show, a.checkShow(&show)
}

// decodeShows reads a list of shows.
func (a *answer) decodeShows() ([]Show, error) {
	var shows []Show
	if err := a.decode(&shows); err != nil {
		return nil, err
	}
	return shows, a.checkShows(shows)
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
	if show.ShowType != Movie && show.ShowType != Series {
		return a.breach("show "+show.ID+" is neither a movie nor a series", nil)
	}
	return nil
}

// checkPage holds the rules that all pages have in common, and returns the cursor of the next page, if there is one.
func (a *answer) checkPage(sent string, hasMore *bool, nextCursor string) (string, error) {
	switch {
	case hasMore == nil:
		return "", a.breach("it does not say whether there are more pages", nil)
	case !*hasMore:
		return "", nil
	case nextCursor == "":
		return "", a.breach("there are more pages, but no cursor for them", nil)
	case nextCursor == sent:
		return "", a.breach("the next page is this page again", nil)
	}
	return nextCursor, nil
}
