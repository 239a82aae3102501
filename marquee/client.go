package marquee

import (
	"context"
	"math/rand"
	"net/http"
	"sync"
	"time"
)

// Client speaks to a service with one API key. It is safe for use by several goroutines.
type Client struct {
	credentials credentials
	http        *http.Client
	timeout     time.Duration
	retries     int
	cache       Cache

	quotaMutex sync.Mutex
	quota      *Quota

	// Pauses depend on time and chance; tests do without both.
	sleep  func(context.Context, time.Duration) error
	chance func() float64
}

// New makes a client for the key. It fails with a UsageError if the key or an option cannot be used.
func New(apiKey string, options ...Option) (*Client, error) {
	chosen := choose(options)
	credentials, err := credentialsFor(apiKey, &chosen)
	if err != nil {
		return nil, err
	}
	return newClient(credentials, &chosen)
}

// NewKeyless makes a client that sends no key, for use behind something that adds it.
func NewKeyless(options ...Option) (*Client, error) {
	chosen := choose(options)
	base, err := cleanBase(chosen.baseURL)
	if err != nil {
		return nil, err
	}
	return newClient(credentials{source: DirectKey, base: base}, &chosen)
}

func choose(options []Option) settings {
	chosen := defaultSettings()
	for _, option := range options {
		option(&chosen)
	}
	return chosen
}

func newClient(credentials credentials, chosen *settings) (*Client, error) {
	if chosen.httpClient == nil {
		return nil, usage("WithHTTPClient needs a client")
	}
	if !isToken(chosen.marketplace) {
		return nil, usage("the marketplace %q cannot be part of a header; it should be a name such as \"Market\"", chosen.marketplace)
	}
	if chosen.timeout <= 0 {
		return nil, usage("the timeout is %v; it must be more than nothing", chosen.timeout)
	}
	if chosen.retries < 0 {
		return nil, usage("the number of retries is %d; it must not be negative", chosen.retries)
	}
	return &Client{
		credentials: credentials,
		http:        withoutRedirects(chosen.httpClient),
		timeout:     chosen.timeout,
		retries:     chosen.retries,
		cache:       chosen.cache,
		sleep:       sleep,
		chance:      rand.Float64,
	}, nil
}

// KeySource is where the client takes its key to be from.
func (c *Client) KeySource() KeySource { return c.credentials.source }

// Quota is where the key stands, by the last answer that said so. There is none before the first answer.
func (c *Client) Quota() (quota Quota, known bool) {
	c.quotaMutex.Lock()
	defer c.quotaMutex.Unlock()
	if c.quota == nil {
		return Quota{}, false
	}
	return *c.quota, true
}

func (c *Client) noteQuota(header http.Header) {
	if quota, found := readQuota(header); found {
		c.quotaMutex.Lock()
		c.quota = &quota
		c.quotaMutex.Unlock()
	}
}

// withoutRedirects is the client, except that it follows no redirects: the contract knows none, and Go would hand the
// key to wherever they lead.
func withoutRedirects(client *http.Client) *http.Client {
	strict := *client
	strict.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &strict
}
