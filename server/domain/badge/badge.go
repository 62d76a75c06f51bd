// Package badge holds the limits of badges and the rules for their URLs.
package badge

import (
	"net/url"
	"regexp"
	"strings"
)

const (
	// MaxURL is the maximum length of a URL in bytes.
	MaxURL = 2048
	// MaxName is the maximum number of characters of a name.
	MaxName = 255
	// MaxBadges is the maximum number of badges of one project or group.
	MaxBadges = 100
)

var placeholder = regexp.MustCompile(`%\{[a-z_]{1,32}\}`)

// CheckURL returns what is wrong with a URL, or "" if it is valid. A placeholder may be anywhere except in the scheme
// and the host, so that the name of a project cannot send the reader to another host.
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
