package marquee

import "context"

// Genres gets all genres.
func (c *Client) Genres(ctx context.Context, params LocalizedParams) ([]Genre, error) {
	got, err := c.fetch(ctx, params.after("/genres"))
	if err != nil {
		return nil, err
	}
	var genres []Genre
	if err := got.decode(&genres); err != nil {
		return nil, err
	}
	for _, genre := range genres {
		if genre.ID == "" {
			return nil, got.breach("a genre has no id", nil)
		}
	}
	if genres == nil {
		return nil, got.breach("there is no list of genres", nil)
	}
	return genres, nil
}
