package marquee

import (
	"context"
	"math/rand"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Version is the version of this client. It is part of the User-Agent header of every request.
const Version = "0.1.0"

const userAgent = "marquee-go/" + Version

// Client sends requests to a service with one API key. It is safe for use by several goroutines.
type Client struct {
	credentials credentials
	http        *http.Client
	timeout     time.Duration
	retries     int
	cache       Cache
	maxBytes    int64

	quotaMutex sync.Mutex
	quota      *Quota

	// Time and randomness of the backoff; tests replace both.
	sleep  func(context.Context, time.Duration) error
	random func() float64
}

// New makes a client for the key. It fails with a UsageError if the key or an option cannot be used.
func New(apiKey string, options ...Option) (*Client, error) {
	s := applyOptions(options)
	credentials, err := credentialsFor(apiKey, &s)
	if err != nil {
		return nil, err
	}
	return newClient(credentials, &s)
}

// NewKeyless makes a client that sends no key, for use behind something that adds it.
func NewKeyless(options ...Option) (*Client, error) {
	s := applyOptions(options)
	base, err := parseBaseURL(s.baseURL)
	if err != nil {
		return nil, err
	}
	return newClient(credentials{source: DirectKey, base: base}, &s)
}

func applyOptions(options []Option) settings {
	s := defaultSettings()
	for _, option := range options {
		option(&s)
	}
	return s
}

func newClient(credentials credentials, s *settings) (*Client, error) {
	if s.httpClient == nil {
		return nil, usage("WithHTTPClient needs a client")
	}
	if !isToken(s.marketplace) {
		return nil, usage("the marketplace %q cannot be part of a header; it should be a name such as \"Market\"", s.marketplace)
	}
	if s.timeout <= 0 {
		return nil, usage("the timeout is %v; it must be more than nothing", s.timeout)
	}
	if s.retries < 0 {
		return nil, usage("the number of retries is %d; it must not be negative", s.retries)
	}
	if s.maxBytes <= 0 {
		return nil, usage("the limit of a response is %d bytes; it must be positive", s.maxBytes)
	}
	return &Client{
		credentials: credentials,
		http:        withoutRedirects(s.httpClient),
		timeout:     s.timeout,
		retries:     s.retries,
		cache:       s.cache,
		maxBytes:    s.maxBytes,
		sleep:       sleep,
		random:      rand.Float64,
	}, nil
}

// KeySource is where the key was obtained, by its prefix.
func (c *Client) KeySource() KeySource { return c.credentials.source }

// Quota is the quota of the key, from the headers of the last response that had them. It is not known before the first.
func (c *Client) Quota() (quota Quota, known bool) {
	c.quotaMutex.Lock()
	defer c.quotaMutex.Unlock()
	if c.quota == nil {
		return Quota{}, false
	}
	return *c.quota, true
}

func (c *Client) updateQuota(header http.Header) {
	if quota, found := parseQuota(header); found {
		c.quotaMutex.Lock()
		c.quota = &quota
		c.quotaMutex.Unlock()
	}
}

// withoutRedirects is a copy of the client that follows no redirects: the contract has none, and Go would send the key
// to the target.
func withoutRedirects(client *http.Client) *http.Client {
	strict := *client
	strict.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &strict
}

// Quota is how much of its plan a key has used.
type Quota struct {
	// Granted is the number of requests that the plan allows.
	Granted int64
	// Used is the number of requests that were counted so far.
	Used int64
	// Reset is when the quota resets, in Unix seconds.
	Reset int64
}

// Remaining is how many requests are left.
func (q Quota) Remaining() int64 {
	if q.Used > q.Granted {
		return 0
	}
	return q.Granted - q.Used
}

// parseQuota reads the quota headers of a response. A response to a key that is not valid has none.
func parseQuota(header http.Header) (Quota, bool) {
	var numbers [3]int64
	for i, name := range [...]string{"X-Quota-Granted", "X-Quota-Used", "X-Quota-Reset"} {
		number, err := strconv.ParseInt(header.Get(name), 10, 64)
		if err != nil {
			return Quota{}, false
		}
		numbers[i] = number
	}
	return Quota{Granted: numbers[0], Used: numbers[1], Reset: numbers[2]}, true
}

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
	maxBytes           int64
}

// defaultMaxResponseBytes is far above the largest response of the API, a series of thousands of episodes in all countries.
const defaultMaxResponseBytes = 64 << 20

func defaultSettings() settings {
	return settings{
		baseURL:     defaultBaseURL,
		keyPrefix:   defaultKeyPrefix,
		marketplace: defaultMarketplace,
		httpClient:  http.DefaultClient,
		timeout:     30 * time.Second,
		retries:     2,
		maxBytes:    defaultMaxResponseBytes,
	}
}

// WithBaseURL sets the address for direct keys; it ends in the version, as in "https://catalog.example/v4". The default is
// a service on this machine, http://127.0.0.1:8080/v4.
func WithBaseURL(url string) Option {
	return func(s *settings) { s.baseURL = url }
}

// WithMarketplaceBaseURL sets the address for marketplace keys. The default is the address for direct keys without
// its version.
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

// WithTimeout sets how long a call may take, with all retries and pauses; in an iteration, each page is a call. The
// default is 30 seconds.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) { s.timeout = timeout }
}

// WithRetries sets how often a request is sent again after 429, 503 or a connection error. The default is 2;
// 0 means never.
func WithRetries(retries int) Option {
	return func(s *settings) { s.retries = retries }
}

// WithMaxResponseBytes limits the size of a response body, after decompression. A longer one fails with a
// ResponseTooLargeError, so that a wrong server cannot exhaust the memory. The default is 64 MiB.
func WithMaxResponseBytes(bytes int64) Option {
	return func(s *settings) { s.maxBytes = bytes }
}

// WithCache stores responses, and revalidates them by their ETag instead of downloading them again.
func WithCache(cache Cache) Option {
	return func(s *settings) { s.cache = cache }
}
