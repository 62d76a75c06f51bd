package queue

import (
	"cmp"
	"encoding/json"
	"slices"

	"svc/store"
)

// rules are which jobs a runner runs.
type rules struct {
	tags          []string
	untagged      bool
	protectedOnly bool
}

// fits tells whether a runner has all tags that a job wants.
func (r rules) fits(g store.PendingGroup) bool {
	if r.protectedOnly && !g.Protected {
		return false
	}
	var wanted []string
	if g.Tags != "" && json.Unmarshal([]byte(g.Tags), &wanted) != nil {
		return false
	}
	if len(wanted) == 0 {
		return r.untagged
	}
	for _, tag := range wanted {
		if !slices.Contains(r.tags, tag) {
			return false
		}
	}
	return true
}

// oldestByProject is the oldest job of each project that fits.
func oldestByProject(groups []store.PendingGroup, r rules) map[int64]int64 {
	oldest := map[int64]int64{}
	for _, g := range groups {
		if !r.fits(g) {
			continue
		}
		if known, ok := oldest[g.ProjectID]; !ok || g.JobID < known {
			oldest[g.ProjectID] = g.JobID
		}
	}
	return oldest
}

// candidate is a job that may be given to the runner.
type candidate struct {
	jobID   int64
	running int64 // jobs of its project
}

// order puts those first whose project has the fewest jobs running, and of these the oldest.
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
