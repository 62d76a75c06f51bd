package web

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"svc/server/transport/web/page"
)

// The help page has every keyboard shortcut of the templates, and none has two meanings.
func TestTheHelpPageListsEveryShortcut(t *testing.T) {
	t.Parallel()
	var listed []string
	for _, s := range page.Shortcuts() {
		if slices.Contains(listed, s.Keys) {
			t.Errorf("%s has two meanings", s.Keys)
		}
		listed = append(listed, s.Keys)
	}
	keys, found := regexp.MustCompile(`data-key="([^"{]+)"`), 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".html" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range keys.FindAllStringSubmatch(string(text), -1) {
			if found++; !slices.Contains(listed, m[1]) {
				t.Errorf("%s has the shortcut %s, which the help page does not list", path, m[1])
			}
		}
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("%d shortcuts: %v", found, err)
	}
}
