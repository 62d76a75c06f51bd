package respond

import (
	"net/url"
	"strings"
)

// Attachment returns a Content-Disposition header for a file that a browser saves under a name.
func Attachment(name string) string { return disposition("attachment", name) }

// Inline returns a Content-Disposition header for a file that a browser shows.
func Inline(name string) string { return disposition("inline", name) }

// disposition gives a name with special characters in both forms (RFC 6266 §4.1). The form for old clients has no
// character that they could mistake for an escape, the end of the name, a folder or a new line.
func disposition(kind, name string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"%/\`, r) {
			return '_'
		}
		return r
	}, name)
	header := kind + `; filename="` + plain + `"`
	if plain != name {
		header += "; filename*=UTF-8''" + escapeRFC5987(name)
	}
	return header
}

// escapeRFC5987 encodes a text as in RFC 5987: everything but letters, digits and -_.~ is escaped.
func escapeRFC5987(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}
