package marquee

import (
	"net/http"
	"time"
)

// Option sets something about a Client.
type Option func(*settings)

type settings struct {
	baseURL            string
	marketplaceBaseURL string
	keyPrefix          string
	marketplace        string
	httpClient         *http.Client
	timeout            time.Duration
	retries            int
	cache              Cache
}

func defaultSettings() settings {
	return settings{
		baseURL:     defaultBaseURL,
		keyPrefix:   defaultKeyPrefix,
		marketplace: defaultMarketplace,
		httpClient:  http.DefaultClient,
		timeout:     30 * time.Second,
		retries:     2,
	}
}

// WithBaseURL sets the address for direct keys; it ends in the version, as in "https://catalog.example/v4". Without it
// the client speaks to a service on this machine, at http://127.0.0.1:8080/v4.
func WithBaseURL(url string) Option {
	return func(s *settings) { s.baseURL = url }
}

// WithMarketplaceBaseURL sets the address for marketplace keys. Without it, it is the address for direct keys without
// the version at its end.
func WithMarketplaceBaseURL(url string) Option {
	return func(s *settings) { s.marketplaceBaseURL = url }
}

// WithKeyPrefix sets what direct keys begin with, for services that have another prefix than "mq-key-".
func WithKeyPrefix(prefix string) Option {
	return func(s *settings) { s.keyPrefix = prefix }
}

// WithMarketplace sets the marketplace's name, which stands in the header of its keys, for services whose marketplace
// is not called "Market".
func WithMarketplace(name string) Option {
	return func(s *settings) { s.marketplace = name }
}

// WithHTTPClient sets what sends the requests, for proxies, certificates or instruments of your own. Redirects are not
// followed whatever it says.
func WithHTTPClient(client *http.Client) Option {
	return func(s *settings) { s.httpClient = client }
}

// WithTimeout sets how long a call may take, with all retries and pauses; in an iteration, each page is a call. It is
// 30 seconds if it is not set.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) { s.timeout = timeout }
}

// WithRetries sets how often a request is sent again after 429, 503 or a fault of the connection. It is 2 if it is not
// set, and 0 means never.
func WithRetries(retries int) Option {
	return func(s *settings) { s.retries = retries }
}

// WithCache lets the client keep answers, and ask whether they still hold instead of fetching them anew.
func WithCache(cache Cache) Option {
	return func(s *settings) { s.cache = cache }
}
