package marquee

import (
	"context"
	"math"
)

// Limit bounds how far an iterator goes.
type Limit func(*limits)

// limits are how many pages and items are at most fetched and yielded.
type limits struct {
	pages, items int
}

// MaxPages lets an iterator fetch at most this many pages. Without it, it fetches all.
func MaxPages(pages int) Limit {
	return func(l *limits) { l.pages = pages }
}

// MaxItems lets an iterator yield at most this many items. Without it, it yields all.
func MaxItems(items int) Limit {
	return func(l *limits) { l.items = items }
}

// page is a page of any kind: its items, and the cursor of the next one, which is empty on the last.
type page[T any] struct {
	items []T
	next  string
}

// pager walks pages item by item. A page is fetched when its first item is asked for and no sooner.
type pager[T any] struct {
	ctx    context.Context
	fetch  func(ctx context.Context, cursor string) (page[T], error)
	limits limits

	cursor  string
	current page[T]
	// index is the place in the current page of the item after the one that was yielded last.
	index   int
	fetched int
	yielded int
	err     error
	done    bool
}

func newPager[T any](
	ctx context.Context, cursor string, bounds []Limit, fetch func(context.Context, string) (page[T], error),
) *pager[T] {
	walk := &pager[T]{ctx: ctx, fetch: fetch, cursor: cursor, limits: limits{math.MaxInt, math.MaxInt}}
	for _, bound := range bounds {
		bound(&walk.limits)
	}
	if walk.limits.pages < 0 || walk.limits.items < 0 {
		walk.end(usage("the limit of an iteration must not be negative"))
	}
	return walk
}

// next steps to the next item, and says whether there is one.
func (p *pager[T]) next() bool {
	if p.done {
		return false
	}
	if p.yielded == p.limits.items {
		return p.end(nil)
	}
	// A page that is at hand does not outlive the caller's interest in it.
	if err := p.ctx.Err(); err != nil {
		return p.end(err)
	}
	for p.index == len(p.current.items) {
		onLast := p.fetched > 0 && p.cursor == ""
		if onLast || p.fetched == p.limits.pages {
			return p.end(nil)
		}
		if err := p.turn(); err != nil {
			return p.end(err)
		}
	}
	p.index++
	p.yielded++
	return true
}

// turn fetches the page at the cursor.
func (p *pager[T]) turn() error {
	fetched, err := p.fetch(p.ctx, p.cursor)
	if err != nil {
		return err
	}
	p.current, p.cursor, p.index = fetched, fetched.next, 0
	p.fetched++
	return nil
}

func (p *pager[T]) end(err error) bool {
	p.err, p.done = err, true
	p.current, p.index = page[T]{}, 0
	return false
}

// item is the item that next stepped to; nil before the first and after the last.
func (p *pager[T]) item() *T {
	if p.index == 0 {
		return nil
	}
	return &p.current.items[p.index-1]
}
