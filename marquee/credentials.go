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

// credentials are a key with its base URL and its header.
type credentials struct {
	source KeySource
	base   string
	header string
	apiKey string
}

// credentialsFor finds the source of a key by its prefix: direct keys have one, all others are the marketplace's.
func credentialsFor(apiKey string, s *settings) (credentials, error) {
	apiKey = strings.TrimSpace(apiKey)
	if apiKey == "" {
		return credentials{}, usage("the API key is empty; NewKeyless makes a client without one")
	}
	if !fitsHeader(apiKey) {
		return credentials{}, usage("the API key holds characters that no header can hold; was it copied whole?")
	}
	if strings.HasPrefix(apiKey, s.keyPrefix) {
		base, err := parseBaseURL(s.baseURL)
		return credentials{DirectKey, base, "X-API-Key", apiKey}, err
	}
	base, err := marketplaceBase(s)
	return credentials{MarketplaceKey, base, "X-" + s.marketplace + "-API-Key", apiKey}, err
}

// marketplaceBase is the base URL for marketplace keys: the one that is set, or that of direct keys without its version.
func marketplaceBase(s *settings) (string, error) {
	if s.marketplaceBaseURL != "" {
		return parseBaseURL(s.marketplaceBaseURL)
	}
	base, err := parseBaseURL(s.baseURL)
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

// parseBaseURL checks a base URL and trims the slashes at its end.
func parseBaseURL(base string) (string, error) {
	problem := baseURLProblem(base)
	if problem == "" {
		return strings.TrimRight(base, "/"), nil
	}
	// An address that may hold a password or a token is not quoted: errors end up in logs.
	shown := ""
	if !strings.ContainsAny(base, "@?#") {
		shown = fmt.Sprintf(" %q", base)
	}
	return "", usage("the base address%s %s; it should look like https://catalog.example/v4", shown, problem)
}

func baseURLProblem(base string) string {
	// Paths are appended to it.
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
