package marquee

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// MirrorParams say what a Mirror copies. Country is required.
type MirrorParams struct {
	Country string
	// SeriesGranularity is GranularityEpisode if it is not set.
	SeriesGranularity Granularity
	// OutputLanguage is "en" if it is not set.
	OutputLanguage string
}

// MirrorCopy is a copy of a country as it can be stored, as JSON for instance.
type MirrorCopy struct {
	// Since is the token up to which the copy is complete.
	Since string `json:"since"`
	Shows []Show `json:"shows"`
}

// MirrorSync says what a synchronization did.
type MirrorSync struct {
	// Updated is the number of shows that came or were altered.
	Updated int
	// Removed is the number of shows that left.
	Removed int
	// Whole says whether the whole country was fetched: the first time, and when the last synchronization was longer
	// ago than the service keeps changes.
	Whole bool
}

// Mirror is a copy of a country in memory that Sync keeps in step with the service. A synchronization that fails leaves
// it as it was before. It is safe for use by several goroutines.
type Mirror struct {
	client *Client
	params MirrorParams
	// syncing is held by the synchronization that runs.
	syncing sync.Mutex
	mutex   sync.RWMutex
	shows   map[string]*Show
	since   string
	now     func() time.Time
}

// Mirror makes a copy of a country: empty, or the one that was stored before, until its first Sync.
func (c *Client) Mirror(params MirrorParams, stored *MirrorCopy) *Mirror {
	m := &Mirror{client: c, params: params, shows: map[string]*Show{}, now: time.Now}
	if stored != nil {
		m.since = stored.Since
		for i := range stored.Shows {
			m.shows[stored.Shows[i].ID] = &stored.Shows[i]
		}
	}
	return m
}

// Len is the number of shows.
func (m *Mirror) Len() int {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return len(m.shows)
}

// Since is the token up to which the copy is complete; it is empty before the first Sync.
func (m *Mirror) Since() string {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.since
}

// Show is a show by its own id.
func (m *Mirror) Show(id string) (show Show, found bool) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	stored, found := m.shows[id]
	if !found {
		return Show{}, false
	}
	return m.refreshed(stored), true
}

// Copy is the whole copy, to be stored and given to Client.Mirror at the next start.
func (m *Mirror) Copy() MirrorCopy {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	copied := MirrorCopy{Since: m.since, Shows: make([]Show, 0, len(m.shows))}
	for _, show := range m.shows {
		copied.Shows = append(copied.Shows, m.refreshed(show))
	}
	return copied
}

// Sync fetches what was altered since the last time; the whole country the first time, and when the service no longer has
// what happened since.
func (m *Mirror) Sync(ctx context.Context) (MirrorSync, error) {
	m.syncing.Lock()
	defer m.syncing.Unlock()
	since := m.Since()
	if since == "" {
		return m.fetch(ctx, "")
	}
	done, err := m.fetch(ctx, since)
	var refusal *ServiceError
	if errors.As(err, &refusal) && refusal.Status == http.StatusGone {
		return m.fetch(ctx, "")
	}
	return done, err
}

func (m *Mirror) fetch(ctx context.Context, since string) (MirrorSync, error) {
	var token string
	altered := map[string]*Show{}
	err := m.client.Export(ctx, ExportParams{
		Country: m.params.Country, Since: since, SeriesGranularity: m.params.SeriesGranularity,
		OutputLanguage: m.params.OutputLanguage,
	}, ExportHandlers{
		Head:    func(head ExportHead) error { token = head.Since; return nil },
		Show:    func(show *Show) error { altered[show.ID] = show; return nil },
		Removed: func(id string) error { altered[id] = nil; return nil },
	})
	if err != nil {
		return MirrorSync{}, err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	done := MirrorSync{Whole: since == ""}
	if done.Whole {
		m.shows = map[string]*Show{}
	}
	for id, show := range altered {
		if show != nil {
			m.shows[id] = show
			done.Updated++
		} else if _, found := m.shows[id]; found {
			delete(m.shows, id)
			done.Removed++
		}
	}
	m.since = token
	return done, nil
}

// soonSeconds is how long before its end an option expires soon.
const soonSeconds = 31 * 86400

// refreshed is a copy of a show with ExpiresSoon as the service would say it now: time alone alters it, and so it is in no
// synchronization.
func (m *Mirror) refreshed(show *Show) Show {
	from := m.now().Unix() + soonSeconds
	refresh := func(byCountry map[string][]StreamingOption) map[string][]StreamingOption {
		if byCountry == nil {
			return nil
		}
		copied := make(map[string][]StreamingOption, len(byCountry))
		for country, options := range byCountry {
			options = append([]StreamingOption{}, options...)
			for i := range options {
				if options[i].ExpiresOn != nil {
					options[i].ExpiresSoon = *options[i].ExpiresOn <= from
				}
			}
			copied[country] = options
		}
		return copied
	}
	copied := *show
	copied.StreamingOptions = refresh(show.StreamingOptions)
	copied.Seasons = append(show.Seasons[:0:0], show.Seasons...)
	for s := range copied.Seasons {
		season := &copied.Seasons[s]
		season.StreamingOptions = refresh(season.StreamingOptions)
		season.Episodes = append(season.Episodes[:0:0], season.Episodes...)
		for e := range season.Episodes {
			season.Episodes[e].StreamingOptions = refresh(season.Episodes[e].StreamingOptions)
		}
	}
	return copied
}
