package api

import (
	"os"
	"strings"
	"testing"

	"svc/server/cmd/svc/snapshot"
	"svc/server/domain/fixture"
	"svc/server/domain/seed"
	"svc/tests/harness"

	"github.com/google/go-cmp/cmp"
)

// snapshotOf loads a document into a new service and returns a snapshot of it, and what the snapshot left out.
func snapshotOf(t *testing.T, doc *fixture.Document) (text, left string) {
	t.Helper()
	h := harness.New(t)
	root := h.Root()
	if _, err := fixture.Load(t.Context(), h.Server.Fixtures(), doc, nil); err != nil {
		t.Fatal(err)
	}
	taken, err := snapshot.Take(t.Context(), snapshot.Options{
		URL: h.URL, Token: root.Token, Warn: func(text string) { left += text + "\n" },
	})
	if err != nil {
		t.Fatal(err)
	}
	data, err := taken.YAML()
	if err != nil {
		t.Fatal(err)
	}
	return string(data), left
}

// example returns the example of the guide.
func guideExample(t *testing.T) *fixture.Document {
	t.Helper()
	guide, err := os.ReadFile("../../docs/test-data.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(guide), "```yaml\n")
	text, _, _ := strings.Cut(rest, "```\n")
	doc, err := fixture.Read("example", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestASnapshotOfALoadedSnapshotIsTheSame(t *testing.T) {
	t.Parallel()
	seeded, _ := seed.Document(5, seed.Small)
	for name, doc := range map[string]*fixture.Document{"the example of the guide": guideExample(t), "a seed": seeded} {
		first, left := snapshotOf(t, doc)
		again, err := fixture.Read("snapshot.yaml", []byte(first))
		if err != nil {
			t.Fatalf("%s: %v\n%.3000s", name, err, first)
		}
		if second, _ := snapshotOf(t, again); second != first {
			t.Errorf("%s differs:\n%s", name, cmp.Diff(first, second))
		}
		for _, line := range strings.Split(strings.TrimSpace(left), "\n") {
			if line != "" && !strings.Contains(line, "the token of http") && !strings.Contains(line, "is archived") {
				t.Errorf("%s: left out: %s", name, line)
			}
		}
		if len(again.Projects) != len(doc.Projects) || len(again.Projects[0].Commits) != len(doc.Projects[0].Commits) {
			t.Errorf("%s has %d projects", name, len(again.Projects))
		}
	}
}

func TestASnapshotNeedsAnAdministrator(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	_, err := snapshot.Take(t.Context(), snapshot.Options{URL: h.URL, Token: h.NewUser().Token})
	if err == nil || !strings.Contains(err.Error(), "is not an administrator") {
		t.Errorf("a user took one: %v", err)
	}
	if _, err := snapshot.Take(t.Context(), snapshot.Options{URL: h.URL, Token: "svcpat-unknown"}); err == nil {
		t.Error("somebody took one")
	}
}
