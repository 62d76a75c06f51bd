package outbound

import (
	"errors"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// ParseHeader reads a header that is written like "Name: value". The error never contains the value, which may be secret.
func ParseHeader(text string) (name, value string, err error) {
	name, value, found := strings.Cut(text, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !found || value == "" || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
		return "", "", errors.New("the header must be like Authorization: Bearer token")
	}
	return name, value, nil
}
