package queue

import (
	"cmp"
	"encoding/json"
	"slices"

	"svc/server/domain/ci/status"
	"svc/store"
)

// fits reports whether a runner may run the jobs of a group.
func fits(r status.RunnerRules, g store.PendingGroup) bool {
	var wanted []string
	if g.Tags != "" && json.Unmarshal([]byte(g.Tags), &wanted) != nil {
		return false
	}
	return r.Fits(wanted, g.Protected)
}

// oldestByProject returns, for each project, the oldest job that the runner may run.
func oldestByProject(groups []store.PendingGroup, r status.RunnerRules) map[int64]int64 {
	oldest := map[int64]int64{}
	for _, g := range groups {
		if !fits(r, g) {
			continue
		}
		if known, ok := oldest[g.ProjectID]; !ok || g.JobID < known {
			oldest[g.ProjectID] = g.JobID
		}
	}
	return oldest
}

// candidate is a job that the runner may run.
type candidate struct {
	jobID   int64
	running int64 // number of running jobs in the project
}

// order sorts by the number of running jobs in the project, fewest first, and then by age, oldest first.
func order(oldest map[int64]int64, projects []store.QueueProject) []candidate {
	all := make([]candidate, len(projects))
	for i, p := range projects {
		all[i] = candidate{jobID: oldest[p.ID], running: p.Running}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.running, b.running), cmp.Compare(a.jobID, b.jobID))
	})
	return all
}
