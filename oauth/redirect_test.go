package oauth

import (
	"net/url"
	"testing"
)

func TestARedirectURIMustBeSafe(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]string{
		"https://app.example.com/cb":        "",
		"https://app.example.com/cb?a=1":    "",
		"http://localhost:3000/cb":          "",
		"http://127.0.0.1/cb":               "",
		"http://[::1]:8080/cb":              "",
		"com.example.app:/cb":               "",
		OutOfBand:                           "",
		"/cb":                               "must be an absolute URI.",
		"app.example.com/cb":                "must be an absolute URI.",
		"//app.example.com/cb":              "must be an absolute URI.",
		"https://app.example.com/cb#x":      "cannot contain a fragment.",
		"https://app.example.com/cb#":       "cannot contain a fragment.",
		"javascript:alert(1)":               "is forbidden by the server.",
		"JavaScript:alert(1)":               "is forbidden by the server.",
		"data:text/html,x":                  "is forbidden by the server.",
		"vbscript:x":                        "is forbidden by the server.",
		"file:///home/ann/code.html":        "is forbidden by the server.",
		"FILE:///home/ann/code.html":        "is forbidden by the server.",
		"blob:https://app.example.com/1":    "is forbidden by the server.",
		"filesystem:https://a.example.com":  "is forbidden by the server.",
		"view-source:https://a.example.com": "is forbidden by the server.",
		"intent://cb#Intent;end":            "is forbidden by the server.",
		"about:blank":                       "is forbidden by the server.",
		"https:///cb":                       "must be a valid URI.",
		"https:cb":                          "must be a valid URI.",
		"https://user@app.example.com":      "must be a valid URI.",
		"https://app.example.com\\@evil.io": "must be a valid URI.",
		"https://app.example.com:port/":     "must be a valid URI.",
		"http://[::1/cb":                    "must be a valid URI.",
		"https://a\x00b/":                   "must be a valid URI.",
	} {
		if got := wrongURI(uri); got != want {
			t.Errorf("%q: %q, want %q", uri, got, want)
		}
	}
}

func TestARedirectURIMatchesToTheLetter(t *testing.T) {
	t.Parallel()
	uris := []string{"https://app.example.com/cb", "http://127.0.0.1/cb", "http://[::1]:1234/cb?x=1", "http://localhost/cb", OutOfBand}
	for given, want := range map[string]bool{
		"https://app.example.com/cb":           true,
		"http://127.0.0.1/cb":                  true,
		"http://127.0.0.1:50123/cb":            true,
		"http://[::1]:9/cb?x=1":                true,
		OutOfBand:                              true,
		"http://localhost/cb":                  true,
		"http://localhost:50123/cb":            false, // a name may lead elsewhere
		"https://app.example.com/cb/":          false,
		"https://app.example.com/cb?a=1":       false,
		"https://app.example.com/CB":           false,
		"https://app.example.com:443/cb":       false,
		"https://app.example.com.evil.io/cb":   false,
		"https://evil.io/cb":                   false,
		"http://app.example.com/cb":            false,
		"https://app.example.com/cb/../cb":     false,
		"https://app.example.com/%63b":         false,
		"https://app.example.com@evil.io/cb":   false,
		"https://app.example.com/cb#x":         false,
		"http://127.0.0.1:50123/cb#x":          false,
		"http://127.0.0.1:50123/cb?y=1":        false,
		"http://127.0.0.1:50123/other":         false,
		"http://127.0.0.2:50123/cb":            false,
		"http://user@127.0.0.1:50123/cb":       false,
		"http://127.0.0.1:50123@evil.io/cb":    false,
		"http://127.0.0.1.evil.io:50123/cb":    false,
		"https://127.0.0.1:50123/cb":           false,
		"http://127.0.0.1:50123\\.evil.io/cb":  false,
		"http://[::1]:9/cb?x=1&x=2":            false,
		"HTTP://127.0.0.1:50123/cb":            false,
		"http://127.0.0.1:50123/cb?":           false,
		"http://127.0.0.1:99999999999999/cb%0": false,
		"":                                     false,
	} {
		if got := registered(uris, given); got != want {
			t.Errorf("%q: %v, want %v", given, got, want)
		}
	}
}

func TestAnAnswerIsAddedToTheRedirectURI(t *testing.T) {
	t.Parallel()
	values := url.Values{"code": {"c"}, "state": {"a b&\xff"}}
	for _, c := range []struct{ uri, mode, want string }{
		{"https://app/cb", "", "https://app/cb?code=c&state=a+b%26%FF"},
		{"https://app/cb?x=1", "query", "https://app/cb?x=1&code=c&state=a+b%26%FF"},
		{"https://app/cb?x=1", "fragment", "https://app/cb?x=1#code=c&state=a+b%26%FF"},
		{"app:/cb", "", "app:/cb?code=c&state=a+b%26%FF"},
	} {
		if got := withParameters(c.uri, c.mode, values); got != c.want {
			t.Errorf("%s %s: %s", c.uri, c.mode, got)
		}
	}
}
