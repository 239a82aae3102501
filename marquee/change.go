package marquee

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
