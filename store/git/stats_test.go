package git

import (
	"errors"
	"testing"
)

// One process counts the lines of commits that are made after it was started, also after a repack.
func TestAProcessThatStaysCountsTheLinesOfNewCommits(t *testing.T) {
	t.Parallel()
	r := repo(t)
	first := commit(t, r, Change{Action: ActionCreate, Path: "a.txt", Content: []byte("1\n2\n3\n")})
	stats := func(ids ...string) map[string]Stats {
		t.Helper()
		got, err := r.CommitStats(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := stats(first)[first]; got != (Stats{3, 0}) {
		t.Errorf("the first commit: %+v", got)
	}
	second := commit(t, r, Change{Action: ActionUpdate, Path: "a.txt", Content: []byte("1\nb\n3\n")})
	binary := commit(t, r, Change{Action: ActionCreate, Path: "b", Content: []byte("\x00\n\n")})
	same := commit(t, r)
	unknown := "0123456789012345678901234567890123456789"
	got := stats(same, second, binary, first, unknown)
	want := map[string]Stats{first: {3, 0}, second: {1, 1}, binary: {}, same: {}}
	for id, s := range want {
		if got[id] != s {
			t.Errorf("%s: got %+v, want %+v", ask(t, r, "log", "--oneline", "-1", id), got[id], s)
		}
	}
	if _, known := got[unknown]; known {
		t.Error("a commit that does not exist was counted")
	}
	if n := r.all.lines.size(); n != 1 {
		t.Errorf("%d processes wait, want 1", n)
	}
	ask(t, r, "repack", "-a", "-d", "-q")
	packed := commit(t, r, Change{Action: ActionDelete, Path: "a.txt"})
	if got := stats(packed)[packed]; got != (Stats{0, 3}) {
		t.Errorf("after a repack: %+v", got)
	}
	if _, err := r.CommitStats(t.Context(), []string{"main"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("the name of a branch: %v", err)
	}
}

// A process keeps what it has compared in memory, so it ends after many commits.
func TestAProcessEndsAfterManyCommits(t *testing.T) {
	t.Parallel()
	r := repo(t)
	id := commit(t, r, Change{Action: ActionCreate, Path: "a", Content: []byte("1\n")})
	err := r.lend(t.Context(), r.all.lines, func(b *batch) error {
		b.asked = mostAsked - 1
		return b.countLines([]string{id}, func(string, Stats) {})
	})
	if n := r.all.lines.size(); err != nil || n != 0 {
		t.Errorf("%v, %d processes wait", err, n)
	}
}
