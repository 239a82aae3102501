//go:build go1.23

package marquee

import "iter"

// ChangeWithShow is a change together with its show.
type ChangeWithShow struct {
	Change *Change
	Show   *Show
}

// All is the rest of the iteration for a range loop. An error ends it, and is yielded last, with a nil show:
//
//	for show, err := range client.FilterShows(ctx, params).All() {
//		if err != nil {
//			return err
//		}
//		fmt.Println(show.Title)
//	}
//
// It needs Go 1.23; before that, use Next, Show and Err.
func (it *ShowIterator) All() iter.Seq2[*Show, error] {
	return func(yield func(*Show, error) bool) {
		for it.Next() {
			if !yield(it.Show(), nil) {
				return
			}
		}
		if err := it.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// All is the rest of the iteration for a range loop. An error ends it, and is yielded last, with an empty item:
//
//	for item, err := range client.Changes(ctx, params).All() {
//		if err != nil {
//			return err
//		}
//		fmt.Println(item.Change.ChangeType, item.Show.Title)
//	}
//
// It needs Go 1.23; before that, use Next, Change, Show and Err.
func (it *ChangeIterator) All() iter.Seq2[ChangeWithShow, error] {
	return func(yield func(ChangeWithShow, error) bool) {
		for it.Next() {
			if !yield(ChangeWithShow{it.Change(), it.Show()}, nil) {
				return
			}
		}
		if err := it.Err(); err != nil {
			yield(ChangeWithShow{}, err)
		}
	}
}
