package marquee

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
