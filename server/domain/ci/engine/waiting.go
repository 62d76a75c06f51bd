package engine

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"svc/server/domain/ci/status"
	"svc/store"
	"svc/store/model"
)

const (
	// maxRunners is the number of runners of a project that Waiting checks.
	maxRunners = 500
	// onlineFor is how long a runner counts as online after its last contact.
	onlineFor = 2 * time.Hour
)

// WhyWaiting explains in a sentence why a job does not run yet. It returns "" if the job runs or is finished. With
// runners, it also says what is wrong with the runners of the project; only users who may run jobs there should see
// that.
func (e *Engine) WhyWaiting(ctx context.Context, job model.Job, runners bool) (string, error) {
	switch status.Status(job.Status) {
	case status.Created:
		return "It waits for earlier jobs to finish.", nil
	case status.Manual:
		return "It waits for someone to run it.", nil
	case status.Scheduled:
		return "It starts at its scheduled time.", nil
	case status.WaitingForResource:
		return "It waits until no other job uses its resource group.", nil
	case status.Pending:
	default:
		return "", nil
	}
	if !runners {
		return "It waits for a runner.", nil
	}
	all, _, err := e.store.Runners.List(ctx, store.RunnerFilter{ProjectID: job.ProjectID}, store.Page{Limit: maxRunners})
	if err != nil {
		return "", err
	}
	return explainPending(job, all, now(ctx)), nil
}

// explainPending explains why no runner has taken a pending job. Each check narrows down the runners that could.
func explainPending(job model.Job, runners []model.Runner, at time.Time) string {
	var tags []string
	_ = json.Unmarshal([]byte(job.Tags), &tags) // we wrote the JSON, so it is valid
	var active, tagged, open, online int
	for _, r := range runners {
		rules := status.RunnerRules{Untagged: r.RunUntagged, ProtectedOnly: r.AccessLevel == "ref_protected"}
		_ = json.Unmarshal([]byte(r.Tags), &rules.Tags)
		if r.Paused {
			continue
		}
		active++
		if !rules.FitsTags(tags) {
			continue
		}
		tagged++
		if !rules.Fits(tags, job.Protected) {
			continue
		}
		open++
		if r.ContactedAt != nil && at.Sub(*r.ContactedAt) < onlineFor {
			online++
		}
	}
	switch {
	case len(runners) == 0:
		return "It waits for a runner: this project has no runners."
	case active == 0:
		return "It waits for a runner: all runners of this project are paused."
	case tagged == 0 && len(tags) > 0:
		return "It waits for a runner: no runner has all of the tags " + strings.Join(tags, ", ") + "."
	case tagged == 0:
		return "It waits for a runner: all runners of this project run only jobs with tags."
	case open == 0:
		return "It waits for a runner: the matching runners run only jobs on protected branches and tags, and " +
			job.Ref + " is not protected."
	case online == 0:
		return "It waits for a runner: no matching runner is online."
	}
	return "It waits for a runner: the matching runners have not picked it up yet."
}
