package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestNewestVersionFirst(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	want := []string{"postgresql@16", "15", "9.6", "postgresql"}
	for _, name := range want {
		if err := os.MkdirAll(filepath.Join(root, name, "bin"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, dir := range newestFirst(filepath.Join(root, "*", "bin")) {
		got = append(got, filepath.Base(filepath.Dir(dir)))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestTheExitCodeIsThatOfTheCommand(t *testing.T) {
	t.Setenv(urlVariable, "postgres://elsewhere/db")
	for script, want := range map[string]int{
		"exit 0": 0, "exit 7": 7, "kill -KILL $$": 137, `[ "$` + urlVariable + `" = postgres://elsewhere/db ]`: 0,
	} {
		if got := run([]string{"sh", "-c", script}, false); got != want {
			t.Errorf("%s: got %d, want %d", script, got, want)
		}
	}
	if got := run([]string{"/does/not/exist"}, false); got != 127 {
		t.Errorf("missing command: got %d", got)
	}
}

func TestAFolderMustBeOpenToAllUsers(t *testing.T) {
	t.Parallel()
	closed := filepath.Join(t.TempDir(), "closed")
	inside := filepath.Join(closed, "inside")
	if err := os.MkdirAll(inside, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	if openToAll(inside) || !openToAll("/") {
		t.Error("a folder below a closed one counts as open, or the root does not")
	}
}
