package generated

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// The models of the public OpenAPI document, as generated Go clients hold them: a member that the document requires is a
// pointer, slice or map without omitempty, and must be there; a member that the document does not have is an error.

type Show struct {
	ItemType         *string            `json:"itemType"`
	ShowType         *ShowType          `json:"showType"`
	ID               *string            `json:"id"`
	ImdbID           *string            `json:"imdbId"`
	TmdbID           *string            `json:"tmdbId"`
	Title            *string            `json:"title"`
	Overview         *string            `json:"overview"`
	ReleaseYear      *int32             `json:"releaseYear,omitempty"`
	FirstAirYear     *int32             `json:"firstAirYear,omitempty"`
	LastAirYear      *int32             `json:"lastAirYear,omitempty"`
	OriginalTitle    *string            `json:"originalTitle"`
	Genres           []Genre            `json:"genres"`
	Directors        []string           `json:"directors,omitempty"`
	Creators         []string           `json:"creators,omitempty"`
	Cast             []string           `json:"cast"`
	Rating           *int32             `json:"rating"`
	SeasonCount      *int32             `json:"seasonCount,omitempty"`
	EpisodeCount     *int32             `json:"episodeCount,omitempty"`
	Runtime          *int32             `json:"runtime,omitempty"`
	ImageSet         *ShowImageSet      `json:"imageSet"`
	StreamingOptions map[string]Options `json:"streamingOptions"`
	Seasons          []Season           `json:"seasons,omitempty"`
}

type Season struct {
	ItemType         *string            `json:"itemType"`
	Title            *string            `json:"title"`
	FirstAirYear     *int32             `json:"firstAirYear"`
	LastAirYear      *int32             `json:"lastAirYear"`
	StreamingOptions map[string]Options `json:"streamingOptions"`
	Episodes         []Episode          `json:"episodes,omitempty"`
}

type Episode struct {
	ItemType         *string            `json:"itemType"`
	Title            *string            `json:"title"`
	Overview         *string            `json:"overview,omitempty"`
	AirYear          *int32             `json:"airYear"`
	StreamingOptions map[string]Options `json:"streamingOptions"`
}

type Options []StreamingOption

type StreamingOption struct {
	Service        *ServiceInfo `json:"service"`
	Type           *OptionType  `json:"type"`
	Addon          *ServiceInfo `json:"addon,omitempty"`
	Link           *string      `json:"link"`
	VideoLink      *string      `json:"videoLink,omitempty"`
	Quality        *Quality     `json:"quality,omitempty"`
	Audios         []Locale     `json:"audios"`
	Subtitles      []Subtitle   `json:"subtitles"`
	Price          *Price       `json:"price,omitempty"`
	ExpiresSoon    *bool        `json:"expiresSoon"`
	ExpiresOn      *int64       `json:"expiresOn,omitempty"`
	AvailableSince *int64       `json:"availableSince"`
}

type ServiceInfo struct {
	ID             *string          `json:"id"`
	Name           *string          `json:"name"`
	HomePage       *string          `json:"homePage"`
	ThemeColorCode *string          `json:"themeColorCode"`
	ImageSet       *ServiceImageSet `json:"imageSet"`
}

type Service struct {
	ID                   *string          `json:"id"`
	Name                 *string          `json:"name"`
	HomePage             *string          `json:"homePage"`
	ThemeColorCode       *string          `json:"themeColorCode"`
	ImageSet             *ServiceImageSet `json:"imageSet"`
	StreamingOptionTypes *struct {
		Addon        *bool `json:"addon"`
		Buy          *bool `json:"buy"`
		Rent         *bool `json:"rent"`
		Free         *bool `json:"free"`
		Subscription *bool `json:"subscription"`
	} `json:"streamingOptionTypes"`
	Addons []ServiceInfo `json:"addons"`
}

type Country struct {
	CountryCode *string   `json:"countryCode"`
	Name        *string   `json:"name"`
	Services    []Service `json:"services"`
}

type Genre struct {
	ID   *string `json:"id"`
	Name *string `json:"name"`
}

type Price struct {
	Amount    *string `json:"amount"`
	Currency  *string `json:"currency"`
	Formatted *string `json:"formatted"`
}

type Locale struct {
	Language *string `json:"language"`
	Region   *string `json:"region,omitempty"`
}

type Subtitle struct {
	ClosedCaptions *bool   `json:"closedCaptions"`
	Locale         *Locale `json:"locale"`
}

