package keys

import (
	"strings"
	"testing"
)

func TestFingerprintsAreReadInEitherForm(t *testing.T) {
	t.Parallel()
	const sha, md5 = "x+zmOAhp++riBD4gxAJNEWzmlb1Rg/r6XHLXKHLacBs", "16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48"
	for text, want := range map[string][2]string{
		"SHA256:" + sha:       {sha, ""},
		"SHA256:" + sha + "=": {sha, ""},
		"SHA256:" + strings.ReplaceAll(sha, "+", " "): {sha, ""},
		md5:                              {"", md5},
		"MD5:" + strings.ToUpper(md5):    {"", md5},
		sha:                              {},
		"SHA256:":                        {},
		"SHA256:AAAA":                    {},
		"MD5:":                           {},
		"":                               {},
		strings.ReplaceAll(md5, ":", ""): {},
		md5 + ":00":                      {},
		"SHA256:' OR 1=1":                {},
	} {
		if gotSHA, gotMD5 := readFingerprint(text); gotSHA != want[0] || gotMD5 != want[1] {
			t.Errorf("%q is %q and %q, want %q", text, gotSHA, gotMD5, want)
		}
	}
}
