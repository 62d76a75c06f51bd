package git

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// withPipelines returns a repository in which two pipelines keep the commit of a deleted branch, and its objects by name.
func withPipelines(t *testing.T) (Repo, map[string]string) {
	t.Helper()
	r, ids := scattered(t)
	lock, err := r.Lock(t.Context()) // the code that creates a pipeline may hold the lock
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		err := errors.Join(
			r.KeepPipelineCommit(t.Context(), 5, ids["topic"]), r.KeepPipelineCommit(t.Context(), 6, ids["topic"]),
		)
		if err != nil {
			t.Fatal(err)
		}
	}
	lock.Release()
	move(t, r, "refs/heads/topic", Zero)
	return r, ids
}

func TestTheCommitOfAPipelineIsKept(t *testing.T) {
	t.Parallel()
	r, ids := withPipelines(t)
	if got := seen(t, r, ids); got != "first second topic old new secret tagged" {
		t.Errorf("one sees %q", got)
	}
	if id, err := r.Ref(PipelineRef(5)); err != nil || id != ids["topic"] {
		t.Errorf("it is %s, %v", id, err)
	}
	ask(t, r, "pack-refs", "--all", "--prune")
	if err := errors.Join(r.DeletePipelineRefs(t.Context(), 5, 7), r.DeletePipelineRefs(t.Context(), 5)); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, r, "for-each-ref", "--format=%(refname)", "refs/pipelines"); got != "refs/pipelines/6" {
		t.Errorf("left are %q", got)
	}
	if err := r.DeletePipelineRefs(t.Context(), 6); err != nil {
		t.Fatal(err)
	}
	if got := seen(t, r, ids); got != "first second old new tagged" {
		t.Errorf("then one sees %q", got)
	}
}

func TestTheRefsOfPipelinesAreNeitherAdvertisedNorCopied(t *testing.T) {
	t.Parallel()
	r, ids := withPipelines(t)
	var shown bytes.Buffer
	if err := errors.Join(r.AdvertiseReceive(&shown, true), r.Advertise(t.Context(), "", &shown)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(shown.String(), "pipelines") || !strings.Contains(shown.String(), "refs/heads/main") {
		t.Errorf("shown are\n%s", shown.String())
	}
	left := r.all.Project("default", 9)
	if err := errors.Join(left.Create("main"), left.CopyAll(t.Context(), r)); err != nil {
		t.Fatal(err)
	}
	if got := seen(t, left, ids); got != "first second old new tagged" {
		t.Errorf("in a copy one sees %q", got)
	}
}

func TestOnlyCommitsAreKept(t *testing.T) {
	t.Parallel()
	r, ids := scattered(t)
	for id, want := range map[string]error{
		ids["old"]: ErrBadName, "main": ErrBadName, "": ErrBadName,
		"1234567890123456789012345678901234567890": ErrNotFound,
	} {
		if err := r.KeepPipelineCommit(t.Context(), 1, id); !errors.Is(err, want) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if err := r.KeepPipelineCommit(t.Context(), 0, ids["first"]); !errors.Is(err, ErrBadName) {
		t.Errorf("the number 0: %v", err)
	}
}
