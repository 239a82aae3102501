package marquee

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// ExportParams say what Export gets. Country is required.
type ExportParams struct {
	Country string
	// Since is the token of an earlier export: only what was altered after it is exported.
	Since string
	// SeriesGranularity is GranularityEpisode if it is not set.
	SeriesGranularity Granularity
	// OutputLanguage is "en" if it is not set.
	OutputLanguage string
	// Cursor is where an export that was cut off goes on.
	Cursor string
}

// ExportHead is the first line of an export.
type ExportHead struct {
	Kind              string      `json:"kind"`
	Country           string      `json:"country"`
	SeriesGranularity Granularity `json:"seriesGranularity"`
	OutputLanguage    string      `json:"outputLanguage"`
	// From is the token that was asked for; it is empty in a whole export.
	From string `json:"from,omitempty"`
	// Since is the token of the export, for the next one.
	Since string `json:"since"`
}

// ExportRemoval names a show that can no longer be watched in the country.
type ExportRemoval struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
}

type exportCheckpoint struct {
	Kind   string `json:"kind"`
	Cursor string `json:"cursor"`
}

type exportEnd struct {
	Kind     string `json:"kind"`
	Complete bool   `json:"complete"`
	Shows    int    `json:"shows"`
	Cursor   string `json:"cursor,omitempty"`
}

// ExportHandlers are called with what an export holds, in its order. An error of theirs ends the export. What has no
// handler is skipped.
type ExportHandlers struct {
	// Head is called first and once.
	Head func(ExportHead) error
	// Show may be called twice for a show if the export was cut off and went on: the later one counts.
	Show func(*Show) error
	// Removed is called for a show that left the country, if Since is set.
	Removed func(id string) error
}

// withDefaults puts functions that do nothing in place of absent handlers.
func (h ExportHandlers) withDefaults() ExportHandlers {
	if h.Head == nil {
		h.Head = func(ExportHead) error { return nil }
	}
	if h.Show == nil {
		h.Show = func(*Show) error { return nil }
	}
	if h.Removed == nil {
		h.Removed = func(string) error { return nil }
	}
	return h
}

// maxLineBytes is far above the longest line of an export, a series of thousands of episodes.
const maxLineBytes = 64 << 20

// Export gets all shows of a country or, with Since, those that were altered or left after an earlier export. One that is
// cut off goes on where it was. The timeout of the client holds for each part that arrives, not for the whole.
func (c *Client) Export(ctx context.Context, params ExportParams, handlers ExportHandlers) error {
	handlers = handlers.withDefaults()
	isFirstPart := true
	for failures := 0; ; {
		end, err := c.exportPart(ctx, &params, &failures, func(head ExportHead) error {
			if !isFirstPart {
				return nil
			}
			isFirstPart = false
			return handlers.Head(head)
		}, handlers)
		var cut *ConnectionError
		switch {
		case err == nil && end.Complete:
			return nil
		case err == nil:
			params.Cursor = end.Cursor
		case !errors.As(err, &cut) || failures >= c.retries || ctx.Err() != nil:
			return err
		default:
			failed := &attemptError{err: err, isTemporary: true}
			if c.sleep(ctx, failed.backoff(failures, c.random())) != nil {
				return fmt.Errorf("marquee: gave up on an export: %w", ctx.Err())
			}
			failures++
		}
	}
}

// exportPart sends one request and reads its lines. It sets the cursor of the parameters at each checkpoint.
func (c *Client) exportPart(
	caller context.Context, params *ExportParams, failures *int, head func(ExportHead) error, handlers ExportHandlers,
) (*exportEnd, error) {
	var q query
	q.add("country", params.Country)
	q.add("since", params.Since)
	q.add("series_granularity", string(params.SeriesGranularity))
	q.add("output_language", params.OutputLanguage)
	q.add("cursor", params.Cursor)
	url := c.credentials.base + q.after("/catalog/export")
	ctx, cancel := context.WithCancel(caller)
	defer cancel()
	idle := time.AfterFunc(c.timeout, cancel)
	defer idle.Stop()
	got, err := c.openStream(ctx, url)
	if err != nil {
		return nil, err
	}
	defer got.Body.Close()
	received := &response{url, got.StatusCode, got.Header.Get("X-Request-Id"), nil}
	lines := bufio.NewReaderSize(got.Body, 64<<10)
	for {
		line, cause := readLine(lines)
		if cause != nil {
			return nil, cutOff(caller, ctx, url, cause)
		}
		idle.Reset(c.timeout)
		var of struct {
			Kind string `json:"kind"`
		}
		received.body = line
		if err := received.decode(&of); err != nil {
			return nil, err
		}
		switch of.Kind {
		case "":
			var show Show
			if err := decodeShow(&show, Shape{})(received); err != nil {
				return nil, err
			}
			err = handlers.Show(&show)
		case "export":
			var first ExportHead
			if err = json.Unmarshal(line, &first); err == nil {
				err = head(first)
			}
		case "remove":
			var removal ExportRemoval
			if err = json.Unmarshal(line, &removal); err == nil {
				err = handlers.Removed(removal.ID)
			}
		case "checkpoint":
			var checkpoint exportCheckpoint
			err = json.Unmarshal(line, &checkpoint)
			params.Cursor, *failures = checkpoint.Cursor, 0
		case "end":
			var end exportEnd
			err = json.Unmarshal(line, &end)
			return &end, err
		}
		if err != nil {
			return nil, err
		}
	}
}

// readLine reads a whole line. It fails at the end of the input, also within a line.
func readLine(lines *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := lines.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLineBytes {
			return nil, fmt.Errorf("a line is longer than %d bytes", maxLineBytes)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// cutOff is the error of an export whose lines ended early.
func cutOff(caller, ctx context.Context, url string, cause error) error {
	if err := caller.Err(); err != nil {
		return fmt.Errorf("marquee: gave up on %s: %w", url, err)
	}
	return &ConnectionError{URL: url, TimedOut: ctx.Err() != nil, Cause: cause}
}

// openStream sends a request until its body begins, with retries. The caller closes the body.
func (c *Client) openStream(ctx context.Context, url string) (*http.Response, error) {
	for retry := 0; ; retry++ {
		got, failed := c.openOnce(ctx, url, "", "")
		if failed == nil {
			return got, nil
		}
		if !failed.isTemporary || retry >= c.retries || c.sleep(ctx, failed.backoff(retry, c.random())) != nil {
			return nil, failed.err
		}
	}
}

// openOnce sends a request, with one more header if its value is not empty.
func (c *Client) openOnce(ctx context.Context, url, header, value string) (*http.Response, *attemptError) {
	request, failed := c.newRequest(ctx, url)
	if failed != nil {
		return nil, failed
	}
	if value != "" {
		request.Header.Set(header, value)
	}
	got, err := c.http.Do(request)
	if err != nil {
		return nil, connectionFailure(ctx, url, err)
	}
	c.updateQuota(got.Header)
	if got.StatusCode == http.StatusOK {
		return got, nil
	}
	defer got.Body.Close()
	body, err := c.readBody(got.Body)
	if err != nil {
		return nil, connectionFailure(ctx, url, err)
	}
	received := &response{url, got.StatusCode, got.Header.Get("X-Request-Id"), body}
	return nil, received.failure(got.Header)
}
