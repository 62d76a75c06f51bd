package observe

import (
	"encoding/hex"
	"strings"
)

// Header is the name of the header that carries a Parent (W3C Trace Context).
const Header = "Traceparent"

// Parent is the span of another program, or of an earlier request, that work belongs to. The zero value is none.
type Parent struct {
	Trace   [16]byte
	Span    [8]byte
	Sampled bool // the caller records its own span
}

// IsZero reports whether there is no parent.
func (p Parent) IsZero() bool { return p.Trace == [16]byte{} || p.Span == [8]byte{} }

// ParseParent reads the value of a header traceparent. Anything that does not follow the specification is no parent.
func ParseParent(text string) Parent {
	const size = len("00-0123456789abcdef0123456789abcdef-0123456789abcdef-00")
	if len(text) < size || text[2] != '-' || text[35] != '-' || text[52] != '-' || text != strings.ToLower(text) {
		return Parent{}
	}
	version := text[:2]
	// A later version may have more parts. Version ff is not allowed.
	if version == "ff" || version == "00" && len(text) != size || len(text) > size && text[size] != '-' {
		return Parent{}
	}
	var p Parent
	var first, flags [1]byte
	for _, part := range []struct {
		to   []byte
		from string
	}{{first[:], version}, {p.Trace[:], text[3:35]}, {p.Span[:], text[36:52]}, {flags[:], text[53:55]}} {
		if _, err := hex.Decode(part.to, []byte(part.from)); err != nil {
			return Parent{}
		}
	}
	if p.IsZero() {
		return Parent{}
	}
	p.Sampled = flags[0]&1 != 0
	return p
}

// String returns the value of a header traceparent, or an empty text for no parent.
func (p Parent) String() string {
	if p.IsZero() {
		return ""
	}
	flags := "00"
	if p.Sampled {
		flags = "01"
	}
	return "00-" + hex.EncodeToString(p.Trace[:]) + "-" + hex.EncodeToString(p.Span[:]) + "-" + flags
}
