package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// ResourceEvents holds the changes of labels, states, milestones and weights of issues, merge requests and epics.
type ResourceEvents struct{ *base }

// Add adds events.
func (s ResourceEvents) Add(ctx context.Context, rows ...model.ResourceEvent) error {
	if len(rows) == 0 {
		return nil
	}
	return query.Translate(s.db.Write(ctx).Create(rows).Error)
}

// List returns one page of the events of one kind of an issue or merge request, by id.
func (s ResourceEvents) List(
	ctx context.Context, on model.Noteable, kind string, descending bool, p Page,
) ([]model.ResourceEventRow, Total, error) {
	order := "id"
	if descending {
		order = "id DESC"
	}
	rows, total, err := query.List[model.ResourceEvent](eventsOn(s.db.Read(ctx), on, kind).Order(order), p)
	if err != nil {
		return nil, total, err
	}
	shown, err := s.complete(ctx, rows)
	return shown, total, err
}

// Get returns an event of one kind of an issue or merge request.
func (s ResourceEvents) Get(ctx context.Context, on model.Noteable, kind string, id int64) (model.ResourceEventRow, error) {
	row, err := query.Take[model.ResourceEvent](eventsOn(s.db.Read(ctx), on, kind).Where("id = ?", id), "")
	if err != nil {
		return model.ResourceEventRow{}, err
	}
	shown, err := s.complete(ctx, []model.ResourceEvent{row})
	if err != nil {
		return model.ResourceEventRow{}, err
	}
	return shown[0], nil
}

// eventsOn limits a query to the events of one kind of an issue or merge request.
func eventsOn(q *gorm.DB, on model.Noteable, kind string) *gorm.DB {
	column := "issue_id"
	switch on.Type {
	case model.OnMergeRequest:
		column = "merge_request_id"
	case model.OnEpic:
		column = "epic_id"
	}
	return q.Where(column+" = ? AND kind = ?", on.ID, kind)
}

// complete adds users, labels and milestones to events, with one query each.
func (s ResourceEvents) complete(ctx context.Context, rows []model.ResourceEvent) ([]model.ResourceEventRow, error) {
	people, labels, milestones, iterations := map[int64]bool{}, map[int64]bool{}, map[int64]bool{}, map[int64]bool{}
	for _, e := range rows {
		for _, part := range []struct {
			wanted map[int64]bool
			id     *int64
		}{{people, e.UserID}, {labels, e.LabelID}, {milestones, e.MilestoneID}, {iterations, e.IterationID}} {
			if part.id != nil {
				part.wanted[*part.id] = true
			}
		}
	}
	users, err := Users(s).shown(ctx, people)
	if err != nil {
		return nil, err
	}
	tags, err := byID(ctx, s.base, labels, func(l *model.Label) int64 { return l.ID })
	if err != nil {
		return nil, err
	}
	goals, err := s.milestonesOf(ctx, milestones)
	if err != nil {
		return nil, err
	}
	sprints, err := s.iterationsOf(ctx, iterations)
	if err != nil {
		return nil, err
	}
	out := make([]model.ResourceEventRow, len(rows))
	for i, e := range rows {
		out[i] = model.ResourceEventRow{
			Event: e, User: of(users, e.UserID), Label: of(tags, e.LabelID), Milestone: of(goals, e.MilestoneID),
			Iteration: of(sprints, e.IterationID),
		}
	}
	return out, nil
}
