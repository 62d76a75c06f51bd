package git

import (
	"fmt"
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

func TestTextIsFoundInFiles(t *testing.T) {
	t.Parallel()
	r := repo(t)
	many := ""
	for i := range 100 {
		many += fmt.Sprintf("needle %d\n", i)
	}
	head := commit(t, r, file("a", "one\nthe Needle: x\n"), file("dir/b c", many), file("bin", "needle\x00"), file("-e", "-e pattern\n"))
	found, cut, err := r.Grep(t.Context(), head, "needle", 50)
	if err != nil || cut || len(found) != 1+perFile || found[0] != (Match{"a", 2, "the Needle: x"}) || found[1].Path != "dir/b c" {
		t.Errorf("%+v, cut %t, %v", found, cut, err)
	}
	if found, cut, err = r.Grep(t.Context(), head, "needle", 2); err != nil || !cut || len(found) != 2 {
		t.Errorf("%+v, cut %t, %v", found, cut, err)
	}
	if found, _, err = r.Grep(t.Context(), head, "-e pat", 2); err != nil || len(found) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
	if found, cut, err = r.Grep(t.Context(), head, "nowhere.*", 2); err != nil || cut || len(found) != 0 {
		t.Errorf("%+v, cut %t, %v", found, cut, err)
	}
	for _, bad := range []string{"", "a\nb", "a\x00"} {
		if _, _, err := r.Grep(t.Context(), head, bad, 2); err == nil {
			t.Errorf("%q is searched for", bad)
		}
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
