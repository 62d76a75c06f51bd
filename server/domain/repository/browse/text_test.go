package browse

import (
	"strings"
	"testing"
)

func TestTextInEveryEncoding(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		data, text, encoding string
		ok                   bool
	}{
		{"", "", UTF8, true},
		{"für\n", "für\n", UTF8, true},
		{"\ufeffa", "a", UTF8, true},
		{"f\xfcr", "für", Latin1, true},
		{"\xff\xfea\x00\xfc\x00", "aü", UTF16, true},
		{"\xfe\xff\x00a\x00\xfc", "aü", UTF16, true},
		{"\xff\xfea", "", UTF16, true}, // half a character
		{"a\x00b", "", "", false},
		{strings.Repeat("\x01\x90", 100), "", "", false},
	} {
		if text, encoding, ok := Text([]byte(c.data)); text != c.text || encoding != c.encoding || ok != c.ok {
			t.Errorf("%q is %q %s %t", c.data, text, encoding, ok)
		}
	}
}
