package present

import (
	"strconv"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/duration"
	"svc/store/model"
)

// Milestone presents a milestone at a time.
func (p Presenter) Milestone(now time.Time) func(model.MilestoneRow) gen.Milestone {
	return func(r model.MilestoneRow) gen.Milestone {
		m := r.Milestone
		shown := gen.Milestone{
			ID: m.ID, Iid: m.IID, ProjectID: m.ProjectID, GroupID: m.GroupID, Title: m.Title,
			Description: m.Description, State: gen.MilestoneState(m.State),
			CreatedAt: wire.NewTime(m.CreatedAt), UpdatedAt: wire.NewTime(m.UpdatedAt),
			DueDate: wire.DatePtr(m.DueDate), StartDate: wire.DatePtr(m.StartDate),
			Expired: m.DueDate != nil && m.DueDate.AddDate(0, 0, 1).Before(now),
			WebURL:  p.Base + "/" + r.Place + "/-/milestones/" + strconv.FormatInt(m.IID, 10),
		}
		if m.GroupID != nil {
			shown.WebURL = p.Base + "/groups/" + r.Place + "/-/milestones/" + strconv.FormatInt(m.IID, 10)
		}
		return shown
	}
}

// TimeStats presents the estimated and the spent time.
func TimeStats(estimate, spent int64) gen.TimeStats {
	return gen.TimeStats{
		TimeEstimate: estimate, TotalTimeSpent: spent, HumanTimeEstimate: human(estimate),
		HumanTotalTimeSpent: human(spent),
	}
}

func human(seconds int64) *string {
	if seconds == 0 {
		return nil
	}
	return ptr(duration.Human(seconds))
}

// References presents the references to an issue or merge request: its sign (# or !) and number alone, as written in
// the project or group with the path from, and as written anywhere. Without from, the relative reference is the full
// one.
func References(sign string, iid int64, project, from string) gen.References {
	short := sign + strconv.FormatInt(iid, 10)
	shown := gen.References{Short: short, Relative: project + short, Full: project + short}
	switch {
	case from == project:
		shown.Relative = short
	case from != "" && len(project) > len(from)+1 && project[:len(from)+1] == from+"/":
		shown.Relative = project[len(from)+1:] + short
	}
	return shown
}
