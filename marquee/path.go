package marquee

import (
	"net/url"
	"strings"
)

// idPath is the id of a show as a part of a path. TMDB ids have a slash, which stays.
func idPath(id string) (string, error) {
	segments := strings.Split(id, "/")
	for i, segment := range segments {
		escaped, err := pathSegment(segment)
		if err != nil {
			return "", usage("%q is not the id of a show", id)
		}
		segments[i] = escaped
	}
	return strings.Join(segments, "/"), nil
}

// pathSegment is a text as one segment of a path. Some texts would lead to another path, whatever the escape.
func pathSegment(text string) (string, error) {
	if text == "" || text == "." || text == ".." || strings.Contains(text, "/") {
		return "", usage("%q cannot be a part of a path", text)
	}
	// Forms write spaces as a plus, paths do not.
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20"), nil
}
