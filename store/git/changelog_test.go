package git

import (
	"fmt"
	"strings"
	"testing"
)

func TestTrailersAreThoseThatGitReads(t *testing.T) {
	t.Parallel()
	r := repo(t)
	first := commit(t, r, Change{Action: ActionCreate, Path: "a", Content: []byte("1")})
	messages := []string{
		"One\n\nbody\n\nKey: a\nKey: b\nOther-Key: c: d", "Two\n\nKey: folded\n  over lines\n\nText after.",
		"Three\n\nKey: folded\n  over lines", "Four\n\nkey: x\nEmpty:",
		"Five\n\nThis reverts commit " + first + ".\n\nSigned-off-by: A <a@b>", "Six \xe9\n\nKey: \xe9",
	}
	head := first
	for _, message := range messages {
		id, err := r.WriteCommit(t.Context(), NewCommit{Parents: []string{head}, Author: Person{Name: "A", Email: "A@b"}, Message: message})
		if err != nil {
			t.Fatal(err)
		}
		head = id
	}
	var got []string
	err := r.EachWithTrailers(t.Context(), first, head, 100, func(c CommitTrailers) {
		got = append(got, fmt.Sprint(strings.SplitN(c.Message, "\n", 2)[0], c.Email, c.Trailers, len(c.ID)))
	})
	want := []string{
		"Six éA@bmap[Key:é] 40", "FiveA@bmap[Signed-off-by:A <a@b>] 40", "FourA@bmap[Empty: key:x] 40",
		"ThreeA@bmap[Key:folded over lines] 40",
		"TwoA@bmap[] 40", "OneA@bmap[Key:b Other-Key:c: d] 40",
	}
	if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%v\n%s\nwant\n%s", err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n, err := r.CountRange(t.Context(), first, head, 100); err != nil || n != len(messages) {
		t.Errorf("%d commits, %v", n, err)
	}
	if n, err := r.CountRange(t.Context(), first, head, 3); err != nil || n != 3 {
		t.Errorf("%d commits of at most 3, %v", n, err)
	}
	for _, bad := range []string{"main", "--all", "", first[:10]} {
		if err := r.EachWithTrailers(t.Context(), bad, head, 1, func(CommitTrailers) {}); err == nil {
			t.Errorf("%q is taken", bad)
		}
		if _, err := r.CountRange(t.Context(), first, bad, 1); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
