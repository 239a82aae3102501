package marquee

import (
	"context"
	"time"
)

// ChangeType says what happened, or will happen, to an option.
type ChangeType string

// The types of changes: the first three are past, the others to come.
const (
	ChangeNew      ChangeType = "new"
	ChangeUpdated  ChangeType = "updated"
	ChangeRemoved  ChangeType = "removed"
	ChangeExpiring ChangeType = "expiring"
	ChangeUpcoming ChangeType = "upcoming"
)

// Change is something that happened, or will, to the options of one item on one service.
type Change struct {
	ChangeType ChangeType `json:"changeType"`
	ItemType   ItemType   `json:"itemType"`
	// ShowID is the ID of the show that it is about.
	ShowID   string   `json:"showId"`
	ShowType ShowType `json:"showType"`
	// Season is the number of the season, of seasons and episodes.
	Season *int `json:"season,omitempty"`
	// Episode is the number of the episode, of episodes.
	Episode             *int        `json:"episode,omitempty"`
	Service             ServiceInfo `json:"service"`
	StreamingOptionType OptionType  `json:"streamingOptionType"`
	// Addon is there if StreamingOptionType is OptionAddon.
	Addon *Addon `json:"addon,omitempty"`
	// Timestamp is in Unix seconds. It is nil only for changes to come whose date is not known.
	Timestamp *int64 `json:"timestamp,omitempty"`
	// Link is empty only for upcoming changes whose link is not known.
	Link string `json:"link,omitempty"`
	// Country is there only if changes of several countries were asked for.
	Country string `json:"country,omitempty"`
}

// ChangesParams say which changes Changes finds. Country, ChangeType or ChangeTypes, and ItemType or ItemTypes are
// required.
type ChangesParams struct {
	// Country is the one whose changes are returned; or up to ten ("us,gb,de"), or "any" for all countries.
	Country    string
	ChangeType ChangeType
	ItemType   ItemType
	// ChangeTypes and ItemTypes are several types in one order, beside ChangeType and ItemType.
	ChangeTypes []ChangeType
	ItemTypes   []ItemType
	// Since is the token of an earlier page or of an export: past changes after it, in the order in which they became
	// known, so that nothing is missed and nothing comes twice. "now" gets the token of this moment. Not together with
	// From, To and OrderDirection.
	Since string
	// Catalogs limits to changes on at least one of them, as in FilterShowsParams.
	Catalogs []string
	// ShowType limits to movies or series.
	ShowType ShowType
	// From and To bound the time, both inclusive: up to 31 days back for past changes, or ahead for those to come. The
	// zero time leaves a bound at its farthest, or at today.
	From, To time.Time
	// IncludeUnknownDates takes in changes to come whose date is not known.
	IncludeUnknownDates *bool
	// Cursor is where to start: NextCursor of an earlier page, with all else unchanged.
	Cursor string
	// OrderDirection is Ascending if it is not set.
	OrderDirection OrderDirection
	// OutputLanguage is "en" if it is not set.
	OutputLanguage string
	// Shape chooses the members of changes and their shows. Shows are nil if Fields has none of theirs.
	Shape
}

// ChangePage is a page of changes.
type ChangePage struct {
	Changes []Change `json:"changes"`
	// Shows are those that the changes are about, by id, without their seasons.
	Shows map[string]Show `json:"shows"`
	// HasMore says whether there is a next page.
	HasMore bool `json:"hasMore"`
	// NextCursor is the cursor of the next page; it is empty on the last one.
	NextCursor string `json:"nextCursor,omitempty"`
	// Since is the token of the page, if the request had one.
	Since string `json:"since,omitempty"`
}

