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
}

// ChangesParams say which changes Changes finds. Country, ChangeType and ItemType are required.
type ChangesParams struct {
	Country    string
	ChangeType ChangeType
	ItemType   ItemType
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
}

// ChangesPage gets one page of the changes that Changes walks through.
func (c *Client) ChangesPage(ctx context.Context, params ChangesParams) (*ChangePage, error) {
	var q query
	q.add("country", params.Country)
	q.add("change_type", string(params.ChangeType))
	q.add("item_type", string(params.ItemType))
	q.addList("catalogs", params.Catalogs)
	q.add("show_type", string(params.ShowType))
	q.addTime("from", params.From)
	q.addTime("to", params.To)
	q.addBool("include_unknown_dates", params.IncludeUnknownDates)
	q.add("cursor", params.Cursor)
	q.add("order_direction", string(params.OrderDirection))
	q.add("output_language", params.OutputLanguage)
	var told struct {
		Changes []Change        `json:"changes"`
		Shows   map[string]Show `json:"shows"`
		envelope
	}
	err := c.fetch(ctx, q.after("/changes"), func(a *answer) error {
		if err := a.decode(&told); err != nil {
			return err
		}
		if err := a.checkChanges(told.Changes, told.Shows); err != nil {
			return err
		}
		return a.checkPage(told.envelope, params.Cursor)
	})
	if err != nil {
		return nil, err
	}
	return &ChangePage{Changes: told.Changes, Shows: told.Shows, HasMore: *told.HasMore, NextCursor: told.next()}, nil
}

func (a *answer) checkChanges(changes []Change, shows map[string]Show) error {
	if changes == nil {
		return a.breach("there is no list of changes", nil)
	}
	if shows == nil {
		return a.breach("there are no shows of the changes", nil)
	}
	for i := range changes {
		show, found := shows[changes[i].ShowID]
		if !found {
			return a.breach("there is a change of show "+changes[i].ShowID+", but not that show", nil)
		}
		if err := a.checkShow(&show); err != nil {
			return err
		}
	}
	return nil
}

// Changes walks through what happened, or will, in a country's catalogs, page after page, as far as the limits allow.
func (c *Client) Changes(ctx context.Context, params ChangesParams, limits ...Limit) *ChangeIterator {
	fetch := func(ctx context.Context, cursor string) (page[changeOfShow], error) {
		params.Cursor = cursor
		got, err := c.ChangesPage(ctx, params)
		if err != nil {
			return page[changeOfShow]{}, err
		}
		return page[changeOfShow]{withShows(got), got.NextCursor}, nil
	}
	return &ChangeIterator{newPager(ctx, params.Cursor, limits, fetch)}
}

// changeOfShow is a change with the show that it is about.
type changeOfShow struct {
	change *Change
	show   *Show
}

func withShows(got *ChangePage) []changeOfShow {
	shows := make(map[string]*Show, len(got.Shows))
	for id, show := range got.Shows {
		show := show
		shows[id] = &show
	}
	pairs := make([]changeOfShow, len(got.Changes))
	for i := range got.Changes {
		change := &got.Changes[i]
		pairs[i] = changeOfShow{change, shows[change.ShowID]}
	}
	return pairs
}

// ChangeIterator walks through changes, each with its show. It is to be used by one goroutine.
type ChangeIterator struct {
	pager *pager[changeOfShow]
}

// Next steps to the next change, fetching a page if need be. It is false at the end, and when something failed: see
// Err.
func (it *ChangeIterator) Next() bool { return it.pager.next() }

// Change is the change that Next stepped to.
func (it *ChangeIterator) Change() *Change {
	if at := it.pager.item(); at != nil {
		return at.change
	}
	return nil
}

// Show is the show that the change is about.
func (it *ChangeIterator) Show() *Show {
	if at := it.pager.item(); at != nil {
		return at.show
	}
	return nil
}

// Err is what ended the walk, or nil if it came to its end.
func (it *ChangeIterator) Err() error { return it.pager.err }
