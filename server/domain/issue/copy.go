package issue

import (
	"context"

	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// Move moves an issue to another project: it creates a copy there, with the notes, and closes the issue. The caller
// must have the same rights in both projects, because the copy contains texts of other people.
func (s *Service) Move(ctx context.Context, from, to model.ProjectRow, found model.IssueRow) (model.Issue, error) {
	i := found.Issue
	switch {
	case to.Project.ID == from.Project.ID:
		return i, apierr.BadRequest("Cannot move issue to project it originates from!")
	case i.MovedToID != nil:
		return i, apierr.BadRequest("Cannot move issue due to insufficient permissions!")
	}
	made := copied(i, to.Project.ID)
	made.TimeEstimate, made.TotalTimeSpent, made.CreatedAt = i.TimeEstimate, i.TotalTimeSpent, i.CreatedAt
	made.State, made.ClosedAt, made.ClosedByID = i.State, i.ClosedAt, i.ClosedByID
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.copyTo(ctx, from, to, found, &made, true); err != nil {
			return err
		}
		if err := s.issuables.Hooks.IssueCreated(ctx, to.Project, made.ID, callerID(ctx)); err != nil {
			return err
		}
		return s.closeMoved(ctx, from, to, found, made)
	})
	return made, err
}

// Clone copies an issue into a project, with its notes if notes is true. The caller must have the same rights in both
// projects.
func (s *Service) Clone(
	ctx context.Context, from, to model.ProjectRow, found model.IssueRow, notes bool,
) (model.Issue, error) {
	made := copied(found.Issue, to.Project.ID)
	made.AuthorID = callerID(ctx)
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.copyTo(ctx, from, to, found, &made, notes); err != nil {
			return err
		}
		if err := s.recordCreated(ctx, to.Project, made, nil); err != nil {
			return err
		}
		if err := s.issuables.Hooks.IssueCreated(ctx, to.Project, made.ID, made.AuthorID); err != nil {
			return err
		}
		return s.noteCopy(ctx, from, to, found.Issue, made, "cloned")
	})
	return made, err
}

// copied returns a new issue with the content of another issue.
func copied(i model.Issue, projectID int64) model.Issue {
	return model.Issue{
		ProjectID: projectID, AuthorID: i.AuthorID, Title: i.Title, Description: i.Description, State: model.Opened,
		IssueType: i.IssueType, Confidential: i.Confidential, DueDate: i.DueDate, Severity: i.Severity,
		Weight: i.Weight,
	}
}

// copyTo creates a copy of an issue in another project. The copy gets the labels and the milestone that exist there
// with the same name, and the assignees who can see it. It also gets the notes if notes is true, and internal notes
// only if the caller may read them.
func (s *Service) copyTo(
	ctx context.Context, from, to model.ProjectRow, found model.IssueRow, made *model.Issue, notes bool,
) error {
	owner := store.OwnedByProject(to.Project)
	names := make([]string, len(found.Labels))
	for i, l := range found.Labels {
		names[i] = l.Name
	}
	labels, err := s.store.Labels.Named(ctx, owner, names, false)
	if err != nil {
		return err
	}
	if found.Milestone != nil {
		same, _, err := s.store.Milestones.List(
			ctx, owner, store.MilestoneFilter{Title: found.Milestone.Milestone.Title, Ancestors: true},
			store.Page{Limit: 1},
		)
		if err != nil {
			return err
		}
		if len(same) > 0 {
			made.MilestoneID = &same[0].Milestone.ID
		}
	}
	assignees, err := s.issuables.Assignable(ctx, issuable.IssueTarget(to.Project, *made, nil), AssigneeIDs(found))
	if err != nil {
		return err
	}
	if err := s.store.Issues.Create(ctx, made, labels, assignees); err != nil {
		return err
	}
	if err := s.recordParts(ctx, to.Project, *made, labels); err != nil || !notes {
		return err
	}
	return s.store.Notes.Copy(ctx, model.OnIssue, found.Issue.ID, made.ID, to.Project.ID, access.ReadsInternal(from))
}

// closeMoved closes an issue that was moved. The original and the copy get a note that names the other one.
func (s *Service) closeMoved(
	ctx context.Context, from, to model.ProjectRow, found model.IssueRow, made model.Issue,
) error {
	before, err := s.store.Issues.Lock(ctx, found.Issue.ID)
	if err != nil {
		return err
	}
	watch, err := s.issuables.Hooks.WatchIssue(ctx, from.Project, before.ID)
	if err != nil {
		return err
	}
	after, err := s.store.Issues.Update(ctx, before, map[string]any{"moved_to_id": made.ID})
	if err != nil {
		return err
	}
	if err := s.noteCopy(ctx, from, to, after, made, "moved"); err != nil {
		return err
	}
	if _, err := s.issuables.SetState(ctx, from.Project, after, callerID(ctx), model.Closed, ""); err != nil {
		return err
	}
	return watch.Announce(ctx, callerID(ctx), 0)
}

// noteCopy writes a note in an issue and in its copy that names the other one.
func (s *Service) noteCopy(ctx context.Context, from, to model.ProjectRow, i, made model.Issue, action string) error {
	original, author := issuable.IssueTarget(from.Project, i, nil), callerID(ctx)
	text := action + " to " + placeOf(to.Project, made, i)
	if err := s.issuables.AddSystemNotes(ctx, original, author, issuable.SimpleNote(action, text)); err != nil {
		return err
	}
	text = action + " from " + placeOf(from.Project, i, made)
	return s.issuables.AddSystemNotes(
		ctx, issuable.IssueTarget(to.Project, made, nil), author, issuable.SimpleNote(action, text),
	)
}

// placeOf returns the name of an issue for a note in another issue, reads. If some readers of that note may not see the
// issue, the name gives nothing away.
func placeOf(p model.Project, i, reads model.Issue) string {
	public := p.Visibility == model.Public && p.IssuesAccessLevel == model.FeatureEnabled
	switch {
	case !i.Confidential && (public || i.ProjectID == reads.ProjectID):
		return p.FullPath + reference(i)
	case i.ProjectID == reads.ProjectID:
		return "another issue"
	}
	return "another project"
}
