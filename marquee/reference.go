package marquee

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

// Genre is a genre of shows.
type Genre struct {
	// ID is what filters take.
	ID string `json:"id"`
	// Name is in the output language.
	Name string `json:"name"`
}