// ChangesPage gets one page of what Changes iterates over.
func (c *Client) ChangesPage(ctx context.Context, params ChangesParams) (*ChangePage, error) {
	var q query
	q.add("country", params.Country)
	q.addList("change_type", words(params.ChangeType, params.ChangeTypes))
	q.addList("item_type", words(params.ItemType, params.ItemTypes))
	q.addList("catalogs", params.Catalogs)
	q.add("show_type", string(params.ShowType))
	q.addTime("from", params.From)
	q.addTime("to", params.To)
	q.addBool("include_unknown_dates", params.IncludeUnknownDates)
	q.add("since", params.Since)
	q.add("cursor", params.Cursor)
	q.add("order_direction", string(params.OrderDirection))
	q.add("output_language", params.OutputLanguage)
	params.Shape.withShowIDs().add(&q)
	var body struct {
		Changes []Change        `json:"changes"`
		Shows   map[string]Show `json:"shows"`
		Since   string          `json:"since"`
		envelope
	}
	err := c.fetch(ctx, q.after("/changes"), func(r *response) error {
		if err := r.decode(&body); err != nil {
			return err
		}
		if err := r.checkChanges(body.Changes, body.Shows, params.Shape); err != nil {
			return err
		}
		return r.checkPage(body.envelope, params.Cursor)
	})
	if err != nil {
		return nil, err
	}
	return &ChangePage{
		Changes: body.Changes, Shows: body.Shows, HasMore: *body.HasMore, NextCursor: body.next(), Since: body.Since,
	}, nil
}

// words are one word and several as one list.
func words[T ~string](one T, several []T) []string {
	list := make([]string, 0, 1+len(several))
	if one != "" {
		list = append(list, string(one))
	}
	for _, each := range several {
		list = append(list, string(each))
	}
	return list
}

func (r *response) checkChanges(changes []Change, shows map[string]Show, shape Shape) error {
	if changes == nil {
		return r.contractError("there is no list of changes", nil)
	}
	if shows == nil {
		return r.contractError("there are no shows of the changes", nil)
	}
	if shape.isPartial() {
		return nil
	}
	for i := range changes {
		show, found := shows[changes[i].ShowID]
		if !found {
			return r.contractError("there is a change of show "+changes[i].ShowID+", but not that show", nil)
		}
		if err := r.checkShow(&show, shape); err != nil {
			return err
		}
	}
	return nil
}

// Changes iterates over past or coming changes in a country's catalogs, page by page, up to the limits.
func (c *Client) Changes(ctx context.Context, params ChangesParams, limits ...Limit) *ChangeIterator {
	fetch := func(ctx context.Context, cursor string) (page[changeItem], error) {
		params.Cursor = cursor
		got, err := c.ChangesPage(ctx, params)
		if err != nil {
			return page[changeItem]{}, err
		}
		return page[changeItem]{joinShows(got), got.NextCursor}, nil
	}
	return &ChangeIterator{newPager(ctx, params.Cursor, limits, fetch)}
}

// changeItem is a change with the show that it is about.
type changeItem struct {
	change *Change
	show   *Show
}

func joinShows(got *ChangePage) []changeItem {
	shows := make(map[string]*Show, len(got.Shows))
	for id, show := range got.Shows {
		show := show
		shows[id] = &show
	}
	pairs := make([]changeItem, len(got.Changes))
	for i := range got.Changes {
		change := &got.Changes[i]
		pairs[i] = changeItem{change, shows[change.ShowID]}
	}
	return pairs
}

// ChangeIterator iterates over changes, each with its show. It must not be shared between goroutines.
type ChangeIterator struct {
	pager *pager[changeItem]
}

// Next moves to the next change and fetches a page if needed. It returns false at the end and after an error: see Err.
func (it *ChangeIterator) Next() bool { return it.pager.next() }

// Change is the current change.
func (it *ChangeIterator) Change() *Change {
	if at := it.pager.item(); at != nil {
		return at.change
	}
	return nil
}

// Show is the show of the current change.
func (it *ChangeIterator) Show() *Show {
	if at := it.pager.item(); at != nil {
		return at.show
	}
	return nil
}

// Err is the error that ended the iteration, or nil at its end.
func (it *ChangeIterator) Err() error { return it.pager.err }
