package mergerequest

import (
	"context"
	"slices"
	"strings"

	"svc/server/domain/issuable"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// relabel changes the labels and writes the system notes about labels and milestone.
func (s *Service) relabel(ctx context.Context, project model.Project, t issuable.Target, p Parts) error {
	me := caller(ctx)
	if p.Labels.IsSet() {
		has, err := s.store.MergeRequests.Labels(ctx, t.ID)
		if err != nil {
			return err
		}
		want, err := s.issuables.Labels(ctx, project, p.Labels, has, true)
		if err != nil {
			return err
		}
		added, removed, err := s.store.MergeRequests.Relabel(ctx, t.ID, want)
		if err != nil {
			return err
		}
		if len(added)+len(removed) > 0 {
			if err := s.issuables.AddSystemNotes(ctx, t, me, issuable.LabelNote(added, removed)); err != nil {
				return err
			}
			if err := s.issuables.RecordLabels(ctx, t, me, added, removed); err != nil {
				return err
			}
		}
	}
	if p.Milestone == nil {
		return nil
	}
	if *p.Milestone == nil {
		return s.issuables.AddSystemNotes(ctx, t, me, issuable.MilestoneNote(nil))
	}
	found, err := s.store.Milestones.Find(ctx, store.OwnedByProject(project), **p.Milestone)
	if err != nil {
		return err
	}
	return s.issuables.AddSystemNotes(ctx, t, me, issuable.MilestoneNote(&found.Milestone))
}

// reassign changes the assignees of a merge request, adds to-dos for the new assignees and sends the notifications.
func (s *Service) reassign(ctx context.Context, t issuable.Target, p Parts) error {
	if p.Assignees == nil {
		return nil
	}
	before, err := s.store.MergeRequests.AssigneeIDs(ctx, t.ID)
	if err != nil {
		return err
	}
	after, err := s.issuables.Assignable(ctx, t, *p.Assignees)
	if err != nil || slices.Equal(before, after) {
		return err
	}
	if err := s.store.MergeRequests.Assign(ctx, t.ID, after); err != nil {
		return err
	}
	added, removed, err := s.names(ctx, before, after)
	if err != nil {
		return err
	}
	me := caller(ctx)
	if err := s.issuables.AddSystemNotes(ctx, t, me, issuable.AssigneeNote(added, removed)); err != nil {
		return err
	}
	if err := s.issuables.AddAssignedTodos(ctx, t, me, without(after, before)); err != nil {
		return err
	}
	return s.issuables.Notify(ctx, t, me, events.ReassignMergeRequest, before)
}

// requestReviews changes the reviewers of a merge request, adds to-dos for the new reviewers and sends the
// notifications.
func (s *Service) requestReviews(ctx context.Context, t issuable.Target, p Parts) error {
	if p.Reviewers == nil {
		return nil
	}
	before, err := s.store.MergeRequests.ReviewerIDs(ctx, t.ID)
	if err != nil {
		return err
	}
	after, err := s.issuables.Assignable(ctx, t, *p.Reviewers)
	if err != nil || slices.Equal(before, after) {
		return err
	}
	if err := s.store.MergeRequests.SetReviewers(ctx, t.ID, after); err != nil {
		return err
	}
	added, removed, err := s.names(ctx, before, after)
	if err != nil {
		return err
	}
	me := caller(ctx)
	if err := s.issuables.AddSystemNotes(ctx, t, me, reviewerNote(added, removed)); err != nil {
		return err
	}
	if err := s.issuables.AddTodos(ctx, t, me, model.TodoReviewRequested, without(after, before)); err != nil {
		return err
	}
	return s.issuables.Notify(ctx, t, me, events.ReviewMergeRequest, before)
}

// reviewerNote is the system note about added and removed reviewers.
func reviewerNote(added, removed []string) issuable.SystemNote {
	var texts []string
	if len(added) > 0 {
		texts = append(texts, "requested review from @"+strings.Join(added, " @"))
	}
	if len(removed) > 0 {
		texts = append(texts, "removed review request for @"+strings.Join(removed, " @"))
	}
	return issuable.SimpleNote("reviewer", strings.Join(texts, " and "))
}

// names returns the usernames of the added and of the removed users.
func (s *Service) names(ctx context.Context, before, after []int64) (added, removed []string, err error) {
	wanted := map[int64]bool{}
	for _, id := range slices.Concat(before, after) {
		wanted[id] = true
	}
	users, err := s.store.Users.Shown(ctx, wanted)
	if err != nil {
		return nil, nil, err
	}
	name := func(ids []int64) []string {
		var names []string
		for _, id := range ids {
			if u := users[id]; u != nil {
				names = append(names, u.Username)
			}
		}
		return names
	}
	return name(without(after, before)), name(without(before, after)), nil
}

// without returns the IDs in all that are not in but.
func without(all, but []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(all), func(id int64) bool { return slices.Contains(but, id) })
}
