package template

import (
	"strings"
	"testing"
	"time"
)

func TestEveryTemplateHasAText(t *testing.T) {
	t.Parallel()
	for kind, least := range map[Kind]int{Dockerfiles: 5, Gitignores: 20, CI: 21} {
		names := Names(kind)
		if len(names) < least {
			t.Errorf("%s has %d templates, want at least %d", kind, len(names), least)
		}
		for _, name := range names {
			if found, err := Get(kind, strings.ToUpper(name)); err != nil || found.Name != name || !strings.HasSuffix(found.Content, "\n") {
				t.Errorf("%s %s: %q, %v", kind, name, found.Content, err)
			}
		}
	}
	if _, err := Get(Gitignores, "../licenses/mit"); err == nil {
		t.Error("a path is a key")
	}
}

func TestLicensesAreFilledIn(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC)
	for _, l := range licenses {
		found, err := GetLicense(l.Key, "[project] Jane", "Shop", now)
		if err != nil || found.Content == "" || strings.Contains(found.Content, "[year]") || strings.Contains(found.Content, "[fullname]") {
			t.Errorf("%s: %v\n%s", l.Key, err, found.Content)
		}
		if l.Key != "unlicense" && !strings.Contains(found.Content, "2026") || strings.Contains(found.Content, "Shop Jane") {
			t.Errorf("%s has no year, or a name was read as a placeholder:\n%s", l.Key, found.Content)
		}
	}
	if found, err := GetLicense("MIT", "", "", now); err != nil || !strings.Contains(found.Content, "Copyright (c) 2026 [fullname]") {
		t.Errorf("%v\n%s", err, found.Content)
	}
}
