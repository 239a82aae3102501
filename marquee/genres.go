package marquee

import "context"

// Genres gets all genres.
func (c *Client) Genres(ctx context.Context, params LocalizedParams) ([]Genre, error) {
	var genres []Genre
	err := c.fetch(ctx, params.after("/genres"), func(a *answer) error {
		if err := a.decode(&genres); err != nil {
			return err
		}
		if genres == nil {
			return a.breach("there is no list of genres", nil)
		}
		for _, genre := range genres {
			if genre.ID == "" {
				return a.breach("a genre has no id", nil)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return genres, nil
}
