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
	// Aliases are alternative titles, if they were included.
	Aliases []string `json:"aliases,omitempty"`
	// OriginalLanguage is an ISO 639-1 code, if it was included and is known.
	OriginalLanguage string `json:"originalLanguage,omitempty"`
	// Popularity by country, if it was included.
	Popularity map[string]Popularity `json:"popularity,omitempty"`
	// BestOffer is the cheapest option by country, if it was included.
	BestOffer map[string]StreamingOption `json:"bestOffer,omitempty"`
	// History is when it was live, by country, if it was included.
	History map[string][]PlaceHistory `json:"history,omitempty"`
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
	// Number of the season, from 1, if it was included.
	Number int `json:"number,omitempty"`
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
	// Number of the episode, from 1, if it was included.
	Number int `json:"number,omitempty"`
}

// OptionType says how a service lets something be watched.
type OptionType string

// The types of streaming options.
const (
	OptionSubscription OptionType = "subscription"
	OptionFree         OptionType = "free"
	OptionRent         OptionType = "rent"
	OptionBuy          OptionType = "buy"
	// OptionAddon is for subscribers of an addon, or channel, of the service.
	OptionAddon OptionType = "addon"
)

// Quality is the best video quality of an option.
type Quality string

// The video qualities, from the lowest to the highest.
const (
	SD  Quality = "sd"
	HD  Quality = "hd"
	QHD Quality = "qhd"
	UHD Quality = "uhd"
)

// StreamingOption is one way to watch something in one country.
type StreamingOption struct {
	Service ServiceInfo `json:"service"`
	Type    OptionType  `json:"type"`
	// Addon is there if Type is OptionAddon.
	Addon *Addon `json:"addon,omitempty"`
	// Link leads to the item in the service's web app.
	Link string `json:"link"`
	// VideoLink leads to the player; it is empty if it is not known.
	VideoLink string `json:"videoLink,omitempty"`
	// Quality is empty if it is not known.
	Quality   Quality    `json:"quality,omitempty"`
	Audios    []Locale   `json:"audios"`
	Subtitles []Subtitle `json:"subtitles"`
	// Price of renting or buying. A series may lack it where only its seasons or episodes have a price.
	Price *Price `json:"price,omitempty"`
	// ExpiresSoon says that it ends within 31 days, or shortly on a day that is not known (ExpiresOn is nil).
	ExpiresSoon bool `json:"expiresSoon"`
	// ExpiresOn is when it ends, in Unix seconds, if that is known.
	ExpiresOn *int64 `json:"expiresOn,omitempty"`
	// AvailableSince is when it was first seen, in Unix seconds.
	AvailableSince int64 `json:"availableSince"`
	// Provenance are the sources that state it, if they were included.
	Provenance []Provenance `json:"provenance,omitempty"`
}

// Provenance is a source that states an option.
type Provenance struct {
	Source string `json:"source"`
	// FirstConfirmed is since when it states the option, in Unix seconds.
	FirstConfirmed int64 `json:"firstConfirmed"`
	// LastConfirmed is when its last complete feed for the option's country and service was imported; nil if there was none since.
	LastConfirmed *int64 `json:"lastConfirmed,omitempty"`
}

// Popularity of a show in a country by span of time: higher is more popular.
type Popularity struct {
	AllTime   *float64 `json:"alltime,omitempty"`
	LastYear  *float64 `json:"1year,omitempty"`
	LastMonth *float64 `json:"1month,omitempty"`
	LastWeek  *float64 `json:"1week,omitempty"`
}

// Price is what renting or buying costs.
type Price struct {
	// Amount is a decimal number, such as "2.99".
	Amount string `json:"amount"`
	// Currency is an ISO 4217 code.
	Currency string `json:"currency"`
	// Formatted is amount and currency, such as "2.99 EUR".
	Formatted string `json:"formatted"`
}

// Locale is a language, and where it is spoken if that matters.
type Locale struct {
	// Language is an ISO 639-2 or 639-3 code, such as "eng".
	Language string `json:"language"`
	// Region is an ISO 3166-1 alpha-3 or UN M49 code, such as "BRA" or "419"; it may be empty.
	Region string `json:"region,omitempty"`
}

// Subtitle is a subtitle track.
type Subtitle struct {
	// ClosedCaptions says that it describes sounds too.
	ClosedCaptions bool   `json:"closedCaptions"`
	Locale         Locale `json:"locale"`
}

// Country is a country of the catalog.
type Country struct {
	// CountryCode is an ISO 3166-1 alpha-2 code in lower case.
	CountryCode string `json:"countryCode"`
	Name        string `json:"name"`
	// Services come with the most popular first.
	Services []Service `json:"services"`
}

// ServiceInfo is a streaming service as it is in a country.
type ServiceInfo struct {
	// ID is what catalogs and top lists are asked for by.
	ID       string `json:"id"`
	Name     string `json:"name"`
	HomePage string `json:"homePage"`
	// ThemeColorCode is a hex code, such as "#e50914".
	ThemeColorCode string          `json:"themeColorCode"`
	ImageSet       ServiceImageSet `json:"imageSet"`
	// TMDBProviderIDs are its ids in the provider lists of TMDB, if they were included.
	TMDBProviderIDs []int `json:"tmdbProviderIds,omitempty"`
}

