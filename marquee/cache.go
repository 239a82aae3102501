package marquee

import (
	"container/list"
	"sync"
)

// CachedAnswer is an answer that was kept, with the tag by which the service knows whether it still holds.
type CachedAnswer struct {
	ETag string
	Body []byte
}

// Cache keeps answers by URL. With one, the client asks whether an answer that it has still holds, which costs nothing
// of the quota if it does. It must be safe for use by several goroutines. Neither side may change the bytes of a body.
type Cache interface {
	Get(url string) (CachedAnswer, bool)
	Set(url string, answer CachedAnswer)
}

// MemoryCache is a Cache of a bounded number of answers. The one that was not used for the longest time goes first.
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

// NewMemoryCache makes a cache of up to capacity answers, at least one.
func NewMemoryCache(capacity int) *MemoryCache {
	if capacity < 1 {
		capacity = 1
	}
	return &MemoryCache{capacity: capacity, entries: map[string]*list.Element{}, recent: list.New()}
}

// Get returns the answer that was kept for the URL.
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

// Set keeps an answer, in place of the one that was kept for the URL before.
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
