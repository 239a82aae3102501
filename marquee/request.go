package marquee

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// query is a query string in the making. Parameters keep the order in which they were added, so that the same call
// always has the same URL; those without a value are left out.
type query struct {
	pairs []string
}

func (q *query) add(name, value string) {
	if value != "" {
		q.pairs = append(q.pairs, name+"="+url.QueryEscape(value))
	}
}

func (q *query) addList(name string, values []string) {
	q.add(name, strings.Join(values, ","))
}

func (q *query) addInt(name string, value *int) {
	if value != nil {
		q.add(name, strconv.Itoa(*value))
	}
}

func (q *query) addBool(name string, value *bool) {
	if value != nil {
		q.add(name, strconv.FormatBool(*value))
	}
}

// addTime adds Unix seconds; the zero time counts as absent.
func (q *query) addTime(name string, value time.Time) {
	if !value.IsZero() {
		q.add(name, strconv.FormatInt(value.Unix(), 10))
	}
}

// after is the path with the query behind it.
func (q *query) after(path string) string {
	if len(q.pairs) == 0 {
		return path
	}
	return path + "?" + strings.Join(q.pairs, "&")
}

// showIDPath is the id of a show as a part of a path. TMDB ids have a slash, which stays.
func showIDPath(id string) (string, error) {
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

// Int is a pointer to a number, for parameters that may be absent.
func Int(value int) *int { return &value }

// Bool is a pointer to a truth value, for parameters that may be absent.
func Bool(value bool) *bool { return &value }
