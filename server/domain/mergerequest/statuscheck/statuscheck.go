// Package statuscheck says which external status checks apply to merge requests, and what they say. Package manage asks the
// services of the checks.
package statuscheck

import (
	"context"
	"slices"
	"time"

	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// patience is how long a check may be pending. After that it counts as failed.
const patience = 2 * time.Minute

// Result is a check of a merge request with its status.
type Result struct {
	Check  model.ExternalStatusCheck
	Status string
}

// Load returns the checks that apply to merge requests, by merge request, in a fixed number of queries.
func Load(ctx context.Context, st *store.Store, mrs ...model.MergeRequest) (map[int64][]Result, error) {
	results := map[int64][]Result{}
	var projects, ids []int64
	for _, mr := range mrs {
		ids = append(ids, mr.ID)
		if !slices.Contains(projects, mr.ProjectID) {
			projects = append(projects, mr.ProjectID)
		}
	}
	if len(mrs) == 0 {
		return results, nil
	}
	checks, err := st.StatusChecks.Of(ctx, projects)
	if err != nil || len(checks) == 0 {
		return results, err
	}
	checkIDs := make([]int64, len(checks))
	for i, check := range checks {
		checkIDs[i] = check.ID
	}
	branches, err := st.StatusChecks.Branches(ctx, checkIDs)
	if err != nil {
		return nil, err
	}
	responses, err := st.StatusChecks.Responses(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, mr := range mrs {
		for _, check := range checks {
			if check.ProjectID == mr.ProjectID && applies(branches[check.ID], mr.TargetBranch) {
				results[mr.ID] = append(results[mr.ID], Result{Check: check, Status: status(ctx, mr, check, responses)})
			}
		}
	}
	return results, nil
}

// applies reports whether a check that is limited to some branches applies to a target branch. Without a limit it always does.
func applies(branches []model.ProtectedBranch, target string) bool {
	return len(branches) == 0 ||
		slices.ContainsFunc(branches, func(b model.ProtectedBranch) bool { return store.Matches(b.Name, target) })
}

// status returns the status of a check for the head of a merge request.
func status(
	ctx context.Context, mr model.MergeRequest, check model.ExternalStatusCheck, responses []model.StatusCheckResponse,
) string {
	for _, r := range responses {
		if r.MergeRequestID != mr.ID || r.CheckID != check.ID || r.SHA != mr.HeadSHA {
			continue
		}
		if r.Status == model.CheckPending && clock.Now(ctx).Sub(r.CalledAt) > patience {
			return model.CheckFailed
		}
		return r.Status
	}
	return model.CheckPending
}

// Missing returns which merge requests have a check that has not passed. It is for merge requests of projects that require that
// all checks pass.
func Missing(ctx context.Context, st *store.Store, mrs ...model.MergeRequest) (map[int64]bool, error) {
	missing := map[int64]bool{}
	results, err := Load(ctx, st, mrs...)
	for id, list := range results {
		missing[id] = slices.ContainsFunc(list, func(r Result) bool { return r.Status != model.CheckPassed })
	}
	return missing, err
}
