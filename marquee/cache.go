package marquee

import (
	"container/list"
	"sync"
)

// CachedAnswer is a stored response body with its ETag.
type CachedAnswer struct {
	ETag string
	Body []byte
}

// Cache stores responses by URL. With one, the client sends If-None-Match; a 304 costs nothing of the quota. It
// must be safe for concurrent use, and nobody may change the bytes of a body.
type Cache interface {
	Get(url string) (CachedAnswer, bool)
	Set(url string, answer CachedAnswer)
}

// MemoryCache is an LRU cache of a bounded number of responses.
type MemoryCache struct {
	capacity int
	mutex    sync.Mutex
	entries  map[string]*list.Element
	recent   *list.List
}

type memoryEntry struct {
	url    string
	answer CachedAnswer
}

// NewMemoryCache makes a cache of up to capacity responses, at least one.
func NewMemoryCache(capacity int) *MemoryCache {
	if capacity < 1 {
		capacity = 1
	}
	return &MemoryCache{capacity: capacity, entries: map[string]*list.Element{}, recent: list.New()}
}

// Get returns the response stored for the URL.
func (c *MemoryCache) Get(url string) (CachedAnswer, bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	element, found := c.entries[url]
	if !found {
		return CachedAnswer{}, false
	}
	c.recent.MoveToFront(element)
	return element.Value.(*memoryEntry).answer, true
}

// Set stores a response, and evicts the least recently used one if the cache is full.
func (c *MemoryCache) Set(url string, answer CachedAnswer) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if element, found := c.entries[url]; found {
		element.Value.(*memoryEntry).answer = answer
		c.recent.MoveToFront(element)
		return
	}
	c.entries[url] = c.recent.PushFront(&memoryEntry{url, answer})
	if c.recent.Len() > c.capacity {
		oldest := c.recent.Remove(c.recent.Back()).(*memoryEntry)
		delete(c.entries, oldest.url)
	}
}
