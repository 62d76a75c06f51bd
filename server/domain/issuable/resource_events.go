package issuable

import (
	"context"

	"svc/store/model"
)

// RecordLabels records the labels that a user added to a target and removed from it.
func (s *Service) RecordLabels(ctx context.Context, t Target, userID int64, added, removed []model.Label) error {
	rows := make([]model.ResourceEvent, 0, len(added)+len(removed))
	for _, l := range added {
		e := t.resourceEvent(model.LabelEvents, userID, model.ResourceAdded)
		e.LabelID = &l.ID
		rows = append(rows, e)
	}
	for _, l := range removed {
		e := t.resourceEvent(model.LabelEvents, userID, model.ResourceRemoved)
		e.LabelID = &l.ID
		rows = append(rows, e)
	}
	return s.store.ResourceEvents.Add(ctx, rows...)
}

// RecordState records that a user closed, reopened or merged a target. state is one of model.EventClosed,
// model.EventReopened and model.EventMerged.
func (s *Service) RecordState(ctx context.Context, t Target, userID int64, state string) error {
	return s.store.ResourceEvents.Add(ctx, t.resourceEvent(model.StateEvents, userID, state))
}

// RecordMilestone records another milestone of a target: the removal of the old one, if there was one, and the new one.
func (s *Service) RecordMilestone(ctx context.Context, t Target, userID int64, before, after *int64) error {
	var rows []model.ResourceEvent
	for _, part := range []struct {
		action string
		id     *int64
	}{{model.ResourceRemoved, before}, {model.ResourceAdded, after}} {
		if part.id == nil {
			continue
		}
		e := t.resourceEvent(model.MilestoneEvents, userID, part.action)
		e.MilestoneID = part.id
		rows = append(rows, e)
	}
	return s.store.ResourceEvents.Add(ctx, rows...)
}

// RecordIteration records another iteration of an issue: the removal of the old one, if there was one, and the new one.
func (s *Service) RecordIteration(ctx context.Context, t Target, userID int64, before, after *int64) error {
	var rows []model.ResourceEvent
	if before != nil {
		e := t.resourceEvent(model.IterationEvents, userID, model.ResourceRemoved)
		e.IterationID = before
		rows = append(rows, e)
	}
	if after != nil {
		e := t.resourceEvent(model.IterationEvents, userID, model.ResourceAdded)
		e.IterationID = after
		rows = append(rows, e)
	}
	return s.store.ResourceEvents.Add(ctx, rows...)
}

// RecordWeight records a new weight of an issue; nil means that it was removed.
func (s *Service) RecordWeight(ctx context.Context, t Target, userID int64, weight *int64) error {
	e := t.resourceEvent(model.WeightEvents, userID, model.ResourceAdded)
	if weight == nil {
		e.Action = model.ResourceRemoved
	}
	e.Weight = weight
	return s.store.ResourceEvents.Add(ctx, e)
}

// resourceEvent returns an event about the target.
func (t Target) resourceEvent(kind string, userID int64, action string) model.ResourceEvent {
	e := model.ResourceEvent{Kind: kind, UserID: &userID, Action: action}
	switch t.Type {
	case model.OnMergeRequest:
		e.MergeRequestID = &t.ID
	case model.OnEpic:
		e.EpicID = &t.ID
	default:
		e.IssueID = &t.ID
	}
	return e
}