type ShowImageSet struct {
	VerticalPoster     *VerticalImage   `json:"verticalPoster"`
	HorizontalPoster   *HorizontalImage `json:"horizontalPoster"`
	VerticalBackdrop   *VerticalImage   `json:"verticalBackdrop,omitempty"`
	HorizontalBackdrop *HorizontalImage `json:"horizontalBackdrop,omitempty"`
}

type VerticalImage struct {
	W240 *string `json:"w240"`
	W360 *string `json:"w360"`
	W480 *string `json:"w480"`
	W600 *string `json:"w600"`
	W720 *string `json:"w720"`
}

type HorizontalImage struct {
	W360  *string `json:"w360"`
	W480  *string `json:"w480"`
	W720  *string `json:"w720"`
	W1080 *string `json:"w1080"`
	W1440 *string `json:"w1440"`
}

type ServiceImageSet struct {
	LightThemeImage *string `json:"lightThemeImage"`
	DarkThemeImage  *string `json:"darkThemeImage"`
	WhiteImage      *string `json:"whiteImage"`
}

type SearchResult struct {
	Shows      []Show  `json:"shows"`
	HasMore    *bool   `json:"hasMore"`
	NextCursor *string `json:"nextCursor,omitempty"`
}

type Change struct {
	ChangeType          *ChangeType  `json:"changeType"`
	ItemType            *ItemType    `json:"itemType"`
	ShowID              *string      `json:"showId"`
	ShowType            *ShowType    `json:"showType"`
	Season              *int32       `json:"season,omitempty"`
	Episode             *int32       `json:"episode,omitempty"`
	Service             *ServiceInfo `json:"service"`
	StreamingOptionType *OptionType  `json:"streamingOptionType"`
	Addon               *ServiceInfo `json:"addon,omitempty"`
	Timestamp           *int64       `json:"timestamp,omitempty"`
	Link                *string      `json:"link,omitempty"`
}

type ChangesResult struct {
	Changes    []Change        `json:"changes"`
	Shows      map[string]Show `json:"shows"`
	HasMore    *bool           `json:"hasMore"`
	NextCursor *string         `json:"nextCursor,omitempty"`
}

// ModelError is the only error body that the document has.
type ModelError struct {
	Message *string `json:"message"`
}

type ShowType string
type OptionType string
type Quality string
type ChangeType string
type ItemType string

func (v *ShowType) UnmarshalJSON(data []byte) error {
	return decodeEnum((*string)(v), data, "movie", "series")
}

func (v *OptionType) UnmarshalJSON(data []byte) error {
	return decodeEnum((*string)(v), data, "addon", "buy", "rent", "free", "subscription")
}

func (v *Quality) UnmarshalJSON(data []byte) error {
	return decodeEnum((*string)(v), data, "sd", "hd", "qhd", "uhd")
}

func (v *ChangeType) UnmarshalJSON(data []byte) error {
	return decodeEnum((*string)(v), data, "new", "removed", "updated", "expiring", "upcoming")
}

func (v *ItemType) UnmarshalJSON(data []byte) error {
	return decodeEnum((*string)(v), data, "show", "season", "episode")
}

func decodeEnum(target *string, data []byte, values ...string) error {
	if err := json.Unmarshal(data, target); err != nil {
		return err
	}
	for _, value := range values {
		if *target == value {
			return nil
		}
	}
	return fmt.Errorf("%q is none of %s", *target, strings.Join(values, ", "))
}

// decodeStrict decodes a body into a model, and refuses members that are unknown, missing or null.
func decodeStrict(body []byte, model any) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(model); err != nil {
		return err
	}
	return checkRequired(reflect.ValueOf(model), "$")
}

func checkRequired(value reflect.Value, path string) error {
	switch value.Kind() {
	case reflect.Pointer:
		if value.IsNil() {
			return nil
		}
		return checkRequired(value.Elem(), path)
	case reflect.Slice:
		for i := 0; i < value.Len(); i++ {
			if err := checkRequired(value.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case reflect.Map:
		for _, key := range value.MapKeys() {
			if err := checkRequired(value.MapIndex(key), path+"."+key.String()); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := 0; i < value.NumField(); i++ {
			tag := value.Type().Field(i).Tag.Get("json")
			name := strings.TrimSuffix(tag, ",omitempty")
			field := value.Field(i)
			if name == tag && field.IsNil() {
				return fmt.Errorf("no value given for required property %s.%s", path, name)
			}
			if err := checkRequired(field, path+"."+name); err != nil {
				return err
			}
		}
	}
	return nil
}
