package epic

import (
	"context"
	"strconv"
	"strings"
	"time"

	"svc/server/domain/issuable"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// AssignIssue assigns an issue to an epic and removes it from the epic that it was assigned to before. It does nothing
// if the issue already belongs to the epic. The caller must be allowed to change both.
func (s *Service) AssignIssue(
	ctx context.Context, to model.EpicRow, project model.Project, i model.Issue,
) (model.EpicIssue, error) {
	if err := checkConfidential(to, i.Confidential); err != nil {
		return model.EpicIssue{}, err
	}
	var made model.EpicIssue
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		if _, err := s.store.Epics.Lock(ctx, to.Epic.ID); err != nil {
			return err
		}
		before, err := s.store.Epics.AssignmentOf(ctx, i.ID)
		if err == nil && before.EpicID == to.Epic.ID {
			made = before
			return nil
		}
		text := "added this issue to "
		if err == nil {
			text = "moved this issue to "
		} else if !store.IsNotFound(err) {
			return err
		}
		if made, err = s.store.Epics.AssignIssue(ctx, to.Epic.ID, i.ID); err != nil {
			return err
		}
		return s.noteIssue(ctx, project, i, "epic_issue_added", text+nameIn(project, to))
	})
	return made, err
}

// checkConfidential refuses to assign an issue that is not confidential to a confidential epic.
func checkConfidential(to model.EpicRow, confidential bool) error {
	if to.Epic.Confidential && !confidential {
		return apierr.Refused("Cannot assign an issue that is not confidential to a confidential epic")
	}
	return nil
}

// RemoveIssue removes an issue from an epic. With unmodifiedSince, it fails if the assignment has changed since then.
func (s *Service) RemoveIssue(
	ctx context.Context, from model.EpicRow, project model.Project, i model.Issue, assignmentID int64, unmodifiedSince *time.Time,
) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.Epics.RemoveIssue(ctx, assignmentID, unmodifiedSince); err != nil {
			return err
		}
		return s.noteIssue(ctx, project, i, "epic_issue_removed", "removed this issue from "+nameIn(project, from))
	})
}

// MoveIssue changes the place of an issue of an epic. The issue is given by the ID of its assignment.
func (s *Service) MoveIssue(ctx context.Context, in model.EpicRow, assignmentID int64, to Place) error {
	return s.move(ctx, in.Epic.ID, assignmentID, to, s.store.Epics.MoveIssue)
}

// noteIssue writes a system note in an issue and sets the time of its last change.
func (s *Service) noteIssue(ctx context.Context, project model.Project, i model.Issue, action, text string) error {
	if err := s.store.Issues.Touch(ctx, i.ID); err != nil {
		return err
	}
	on := issuable.IssueTarget(project, i, nil)
	return s.issuables.AddSystemNotes(ctx, on, callerID(ctx), issuable.SimpleNote(action, text))
}

// nameIn returns the name of an epic for the readers of a project. It hides the name of a confidential epic, and of an
// epic of a group that is not above the project, because not all of these readers can see it.
func nameIn(project model.Project, e model.EpicRow) string {
	if e.Epic.Confidential || !strings.HasPrefix(project.FullPath, e.GroupPath+"/") {
		return "an epic"
	}
	return "epic " + e.GroupPath + "&" + strconv.FormatInt(e.Epic.IID, 10)
}
