package engine

import (
	"testing"
	"time"

	"svc/store/model"
)

func TestWhyAJobWaitsForARunner(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	soon, late := at.Add(-time.Minute), at.Add(-3*time.Hour)
	good := model.Runner{RunUntagged: true, Tags: `["linux"]`, AccessLevel: "not_protected", ContactedAt: &soon}
	with := func(change func(r *model.Runner)) model.Runner {
		r := good
		change(&r)
		return r
	}
	paused := with(func(r *model.Runner) { r.Paused = true })
	guarded := with(func(r *model.Runner) { r.AccessLevel = "ref_protected" })
	for name, c := range map[string]struct {
		tags      string
		protected bool
		runners   []model.Runner
		want      string
	}{
		"none at all": {"[]", false, nil, "It waits for a runner: this project has no runners."},
		"paused":      {"[]", false, []model.Runner{paused}, "It waits for a runner: all runners of this project are paused."},
		"tags": {
			`["gpu","linux"]`, false,
			[]model.Runner{good, paused},
			"It waits for a runner: no runner has all of the tags gpu, linux.",
		},
		"no tags": {
			"[]", false,
			[]model.Runner{with(func(r *model.Runner) { r.RunUntagged = false })},
			"It waits for a runner: all runners of this project run only jobs with tags.",
		},
		"protected": {
			"[]", false,
			[]model.Runner{guarded},
			"It waits for a runner: the matching runners run only jobs on protected branches and tags, and main is not protected.",
		},
		"protected fits": {"[]", true, []model.Runner{guarded}, "It waits for a runner: the matching runners have not picked it up yet."},
		"offline": {
			`["linux"]`, false,
			[]model.Runner{with(func(r *model.Runner) { r.ContactedAt = &late })},
			"It waits for a runner: no matching runner is online.",
		},
		"never contacted": {
			"[]", false,
			[]model.Runner{with(func(r *model.Runner) { r.ContactedAt = nil })},
			"It waits for a runner: no matching runner is online.",
		},
		"busy": {
			`["linux"]`, false,
			[]model.Runner{good, paused},
			"It waits for a runner: the matching runners have not picked it up yet.",
		},
	} {
		job := model.Job{Ref: "main", Tags: c.tags, Protected: c.protected}
		if got := explainPending(job, c.runners, at); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
