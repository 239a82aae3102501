package marquee

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// StreamParams say which changes StreamChanges gets. Country, ChangeType or ChangeTypes, and ItemType or ItemTypes are
// required.
type StreamParams struct {
	Country string
	// ChangeType is a past one: ChangeNew, ChangeUpdated or ChangeRemoved.
	ChangeType ChangeType
	ItemType   ItemType
	// ChangeTypes and ItemTypes are several types in one stream, beside ChangeType and ItemType.
	ChangeTypes []ChangeType
	ItemTypes   []ItemType
	// Catalogs limits to changes on at least one of them, as in FilterShowsParams.
	Catalogs []string
	// ShowType limits to movies or series.
	ShowType ShowType
	// Since is the token to begin behind: of a change of another stream, of a page of changes or of an export. It is "now"
	// if it is not set.
	Since string
	// OutputLanguage is "en" if it is not set.
	OutputLanguage string
}

// StreamedChange is a change with its show.
type StreamedChange struct {
	Change
	Show *Show `json:"show"`
}

// StreamHandler is called with a change and the token behind it: a stream with that as Since goes on there.
type StreamHandler func(change *StreamedChange, since string) error

// StreamChanges calls handle with past changes as they become known, until ctx ends or handle returns an error, which it
// returns. A connection that is lost is opened again and goes on behind the last change: nothing is missed, and nothing
// comes twice. A ServiceError with the code token_expired means that Since is older than what the service keeps. The timeout
// of the client holds for each part that arrives.
func (c *Client) StreamChanges(ctx context.Context, params StreamParams, handle StreamHandler) error {
	var q query
	q.add("country", params.Country)
	q.addList("change_type", words(params.ChangeType, params.ChangeTypes))
	q.addList("item_type", words(params.ItemType, params.ItemTypes))
	q.addList("catalogs", params.Catalogs)
	q.add("show_type", string(params.ShowType))
	q.add("since", params.Since)
	q.add("output_language", params.OutputLanguage)
	url := c.credentials.base + q.after("/changes/stream")
	lastID := ""
	for failures := 0; ; failures++ {
		handled, failed := c.streamPart(ctx, url, &lastID, handle)
		if handled {
			failures = 0
		}
		if ctx.Err() != nil {
			return fmt.Errorf("marquee: gave up on %s: %w", url, ctx.Err())
		}
		if !failed.isTemporary {
			return failed.err
		}
		if c.sleep(ctx, failed.backoff(failures, c.random())) != nil {
			return fmt.Errorf("marquee: gave up on %s: %w", url, ctx.Err())
		}
	}
}

// streamPart reads one connection of a stream to its end, and says whether anything was received and why it ended.
func (c *Client) streamPart(
	caller context.Context, url string, lastID *string, handle StreamHandler,
) (bool, *attemptError) {
	ctx, cancel := context.WithCancel(caller)
	defer cancel()
	idle := time.AfterFunc(c.timeout, cancel)
	defer idle.Stop()
	got, failed := c.openOnce(ctx, url, "Last-Event-ID", *lastID)
	if failed != nil {
		return false, failed
	}
	defer got.Body.Close()
	received := &response{url, got.StatusCode, got.Header.Get("X-Request-Id"), nil}
	lines := bufio.NewReaderSize(got.Body, 64<<10)
	name, id, handled := "", "", false
	var data []byte
	for {
		line, cause := readLine(lines)
		if cause != nil {
			return handled, &attemptError{err: cutOff(caller, ctx, url, cause), isTemporary: true}
		}
		idle.Reset(c.timeout)
		field, value, _ := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			name = string(value)
		case "id":
			id = string(value)
		case "data":
			data = append(data, value...)
		}
		if len(bytes.TrimRight(line, "\r\n")) > 0 {
			continue
		}
		if id != "" {
			*lastID, handled = id, true
		}
		if name == "change" {
			received.body = data
			var change StreamedChange
			if err := json.Unmarshal(data, &change); err != nil || change.Show == nil {
				return handled, &attemptError{err: received.contractError("an event is not a change with its show", err)}
			}
			if err := handle(&change, *lastID); err != nil {
				return handled, &attemptError{err: err}
			}
		}
		name, id, data = "", "", nil
	}
}
