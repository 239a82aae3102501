package marquee

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
