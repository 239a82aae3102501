package marquee

import (
	"fmt"
	"net/url"
	"strings"
)

// cleanBase is a base address without slashes at its end, or the mistake of one that no request can be sent to.
func cleanBase(base string) (string, error) {
	problem := baseProblem(base)
	if problem == "" {
		return strings.TrimRight(base, "/"), nil
	}
	// What may hold a password or a token is not repeated: errors end up in logs.
	shown := ""
	if !strings.ContainsAny(base, "@?#") {
		shown = fmt.Sprintf(" %q", base)
	}
	return "", usage("the base address%s %s; it should look like https://catalog.example/v4", shown, problem)
}

func baseProblem(base string) string {
	// The paths of requests are put behind it.
	if strings.ContainsAny(base, "?#") {
		return "has a ? or # in it"
	}
	parsed, err := url.Parse(base)
	switch {
	case err != nil:
		return "cannot be read as one"
	case parsed.Scheme != "http" && parsed.Scheme != "https":
		return "does not begin with http:// or https://"
	case parsed.Host == "":
		return "names no host"
	case parsed.User != nil:
		return "holds a user name or a password"
	}
	return ""
}
