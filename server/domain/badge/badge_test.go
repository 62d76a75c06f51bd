package badge

import (
	"strings"
	"testing"
)

func TestURLs(t *testing.T) {
	t.Parallel()
	const scheme, valid = "is blocked: Only allowed schemes are http, https", "must be a valid URL"
	for text, want := range map[string]string{
		"https://ci.example.com/%{project_path}/%{default_branch}.svg?ref=%{commit_sha}#%{latest_tag}": "",
		"http://127.0.0.1:8080/a":                          "",
		"HTTPS://example.com":                              "",
		"javascript:alert(1)":                              scheme,
		"data:image/svg+xml,x":                             scheme,
		"ftp://example.com/x":                              scheme,
		"//example.com/x":                                  scheme,
		"example.com":                                      scheme,
		"%{project_path}":                                  scheme,
		"https://":                                         valid,
		"https:///x":                                       valid,
		"https://user:secret@example.com":                  valid,
		"https://%{project_name}.example.com/":             valid,
		"https://example.com/%zz":                          valid,
		"https://example.com/%{Project}":                   valid,
		"https://example.com/a b":                          valid,
		"https://example.com/\"onload=":                    valid,
		"https://example.com/\x00":                         valid,
		"https://example.com/" + strings.Repeat("a", 2048): "is too long (maximum is 2048 characters)",
	} {
		if got := CheckURL(text); got != want {
			t.Errorf("%.60q: %q, want %q", text, got, want)
		}
	}
}
