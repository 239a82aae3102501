package marquee

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// endpoints are all calls, for what they have in common.
var endpoints = map[string]func(context.Context, *Client) error{
	"GetShow": func(ctx context.Context, c *Client) error {
		_, err := c.GetShow(ctx, "1", GetShowParams{})
		return err
	},
	"SearchTitle": func(ctx context.Context, c *Client) error {
		_, err := c.SearchTitle(ctx, SearchTitleParams{})
		return err
	},
	"TopShows": func(ctx context.Context, c *Client) error {
		_, err := c.TopShows(ctx, TopShowsParams{})
		return err
	},
	"FilterShowsPage": func(ctx context.Context, c *Client) error {
		_, err := c.FilterShowsPage(ctx, FilterShowsParams{})
		return err
	},
	"ChangesPage": func(ctx context.Context, c *Client) error {
		_, err := c.ChangesPage(ctx, ChangesParams{})
		return err
	},
	"Countries": func(ctx context.Context, c *Client) error {
		_, err := c.Countries(ctx, LocalizedParams{})
		return err
	},
	"Country": func(ctx context.Context, c *Client) error {
		_, err := c.Country(ctx, "us", LocalizedParams{})
		return err
	},
	"Genres": func(ctx context.Context, c *Client) error {
		_, err := c.Genres(ctx, LocalizedParams{})
		return err
	},
}

// ask calls an endpoint of a service that answers with a body.
func ask(t *testing.T, name, body string) error {
	t.Helper()
	address, _ := faultyServer(t, answers(200, "application/json", body))
	client, err := New("mq-key-test", WithBaseURL(address))
	if err != nil {
		t.Fatal(err)
	}
	return endpoints[name](context.Background(), client)
}

func TestNoEndpointTakesJSONOfAnotherShape(t *testing.T) {
	for name := range endpoints {
		for _, body := range []string{"null", "1", `"text"`, "[1]", "[{}]", `{"a":1}`, `{"shows":null,"hasMore":false}`} {
			var breach *ContractError
			if err := ask(t, name, body); !errors.As(err, &breach) {
				t.Errorf("%s took %s: %v", name, body, err)
			}
		}
	}
}

func TestFieldsThatAreNotKnownYetDoNoHarm(t *testing.T) {
	for name, body := range map[string]string{
		"GetShow":         `{"id":"1","mood":"dark"}`,
		"TopShows":        `[{"id":"1","mood":"dark"}]`,
		"FilterShowsPage": `{"shows":[],"hasMore":false,"total":0}`,
		"Genres":          `[{"id":"crime","name":"Crime","emoji":"🔪"}]`,
	} {
		if err := ask(t, name, body); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAContractErrorShowsHowTheAnswerBegins(t *testing.T) {
	for body, want := range map[string]string{
		"":                       "it is empty",
		"<h1>Welcome</h1>":       "it begins with <h1>Welcome</h1>",
		strings.Repeat("ü", 100): "it begins with " + strings.Repeat("ü", 30) + "…",
		"<!doctype html>" + strings.Repeat("x", 45) + "é and more": "it begins with <!doctype html>" + strings.Repeat("x", 45) + "…",
	} {
		if err := ask(t, "Genres", body); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v", body, err)
		}
	}
}
