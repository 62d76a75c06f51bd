package git

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"svc/store/storage"
)

func TestVersionsOfGitAreCompared(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"git version 2.39.5": true, "git version 2.39.3 (Apple Git-146)": true, "git version 2.50.windows.1": true, "git version 3.0": true,
		"git version 2.38.9": false, "git version 1.99": false, "git version": false, "": false, "git version x.y": false,
	} {
		if got := recent(text); got != want {
			t.Errorf("%q is recent: %v", text, got)
		}
	}
}

func TestARepositoryIsSoundOnlyIfItIsThere(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	all, err := Open(map[string]string{"default": root})
	if err != nil {
		t.Fatal(err)
	}
	mark := &storage.Mark{Name: "default", Folder: root, Instance: "me"}
	if err := mark.Write(); err != nil {
		t.Fatal(err)
	}
	all.Guard(map[string]*storage.Mark{"default": mark})
	if _, err := all.OpenProject("default", 1, true); err != nil {
		t.Errorf("nothing was written to it: %v", err)
	}
	var damaged *storage.DamagedError
	if _, err := all.OpenProject("default", 1, false); !errors.As(err, &damaged) {
		t.Errorf("it is missing: %v", err)
	}
	repo := all.Project("default", 1)
	if err := errors.Join(repo.Create("main"), repo.CheckReadable()); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(root, storage.File)); err != nil {
		t.Fatal(err)
	}
	var gone *storage.Error
	if _, err := repo.TryLock(); !errors.As(err, &gone) {
		t.Errorf("a lock without the mark: %v", err)
	}
	if err := all.Project("default", 2).Create("main"); !errors.As(err, &gone) {
		t.Errorf("a new repository without the mark: %v", err)
	}
	if _, err := all.OpenProject("default", 3, false); !errors.As(err, &gone) {
		t.Errorf("a missing one without the mark: %v", err)
	}
	if err := all.Project("default", 3).Delete(); !errors.As(err, &gone) {
		t.Errorf("a deletion without the mark: %v", err)
	}
}
