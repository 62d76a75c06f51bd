package queue

import (
	"reflect"
	"testing"

	"svc/store"
)

func TestWhichJobsARunnerRuns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		runner rules
		tags   string
		want   bool
	}{
		"no tags":          {rules{untagged: true}, "[]", true},
		"tags wanted":      {rules{tags: []string{"a"}}, "[]", false},
		"all tags":         {rules{tags: []string{"a", "b", "c"}}, `["a","b"]`, true},
		"a tag is missing": {rules{tags: []string{"a"}, untagged: true}, `["a","b"]`, false},
		"protected only":   {rules{untagged: true, protectedOnly: true}, "[]", false},
		"broken":           {rules{untagged: true}, "[", false},
	} {
		if got := c.runner.fits(store.PendingGroup{Tags: c.tags}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if !(rules{untagged: true, protectedOnly: true}).fits(store.PendingGroup{Tags: "[]", Protected: true}) {
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
	oldest := oldestByProject(groups, rules{untagged: true})
	got := order(oldest, []store.QueueProject{{ID: 1, Running: 2}, {ID: 2}, {ID: 3}})
	want := []candidate{{jobID: 14}, {jobID: 20}, {jobID: 10, running: 2}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
