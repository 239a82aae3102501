package marquee

import (
	"bytes"
	"context"
	"encoding/json"
)

// LocalizedParams refine calls that have nothing but a language to applyOptions.
type LocalizedParams struct {
	// OutputLanguage is "en" if it is not set.
	OutputLanguage string
	// Include adds members to the services of Countries and Country: "tmdbProviderIds".
	Include []string
}

func (p LocalizedParams) after(path string) string {
	var q query
	q.add("output_language", p.OutputLanguage)
	q.addList("include", p.Include)
	return q.after(path)
}

// Countries gets all countries of the catalog with their services and addons.
func (c *Client) Countries(ctx context.Context, params LocalizedParams) ([]Country, error) {
	var countries countryList
	err := c.fetch(ctx, params.after("/countries"), func(r *response) error {
		if err := r.decode(&countries); err != nil {
			return err
		}
		if countries == nil {
			return r.contractError("there is no list of countries", nil)
		}
		for i := range countries {
			if err := r.checkCountry(&countries[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return countries, nil
}

// Country gets one country by its code, such as "us".
func (c *Client) Country(ctx context.Context, countryCode string, params LocalizedParams) (*Country, error) {
	segment, err := pathSegment(countryCode)
	if err != nil {
		return nil, err
	}
	var country Country
	err = c.fetch(ctx, params.after("/countries/"+segment), func(r *response) error {
		if err := r.decode(&country); err != nil {
			return err
		}
		return r.checkCountry(&country)
	})
	if err != nil {
		return nil, err
	}
	return &country, nil
}

func (r *response) checkCountry(country *Country) error {
	if country.CountryCode == "" || country.Services == nil {
		return r.contractError("a country lacks its code or its services", nil)
	}
	return nil
}

// countryList reads a list of countries, or, since services can be set so, a map by country code. The order is that of
// the answer in either case.
type countryList []Country

func (l *countryList) UnmarshalJSON(text []byte) error {
	if bytes.TrimSpace(text)[0] != '{' {
		return json.Unmarshal(text, (*[]Country)(l))
	}
	*l = countryList{}
	in := json.NewDecoder(bytes.NewReader(text))
	if _, err := in.Token(); err != nil {
		return err
	}
	for in.More() {
		if _, err := in.Token(); err != nil {
			return err
		}
		var country Country
		if err := in.Decode(&country); err != nil {
			return err
		}
		*l = append(*l, country)
	}
	return nil
}

// Genres gets all genres.
func (c *Client) Genres(ctx context.Context, params LocalizedParams) ([]Genre, error) {
	var genres []Genre
	err := c.fetch(ctx, params.after("/genres"), func(r *response) error {
		if err := r.decode(&genres); err != nil {
			return err
		}
		if genres == nil {
			return r.contractError("there is no list of genres", nil)
		}
		for _, genre := range genres {
			if genre.ID == "" {
				return r.contractError("a genre has no id", nil)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return genres, nil
}
