package mergerequests

import (
	"context"

	"svc/server/domain/issuable"
	"svc/store"
	"svc/store/model"
)

// relabel changes the labels and writes the system notes about labels and milestone.
func (m *MergeRequests) relabel(ctx context.Context, row model.ProjectRow, t issuable.Target, p parts) error {
	me := caller(ctx)
	if p.labels.IsSet() {
		has, err := m.store.MergeRequests.Labels(ctx, t.ID)
		if err != nil {
			return err
		}
		want, err := m.issuables.Labels(ctx, row.Project, p.labels, has, true)
		if err != nil {
			return err
		}
		added, removed, err := m.store.MergeRequests.Relabel(ctx, t.ID, want)
		if err != nil {
			return err
		}
		if len(added)+len(removed) > 0 {
			if err := m.issuables.AddSystemNotes(ctx, t, me, issuable.LabelNote(added, removed)); err != nil {
				return err
			}
		}
	}
	if p.milestone == nil {
		return nil
	}
	if *p.milestone == nil {
		return m.issuables.AddSystemNotes(ctx, t, me, issuable.MilestoneNote(nil))
	}
	found, err := m.store.Milestones.Find(ctx, store.OwnedByProject(row.Project), **p.milestone)
	if err != nil {
		return err
	}
	return m.issuables.AddSystemNotes(ctx, t, me, issuable.MilestoneNote(&found.Milestone))
}
