package format

import (
	"net/url"
	"strings"
)

// Prefix begins every client key.
const Prefix = "errsvc_"

// Key returns the client key of a request: from the header of client libraries, from the query, or from the DSN of the
// envelope.
func Key(header, query *string, dsn string) string {
	if header != nil {
		rest, ok := strings.CutPrefix(*header, "Sentry ")
		if ok {
			for pair := range strings.SplitSeq(rest, ",") {
				if key, ok := strings.CutPrefix(strings.TrimSpace(pair), "sentry_key="); ok {
					return key
				}
			}
		}
	}
	if query != nil && *query != "" {
		return *query
	}
	if u, err := url.Parse(dsn); err == nil && u.User != nil {
		return u.User.Username()
	}
	return ""
}
