package queue

import (
	"reflect"
	"testing"

	"svc/server/domain/ci/status"
	"svc/store"
)

func TestWhichJobsARunnerRuns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		runner status.RunnerRules
		tags   string
		want   bool
	}{
		"no tags":          {status.RunnerRules{Untagged: true}, "[]", true},
		"tags wanted":      {status.RunnerRules{Tags: []string{"a"}}, "[]", false},
		"all tags":         {status.RunnerRules{Tags: []string{"a", "b", "c"}}, `["a","b"]`, true},
		"a tag is missing": {status.RunnerRules{Tags: []string{"a"}, Untagged: true}, `["a","b"]`, false},
		"protected only":   {status.RunnerRules{Untagged: true, ProtectedOnly: true}, "[]", false},
		"broken":           {status.RunnerRules{Untagged: true}, "[", false},
	} {
		if got := fits(c.runner, store.PendingGroup{Tags: c.tags}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if !fits(status.RunnerRules{Untagged: true, ProtectedOnly: true}, store.PendingGroup{Tags: "[]", Protected: true}) {
		t.Error("a protected job does not fit")
	}
}

func TestTheProjectWithTheFewestJobsComesFirst(t *testing.T) {
	t.Parallel()
	groups := []store.PendingGroup{
		{ProjectID: 1, Tags: "[]", JobID: 10},
		{ProjectID: 1, Tags: `["x"]`, JobID: 3},
		{ProjectID: 2, Tags: "[]", JobID: 20},
		{ProjectID: 3, Tags: "[]", JobID: 15},
		{ProjectID: 3, Tags: "[]", Protected: true, JobID: 14},
	}
	oldest := oldestByProject(groups, status.RunnerRules{Untagged: true})
	got := order(oldest, []store.QueueProject{{ID: 1, Running: 2}, {ID: 2}, {ID: 3}})
	want := []candidate{{jobID: 14}, {jobID: 20}, {jobID: 10, running: 2}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
