package telemetry

import (
	"errors"
	"net/http"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// ParseHeaders reads headers that are written as name=value and separated by commas. The error never contains a value.
func ParseHeaders(text string) (http.Header, error) {
	header := http.Header{}
	for part := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, value, found := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !found || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, errors.New("the headers must be like name=value,name=value")
		}
		header.Add(name, value)
	}
	return header, nil
}
