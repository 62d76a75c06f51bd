package packagehttp

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// split splits a document, reading it in small pieces.
func split(text string) (rest, tarball string, err error) {
	s := npmSplitter{in: bufio.NewReaderSize(iotest.OneByteReader(strings.NewReader(text)), 16), receive: func(from io.Reader) error {
		data, err := io.ReadAll(from)
		tarball = string(data)
		return err
	}}
	out, err := s.split()
	return string(out), tarball, err
}

func TestADocumentIsSplitFromItsTarball(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		`{"a":1,"_attachments":{"x":{"data":"QUJD","length":3}},"b":[true,null,-1.5e3]}`: {
			`{"a":1,"_attachments":{"x":{"data":"","length":3}},"b":[true,null,-1.5e3]}`, "QUJD",
		},
		" { \"_attachments\" : { \"x\" : { \"data\" : \"A\\/B\" } } } \n": {`{"_attachments":{"x":{"data":""}}}`, "A/B"},
		`{"data":"x","x":{"_attachments":{"y":{"data":"kept"}}}}`:         {`{"data":"x","x":{"_attachments":{"y":{"data":"kept"}}}}`, ""},
		`{"quote \" here":"and \\"}`:                                      {`{"quote \" here":"and \\"}`, ""},
		`{"_\u0061ttachments":{"x":{"data":"QQ=="}}}`:                     {`{"_\u0061ttachments":{"x":{"data":""}}}`, "QQ=="},
		`{}`: {`{}`, ""}, `[]`: {`[]`, ""}, `[{},[]]`: {`[{},[]]`, ""}, `12`: {`12`, ""},
	} {
		rest, tarball, err := split(text)
		if err != nil || rest != want[0] || tarball != want[1] || !json.Valid([]byte(rest)) {
			t.Errorf("%s: %s, %s, %v", text, rest, tarball, err)
		}
	}
}

func TestADocumentThatIsNoJSONIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		``, `{`, `{"a"`, `{"a":`, `{"a":}`, `{"a":1,}`, `{a:1}`, `["a"`, `{"a":1}}`, `{"a":1} x`, `"`, `"a\`,
		`{"_attachments":{"x":{"data":"QQ`,
		`{"_attachments":{"x":{"data":1}}}`, `{"_attachments":{"x":{"data":"a\n"}}}`,
	} {
		if rest, _, err := split(text); err == nil {
			t.Errorf("%q is accepted as %q", text, rest)
		}
	}
	if _, _, err := split(`{"_attachments":{"x":{"data":"QQ=="},"y":{"data":"QQ=="}}}`); !errors.Is(err, errNPMSeveral) {
		t.Error(err)
	}
	if _, _, err := split(strings.Repeat("[", maxNPMDepth+2)); !errors.Is(err, errNPMTooLarge) {
		t.Error(err)
	}
	if _, _, err := split(`"` + strings.Repeat("x", maxNPMDocument) + `"`); !errors.Is(err, errNPMTooLarge) {
		t.Error(err)
	}
}
