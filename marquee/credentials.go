package marquee

import (
	"fmt"
	"net/url"
	"strings"
)

// KeySource says where an API key was obtained. It decides on base address and header.
type KeySource string

// The sources of keys.
const (
	// DirectKey is a key of the service itself.
	DirectKey KeySource = "direct"
	// MarketplaceKey is a key of a third-party API marketplace.
	MarketplaceKey KeySource = "marketplace"
)

const (
	defaultBaseURL     = "http://127.0.0.1:8080/v4"
	defaultKeyPrefix   = "mq-key-"
	defaultMarketplace = "Market"
	versionSegment     = "/v4"
)

// credentials are a key, and where it belongs.
type credentials struct {
	source KeySource
	base   string
	header string
	apiKey string
}

// credentialsFor tells the source of a key by its beginning: direct keys have a prefix, all others are the
// marketplace's.
func credentialsFor(apiKey string, chosen *settings) (credentials, error) {
	apiKey = strings.TrimSpace(apiKey)
	if apiKey == "" {
		return credentials{}, usage("the API key is empty; NewKeyless makes a client without one")
	}
	if !fitsHeader(apiKey) {
		return credentials{}, usage("the API key holds characters that no header can hold; was it copied whole?")
	}
	if strings.HasPrefix(apiKey, chosen.keyPrefix) {
		base, err := cleanBase(chosen.baseURL)
		return credentials{DirectKey, base, "X-API-Key", apiKey}, err
	}
	base, err := marketplaceBase(chosen)
	return credentials{MarketplaceKey, base, "X-" + chosen.marketplace + "-API-Key", apiKey}, err
}

// marketplaceBase is the base that was chosen for marketplace keys, or else the other one without its version.
func marketplaceBase(chosen *settings) (string, error) {
	if chosen.marketplaceBaseURL != "" {
		return cleanBase(chosen.marketplaceBaseURL)
	}
	base, err := cleanBase(chosen.baseURL)
	return strings.TrimSuffix(base, versionSegment), err
}

func fitsHeader(text string) bool {
	for _, letter := range text {
		if letter < ' ' || letter > '~' {
			return false
		}
	}
	return true
}

// isToken says whether a text can be part of the name of a header.
func isToken(text string) bool {
	for _, letter := range text {
		isLetterOrDigit := 'a' <= letter && letter <= 'z' || 'A' <= letter && letter <= 'Z' || '0' <= letter && letter <= '9'
		if !isLetterOrDigit && !strings.ContainsRune("!#$%&'*+-.^_`|~", letter) {
			return false
		}
	}
	return text != ""
}

// cleanBase is a base address without slashes at its end, or the mistake of one that no request can be sent to.
func cleanBase(base string) (string, error) {
	problem := baseProblem(base)
	if problem == "" {
		return strings.TrimRight(base, "/"), nil
	}
	// What may hold a password or a token is not repeated: errors end up in logs.
	shown := ""
	if !strings.ContainsAny(base, "@?#") {
		shown = fmt.Sprintf(" %q", base)
	}
	return "", usage("the base address%s %s; it should look like https://catalog.example/v4", shown, problem)
}

func baseProblem(base string) string {
	// The paths of requests are put behind it.
	if strings.ContainsAny(base, "?#") {
		return "has a ? or # in it"
	}
	parsed, err := url.Parse(base)
	switch {
	case err != nil:
		return "cannot be read as one"
	case parsed.Scheme != "http" && parsed.Scheme != "https":
		return "does not begin with http:// or https://"
	case parsed.Host == "":
		return "names no host"
	case parsed.User != nil:
		return "holds a user name or a password"
	}
	return ""
}
