// Package badge is what the URLs of badges may be.
package badge

import (
	"net/url"
	"regexp"
	"strings"
)

const (
	// MaxURL is how many characters a URL may have.
	MaxURL = 2048
	// MaxName is how many characters a name may have.
	MaxName = 255
	// Most is how many badges one place may have.
	Most = 100
)

var placeholder = regexp.MustCompile(`%\{[a-z_]{1,32}\}`)

// CheckURL says what is wrong with a URL; "" if it may be shown. A placeholder may be anywhere but in the scheme and the host, so that
// the name of a project cannot lead elsewhere.
func CheckURL(text string) string {
	if len(text) > MaxURL {
		return "is too long (maximum is 2048 characters)"
	}
	u, err := url.Parse(placeholder.ReplaceAllString(text, "%7Bx%7D"))
	switch {
	case err != nil, strings.ContainsAny(text, " \t\r\n\"<>\\^`"):
		return "must be a valid URL"
	case u.Scheme != "http" && u.Scheme != "https":
		return "is blocked: Only allowed schemes are http, https"
	case u.Hostname() == "", u.User != nil, strings.Contains(u.Host, "{"):
		return "must be a valid URL"
	}
	return ""
}
