package contract

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The guide about pages has every page, and no other ones. It leaves out the beginning of addresses below a project or group.
func TestTheGuideAboutPagesIsComplete(t *testing.T) {
	t.Parallel()
	var sources strings.Builder
	if err := filepath.WalkDir("../../server/transport/web", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		sources.Write(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	guide, known := guideText(t, "pages"), map[string]bool{}
	for _, m := range regexp.MustCompile(`GET ([/…][^\s,]*)`).FindAllStringSubmatch(sources.String(), -1) {
		path := withoutPlace(m[1])
		known[path] = true
		inHooks := strings.HasPrefix(m[1], "/admin/hooks/") // the guide names their list
		if !inHooks && !strings.Contains(guide, "`"+path+"`") {
			t.Errorf("docs/pages.md does not have %s", m[1])
		}
	}
	if len(known) < 100 {
		t.Fatalf("the sources have only %d pages", len(known))
	}
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*?) \\|").FindAllStringSubmatch(guide, -1) {
		for _, m := range inlineCode.FindAllString(row[1], -1) {
			path := strings.Trim(m, "`")
			isPage := strings.Contains(path, "/") || regexp.MustCompile(`^[a-z_]{4,}$`).MatchString(path)
			if isPage && !known[path] && !strings.Contains(sources.String(), path+`"`) && !strings.HasSuffix(path, "…") {
				t.Errorf("docs/pages.md has %s, which is not a page", path)
			}
		}
	}
}

// withoutPlace returns an address as the tables of the guide show it.
func withoutPlace(address string) string {
	for _, beginning := range []string{"/{project}/-/", "/groups/{group}/-/", "…/-/"} {
		if rest, found := strings.CutPrefix(address, beginning); found {
			return rest
		}
	}
	return address
}
