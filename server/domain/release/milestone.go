package release

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// Milestones names the milestones of a release by title or by id. Nil means that they are not given; an empty list means
// no milestones.
type Milestones struct {
	Titles *[]string
	IDs    *[]int64
}

func (m Milestones) given() bool { return m.Titles != nil || m.IDs != nil }

// findMilestones returns the ids of milestones that the project may use: its own, and those of the groups above it.
func (s *Service) findMilestones(ctx context.Context, p model.Project, m Milestones) ([]int64, error) {
	in := store.OwnedByProject(p)
	switch {
	case m.Titles != nil && m.IDs != nil:
		return nil, apierr.BadParameter("milestones, milestone_ids are mutually exclusive")
	case m.Titles != nil && len(*m.Titles) > 0:
		rows, err := s.store.Milestones.FindByTitles(ctx, in, *m.Titles)
		return allFound(rows, err, *m.Titles, "Milestone(s) not found: ", func(r model.MilestoneRow) string { return r.Milestone.Title })
	case m.IDs != nil && len(*m.IDs) > 0:
		var wanted []string
		for _, id := range *m.IDs {
			wanted = append(wanted, strconv.FormatInt(id, 10))
		}
		rows, err := s.store.Milestones.FindByIDs(ctx, in, *m.IDs)
		return allFound(rows, err, wanted, "Milestone id(s) not found: ", func(r model.MilestoneRow) string {
			return strconv.FormatInt(r.Milestone.ID, 10)
		})
	}
	return nil, nil
}

// allFound returns the ids of the milestones, or a refusal that names those that are missing.
func allFound(
	rows []model.MilestoneRow, err error, wanted []string, refusal string, name func(model.MilestoneRow) string,
) ([]int64, error) {
	if err != nil {
		return nil, err
	}
	var ids []int64
	found := map[string]bool{}
	for _, row := range rows {
		found[name(row)] = true
		ids = append(ids, row.Milestone.ID)
	}
	missing := slices.DeleteFunc(slices.Clone(wanted), func(one string) bool { return found[one] })
	if len(missing) > 0 {
		return nil, apierr.Refused(refusal + strings.Join(missing, ", "))
	}
	return ids, nil
}
