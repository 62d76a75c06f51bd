package git

import (
	"testing"
)

// edited changes a file.
func edited(path, text string) Change {
	return Change{Action: ActionUpdate, Path: path, Content: []byte(text)}
}

func TestLastCommitsAreThoseOfGit(t *testing.T) {
	t.Parallel()
	r := repo(t)
	commit(t, r, file("a", "1\n"), file("d/b", "1\n"), file("d/e/c", "1\n"), file("odd \"name\"", "1\n"))
	commit(t, r, edited("d/e/c", "2\n"))
	commit(t, r, edited("a", "2\n"))
	commit(t, r, edited("d/b", "2\n"))
	commit(t, r, edited("a", "1\n")) // as it was at first
	head := commit(t, r, file("x", "1\n"))
	for _, folder := range []string{"", "d", "d/e"} {
		page, err := r.List(t.Context(), head, ListOptions{Path: folder, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time from the cache
			got, err := r.LastCommits(t.Context(), head, folder, page.Entries)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range page.Entries {
				if want := ask(t, r, "rev-list", "-1", head, "--", e.Path); got[e.Name] != want {
					t.Errorf("the last commit of %s is %q, git says %s", e.Path, got[e.Name], want)
				}
			}
		}
	}
	if _, err := r.LastCommits(t.Context(), "main", "", nil); err == nil {
		t.Error("a name is taken for an id")
	}
}

func TestOneFileOfADiffIsRead(t *testing.T) {
	t.Parallel()
	r := repo(t)
	first := commit(t, r, file("a", "1\n"), file("b", "1\n"), file("*", "1\n"))
	second := commit(t, r, edited("a", "2\n"), edited("b", "2\n"), edited("*", "2\n"))
	files, total, err := r.FileDiffs(t.Context(), first, second, 0, 10, "*")
	if err != nil || total != 1 || len(files) != 1 || files[0].NewPath != "*" || files[0].Text == "" {
		t.Errorf("%+v, %d, %v", files, total, err)
	}
	files, total, err = r.FileDiffs(t.Context(), first, second, 1, 1)
	if err != nil || total != 3 || len(files) != 1 || files[0].NewPath != "a" {
		t.Errorf("%+v, %d, %v", files, total, err)
	}
}
