package marquee

// ShowType tells movies and series apart.
type ShowType string

// The two kinds of shows.
const (
	Movie  ShowType = "movie"
	Series ShowType = "series"
)

// ItemType says how much of a show something is about.
type ItemType string

// The kinds of items.
const (
	ItemShow    ItemType = "show"
	ItemSeason  ItemType = "season"
	ItemEpisode ItemType = "episode"
)

// StreamingOptions are the ways to watch something, by lower-case country code. A country without any has no entry.
type StreamingOptions map[string][]StreamingOption

// Show is a movie or a series. Fields that only the other kind has are left empty.
type Show struct {
	// ItemType is always ItemShow.
	ItemType ItemType `json:"itemType"`
	ShowType ShowType `json:"showType"`
	// ID is the service's own id of the show.
	ID string `json:"id"`
	// IMDbID has the form "tt0068646"; it is empty if there is none.
	IMDbID string `json:"imdbId"`
	// TMDBID has the form "movie/238" or "tv/1396".
	TMDBID string `json:"tmdbId"`
	// Title is in the output language.
	Title    string `json:"title"`
	Overview string `json:"overview"`
	// ReleaseYear of a movie, if it is known.
	ReleaseYear *int `json:"releaseYear,omitempty"`
	// FirstAirYear of a series, if it is known.
	FirstAirYear *int `json:"firstAirYear,omitempty"`
	// LastAirYear of a series, if it is known.
	LastAirYear   *int    `json:"lastAirYear,omitempty"`
	OriginalTitle string  `json:"originalTitle"`
	Genres        []Genre `json:"genres"`
	// Directors of a movie.
	Directors []string `json:"directors,omitempty"`
	// Creators of a series.
	Creators []string `json:"creators,omitempty"`
	Cast     []string `json:"cast"`
	// Rating goes from 1 to 100; 0 means that it is not known.
	Rating int `json:"rating"`
	// Runtime of a movie in minutes, if it is known.
	Runtime *int `json:"runtime,omitempty"`
	// SeasonCount of a series: aired or announced.
	SeasonCount *int `json:"seasonCount,omitempty"`
	// EpisodeCount of a series: aired or announced.
	EpisodeCount     *int             `json:"episodeCount,omitempty"`
	ImageSet         ShowImageSet     `json:"imageSet"`
	StreamingOptions StreamingOptions `json:"streamingOptions"`
	// Seasons of a series, at granularity season or episode.
	Seasons []Season `json:"seasons,omitempty"`
}

// Year is the release year of a movie or the first air year of a series; 0 if it is not known.
func (s *Show) Year() int {
	year := s.ReleaseYear
	if s.ShowType == Series {
		year = s.FirstAirYear
	}
	if year == nil {
		return 0
	}
	return *year
}

// Season is a season of a series.
type Season struct {
	// ItemType is always ItemSeason.
	ItemType         ItemType         `json:"itemType"`
	Title            string           `json:"title"`
	FirstAirYear     int              `json:"firstAirYear"`
	LastAirYear      int              `json:"lastAirYear"`
	StreamingOptions StreamingOptions `json:"streamingOptions"`
	// Episodes are there at granularity episode.
	Episodes []Episode `json:"episodes,omitempty"`
}

// Episode is an episode of a season.
type Episode struct {
	// ItemType is always ItemEpisode.
	ItemType ItemType `json:"itemType"`
	Title    string   `json:"title"`
	// Overview is nil if there is none.
	Overview         *string          `json:"overview,omitempty"`
	AirYear          int              `json:"airYear"`
	StreamingOptions StreamingOptions `json:"streamingOptions"`
}
