package changelog

import (
	"strconv"
	"strings"
	"time"

	library "github.com/ncruces/go-strftime"
)

const (
	zeroPadded  = "YCymdjuwGgVUWHIMSs" // directives that are numbers, padded with zeros
	spacePadded = "ekl"                // directives that are numbers, padded with spaces
	notOurs     = "fQ"                 // directives of the library that template authors do not have
	flagBytes   = "-0^#_:"
	maxWidth    = 50
)

// strftime formats a time by a pattern with % directives. A directive may have flags and a width, as in Ruby, which the
// library does not know. Unknown directives stay as they are.
func strftime(format string, t time.Time) string {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		end := i + 1
		for end < len(format) && strings.IndexByte(flagBytes, format[end]) >= 0 {
			end++
		}
		flags := format[i+1 : end]
		digits := end
		for end < len(format) && format[end] >= '0' && format[end] <= '9' {
			end++
		}
		width, err := strconv.Atoi(format[digits:end])
		if digits == end {
			width, err = -1, nil
		}
		last := min(end+1, len(format))
		text, known := "", false
		if end < len(format) && err == nil && width <= maxWidth {
			text, known = directive(format[end], flags, width, t)
		}
		if !known {
			text = format[i:last]
		}
		b.WriteString(text)
		i = end
	}
	return b.String()
}

// directive formats one directive. It returns false for an unknown one. The width -1 means its usual width.
func directive(letter byte, flags string, width int, t time.Time) (string, bool) {
	pattern := "%" + string(rune(letter))
	if letter == 'z' && strings.Contains(flags, ":") {
		pattern = "%:z"
	}
	text := library.Format(pattern, t)
	if letter >= 0x80 || strings.IndexByte(notOurs, letter) >= 0 || text == pattern {
		return "", false
	}
	pad := byte(' ')
	switch {
	case letter == 'v':
		text = strings.ToUpper(text)
	case strings.IndexByte(zeroPadded, letter) >= 0:
		pad = '0'
	}
	if strings.IndexByte(zeroPadded+spacePadded, letter) >= 0 {
		if width < 0 {
			width = len(text)
		}
		if text = strings.TrimLeft(text, "0 "); text == "" {
			text = "0"
		}
	}
	return applyFlags(text, flags, width, pad), true
}

// applyFlags changes the case and the padding of a text.
func applyFlags(text, flags string, width int, pad byte) string {
	for _, flag := range []byte(flags) {
		switch {
		case flag == '-':
			width = 0
		case flag == '0':
			pad = '0'
		case flag == '_':
			pad = ' '
		case flag == '#' && text == strings.ToUpper(text):
			text = strings.ToLower(text)
		case flag == '#', flag == '^':
			text = strings.ToUpper(text)
		}
	}
	if missing := width - len(text); missing > 0 {
		text = strings.Repeat(string(rune(pad)), missing) + text
	}
	return text
}
