package editpages

import (
	"testing"

	"svc/server/transport/web/page"
)

func TestEveryTemplateIsRead(t *testing.T) {
	t.Parallel()
	if err := page.NewTemplates(templates).Check(); err != nil {
		t.Error(err)
	}
}

func TestPathsThatGitWouldWriteDifferentlyAreRefused(t *testing.T) {
	t.Parallel()
	for path, good := range map[string]bool{
		"a": true, "a/b c.md": true, "ä/ö": true, "": false, "/a": false, "a/": false, "a//b": false, "../a": false,
		"a/../b": false, ".git/config": false,
	} {
		if _, err := cleanFile(path); (err == nil) != good {
			t.Errorf("%q: %v", path, err)
		}
	}
}
