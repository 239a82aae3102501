package marquee

import "strings"

// Shape chooses the members of shows. The zero value asks for the ordinary ones.
type Shape struct {
	// Fields are the only members to return ("title", "streamingOptions.link"); those of the show of a change begin with
	// "show.". All other fields of the Go types stay empty, ids included.
	Fields []string
	// Include adds members: "numbers", "provenance", "tmdbProviderIds", "aliases", "originalLanguage", "popularity",
	// "bestOffer".
	Include []string
	// Services are the subscriptions of the viewer, for "bestOffer": "netflix", "prime.addon.starz".
	Services []string
}

func (s Shape) add(q *query) {
	q.addList("fields", s.Fields)
	q.addList("include", s.Include)
	q.addList("services", s.Services)
}

// isPartial says whether required members may be missing.
func (s Shape) isPartial() bool { return len(s.Fields) > 0 }

// withShowIDs asks for the ids by which changes are joined with their shows, where members of shows are asked for.
func (s Shape) withShowIDs() Shape {
	hasShows, hasIDs := false, false
	for _, field := range s.Fields {
		hasShows = hasShows || field == "show" || strings.HasPrefix(field, "show.")
		hasIDs = hasIDs || field == "showId"
	}
	if hasShows && !hasIDs {
		s.Fields = append(append([]string{}, s.Fields...), "showId")
	}
	return s
}