// Service is a streaming service in a country, with all that it offers there.
type Service struct {
	ServiceInfo
	StreamingOptionTypes StreamingOptionTypes `json:"streamingOptionTypes"`
	Addons               []Addon              `json:"addons"`
}

// StreamingOptionTypes says which types of options a service has in a country.
type StreamingOptionTypes struct {
	Addon        bool `json:"addon"`
	Buy          bool `json:"buy"`
	Rent         bool `json:"rent"`
	Free         bool `json:"free"`
	Subscription bool `json:"subscription"`
}

// Addon is a channel that is subscribed to through a service.
type Addon struct {
	// ID is the last part of a catalog of the form "prime.addon.hbomaxus".
	ID       string `json:"id"`
	Name     string `json:"name"`
	HomePage string `json:"homePage"`
	// ThemeColorCode is a hex code, such as "#e50914".
	ThemeColorCode string          `json:"themeColorCode"`
	ImageSet       ServiceImageSet `json:"imageSet"`
}

// ShowHistory is when a show was live in a country.
type ShowHistory struct {
	ShowID  string `json:"showId"`
	Country string `json:"country"`
	// Places are ordered by season, episode, service, option type and addon.
	Places []PlaceHistory `json:"places"`
}

// PlaceHistory is when a show, a season or an episode was live on a service, by option type and addon.
type PlaceHistory struct {
	ItemType ItemType `json:"itemType"`
	// Season is the number of the season, of seasons and episodes.
	Season int `json:"season,omitempty"`
	// Episode is the number of the episode, of episodes.
	Episode             int         `json:"episode,omitempty"`
	Service             ServiceInfo `json:"service"`
	StreamingOptionType OptionType  `json:"streamingOptionType"`
	// Addon is there if StreamingOptionType is OptionAddon.
	Addon *Addon `json:"addon,omitempty"`
	// Spans are the times in which it was live, the earliest first.
	Spans []Span `json:"spans"`
}

// Span is a time in which something was live without a break.
type Span struct {
	// From is when it began, in Unix seconds.
	From int64 `json:"from"`
	// To is when it ended; nil while it is live.
	To *int64 `json:"to,omitempty"`
	// Prices are empty where there are none.
	Prices []PriceSpan `json:"prices"`
}

// PriceSpan is a price, and when it held.
type PriceSpan struct {
	// From is since when, in Unix seconds.
	From int64 `json:"from"`
	// To is until when; nil while it holds.
	To *int64 `json:"to,omitempty"`
	// Quality is empty if it is not known.
	Quality Quality `json:"quality,omitempty"`
	Price   Price   `json:"price"`
}

// ShowCount is how many shows pass filters, and how many of them have each value of some facets.
type ShowCount struct {
	Count  int    `json:"count"`
	Facets Facets `json:"facets"`
	// Steps are the counts of CountShowsParams.Steps, in their order.
	Steps []StepCount `json:"steps,omitempty"`
}

// StepCount is how many shows there are with another value of a filter.
type StepCount struct {
	Filter string `json:"filter"`
	Value  string `json:"value"`
	Count  int    `json:"count"`
}

// Facets are counts by value, the highest first. Values that no show has are left out.
type Facets struct {
	Services  []FacetCount `json:"services,omitempty"`
	ShowTypes []FacetCount `json:"showTypes,omitempty"`
	Genres    []FacetCount `json:"genres,omitempty"`
	Years     []FacetCount `json:"years,omitempty"`
	Languages []FacetCount `json:"languages,omitempty"`
}

// FacetCount is how many shows have a value: the id of a service or genre, a type of show, a year, or a language.
type FacetCount struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// Person is somebody in the cast of a show, or its director or creator.
type Person struct {
	// Name is what the People filter takes.
	Name string `json:"name"`
	// ShowCount says in how many shows of the catalog.
	ShowCount int `json:"showCount"`
}

// Genre is a genre of shows.
type Genre struct {
	// ID is what filters take.
	ID string `json:"id"`
	// Name is in the output language.
	Name string `json:"name"`
}

// ShowImageSet holds the images of a show. Posters carry the title, backdrops carry no text.
type ShowImageSet struct {
	VerticalPoster     VerticalImage    `json:"verticalPoster"`
	HorizontalPoster   HorizontalImage  `json:"horizontalPoster"`
	VerticalBackdrop   *VerticalImage   `json:"verticalBackdrop,omitempty"`
	HorizontalBackdrop *HorizontalImage `json:"horizontalBackdrop,omitempty"`
}

// VerticalImage is the address of an upright image in each width.
type VerticalImage struct {
	W240 string `json:"w240"`
	W360 string `json:"w360"`
	W480 string `json:"w480"`
	W600 string `json:"w600"`
	W720 string `json:"w720"`
}

// HorizontalImage is the address of a wide image in each width.
type HorizontalImage struct {
	W360  string `json:"w360"`
	W480  string `json:"w480"`
	W720  string `json:"w720"`
	W1080 string `json:"w1080"`
	W1440 string `json:"w1440"`
}

// ServiceImageSet holds the logos of a service or an addon.
type ServiceImageSet struct {
	// LightThemeImage is for light backgrounds.
	LightThemeImage string `json:"lightThemeImage"`
	// DarkThemeImage is for dark backgrounds.
	DarkThemeImage string `json:"darkThemeImage"`
	// WhiteImage is all white.
	WhiteImage string `json:"whiteImage"`
}
