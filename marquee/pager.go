package marquee

import (
	"context"
	"math"
)

// Limit bounds how far an iterator goes.
type Limit func(*limits)

// limits are the most pages to fetch and the most items to yield.
type limits struct {
	pages, items int
}

// MaxPages limits the pages that an iterator fetches. The default is all.
func MaxPages(pages int) Limit {
	return func(l *limits) { l.pages = pages }
}

// MaxItems limits the items that an iterator yields. The default is all.
func MaxItems(items int) Limit {
	return func(l *limits) { l.items = items }
}

// page is a page of items with the cursor of the next page, which is empty on the last one.
type page[T any] struct {
	items []T
	next  string
}

// pager iterates over the items of all pages. It fetches a page when its first item is needed, not before.
type pager[T any] struct {
	ctx    context.Context
	fetch  func(ctx context.Context, cursor string) (page[T], error)
	limits limits

	cursor  string
	current page[T]
	// index is one past the current item in the current page.
	index   int
	fetched int
	yielded int
	err     error
	done    bool
}

func newPager[T any](
	ctx context.Context, cursor string, bounds []Limit, fetch func(context.Context, string) (page[T], error),
) *pager[T] {
	p := &pager[T]{ctx: ctx, fetch: fetch, cursor: cursor, limits: limits{math.MaxInt, math.MaxInt}}
	for _, bound := range bounds {
		bound(&p.limits)
	}
	if p.limits.pages < 0 || p.limits.items < 0 {
		p.end(usage("the limit of an iteration must not be negative"))
	}
	return p
}

// next moves to the next item, and reports whether there is one.
func (p *pager[T]) next() bool {
	if p.done {
		return false
	}
	if p.yielded == p.limits.items {
		return p.end(nil)
	}
	// A cancelled context ends the iteration in the middle of a page too.
	if err := p.ctx.Err(); err != nil {
		return p.end(err)
	}
	for p.index == len(p.current.items) {
		onLast := p.fetched > 0 && p.cursor == ""
		if onLast || p.fetched == p.limits.pages {
			return p.end(nil)
		}
		if err := p.fetchPage(); err != nil {
			return p.end(err)
		}
	}
	p.index++
	p.yielded++
	return true
}

// fetchPage fetches the page at the cursor.
func (p *pager[T]) fetchPage() error {
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

// item is the current item; nil before the first and after the last.
func (p *pager[T]) item() *T {
	if p.index == 0 {
		return nil
	}
	return &p.current.items[p.index-1]
}
