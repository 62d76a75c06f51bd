package naming

import (
	"strings"
	"testing"
)

func TestTheNameOfASiteLeadsToItsProjectOnly(t *testing.T) {
	t.Parallel()
	here, elsewhere := NewSites("one key"), NewSites("another key")
	for path, prefix := range map[string]string{
		"web": "web-", "My.Site_2": "my-site-2-", "...": "site-", "ünter": "nter-",
		strings.Repeat("a", 200): strings.Repeat("a", 40) + "-",
	} {
		for _, id := range []int64{1, 36, 1<<63 - 1} {
			name := here.Of(id, path)
			if !strings.HasPrefix(name, prefix) || len(name) > 63 || strings.ToLower(name) != name {
				t.Errorf("%s has the name %s", path, name)
			}
			if got, ok := here.Project(name); !ok || got != id {
				t.Errorf("%s leads to %d %t, want %d", name, got, ok, id)
			}
			if _, ok := elsewhere.Project(name); ok {
				t.Errorf("%s is one of another instance", name)
			}
		}
	}
	good := here.Of(10, "web")
	for _, name := range []string{
		"", "-", "web", "web-", "web-10", "acme", good + "0", strings.Replace(good, "web-", "", 1),
		strings.ToUpper(good), good[:len(good)-1] + "0a",
	} {
		if id, ok := here.Project(name); ok {
			t.Errorf("%s leads to %d", name, id)
		}
	}
}
