package oauth

import (
	"net"
	"net/url"
	"slices"
	"strings"
)

// forbidden are schemes that execute their content, or that pass a code to files, to pages of the browser itself or to
// any program.
var forbidden = []string{
	"about", "blob", "chrome", "data", "file", "filesystem", "ftp", "intent", "jar", "javascript", "mailto", "mhtml",
	"resource", "vbscript",
	"view-source", "ws", "wss",
}

// isForbidden reports whether codes are never sent to an address, even if an application has registered it before.
func isForbidden(uri string) bool {
	u, err := url.Parse(uri)
	return err != nil || slices.Contains(forbidden, strings.ToLower(u.Scheme))
}

// isWeb reports whether browsers open an address themselves.
func isWeb(uri string) bool {
	u, err := url.Parse(uri)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

// isOwnAddress reports whether only one machine can answer at an address: an https address, or the user's own machine.
func isOwnAddress(uri string) bool {
	u, err := url.Parse(uri)
	return err == nil &&
		(u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()))
}

// wrongURI returns what is wrong with a new redirect URI, or an empty string.
func wrongURI(text string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return "must be a valid URI."
	case u.Scheme == "":
		return "must be an absolute URI."
	case slices.Contains(forbidden, strings.ToLower(u.Scheme)):
		return "is forbidden by the server."
	case strings.Contains(text, "#"):
		return "cannot contain a fragment."
	case (u.Scheme == "http" || u.Scheme == "https") && (u.Hostname() == "" || u.User != nil):
		return "must be a valid URI."
	case strings.ContainsAny(text, "\\\"<>^`{|}"): // RFC 3986 allows these only escaped, and browsers interpret them differently
		return "must be a valid URI."
	}
	return ""
}

// registered reports whether a redirect URI is one of an application's. The text must be the same, except that the port
// of a loopback address may differ (RFC 8252 §7.3).
func registered(uris []string, given string) bool {
	return slices.ContainsFunc(uris, func(uri string) bool { return uri == given || sameLoopback(uri, given) })
}

func sameLoopback(uri, given string) bool {
	a, err1 := url.Parse(uri)
	b, err2 := url.Parse(given)
	if err1 != nil || err2 != nil || a.Scheme != "http" || b.Scheme != "http" || wrongURI(given) != "" {
		return false
	}
	if !net.ParseIP(a.Hostname()).IsLoopback() || a.Hostname() != b.Hostname() {
		return false
	}
	// Without the port both must be the same text.
	return withoutPort(uri, a) == withoutPort(given, b)
}

func withoutPort(text string, u *url.URL) string {
	if u.Port() == "" {
		return text
	}
	return strings.Replace(text, u.Host, strings.TrimSuffix(u.Host, ":"+u.Port()), 1)
}

// withParameters returns the address that a browser is redirected to: the redirect URI with more parameters in its query or
// fragment.
func withParameters(uri, mode string, values url.Values) string {
	switch {
	case mode == "fragment":
		return uri + "#" + values.Encode()
	case strings.Contains(uri, "?"):
		return uri + "&" + values.Encode()
	}
	return uri + "?" + values.Encode()
}
