package issues

import (
	"context"
	"errors"
	"strings"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/discussion/note"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// GetIssue returns an issue by its ID.
// GET /issues/{id}
func (s *Issues) GetIssue(ctx context.Context, req gen.GetIssueRequestObject) (gen.GetIssueResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadAnyIssue); err != nil {
		return nil, err
	}
	found, err := s.store.Issues.GetByID(ctx, req.ID, access.Reader(ctx))
	if store.IsNotFound(err) {
		err = apierr.RecordNotFound()
	}
	if err != nil {
		return nil, err
	}
	shown, err := s.presentOne(ctx, "", found)
	return gen.GetIssue200JSONResponse(shown), err
}

// GetProjectIssue returns an issue.
// GET /projects/{id}/issues/{issue_iid}
func (s *Issues) GetProjectIssue(ctx context.Context, req gen.GetProjectIssueRequestObject) (gen.GetProjectIssueResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.ReadIssue)
	if err != nil {
		return nil, err
	}
	shown, err := s.presentOne(ctx, row.Project.FullPath, found)
	return gen.GetProjectIssue200JSONResponse(shown), err
}

// CreateProjectIssue creates an issue.
// POST /projects/{id}/issues
func (s *Issues) CreateProjectIssue(
	ctx context.Context, req gen.CreateProjectIssueRequestObject,
) (gen.CreateProjectIssueResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.CreateIssue)
	if err != nil {
		return nil, err
	}
	made, err := s.draft(ctx, row, *req.Body)
	if err != nil {
		return nil, err
	}
	input := issuable.LabelInput{Set: req.Body.Labels}
	users := valueOrNil(req.Body.AssigneeIds)
	if one := req.Body.AssigneeID.Ptr(); one != nil && req.Body.AssigneeIds == nil {
		users = []int64{*one}
	}
	if row.Role() < model.Reporter {
		input, users = issuable.LabelInput{}, nil
	} else if id := req.Body.MilestoneID.Ptr(); id != nil && *id != 0 {
		if _, err := s.milestone(ctx, row, *id); err != nil {
			return nil, err
		}
		made.MilestoneID = id
	}
	rest, orders := note.Split(model.OnIssue, wire.Value(made.Description))
	if len(orders) > 0 {
		made.Description = &rest
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.createIssue(ctx, row, &made, input, users); err != nil {
			return err
		}
		return s.noteService.RunQuickActions(ctx, row, model.OnIssue, made.ID, orders)
	})
	if err != nil {
		return nil, err
	}
	shown, err := s.reload(ctx, row, made.IID)
	return gen.CreateProjectIssue201JSONResponse(shown), err
}

// draft builds a new issue from the request. It ignores fields that the caller may not set.
func (s *Issues) draft(ctx context.Context, row model.ProjectRow, body gen.IssueCreate) (model.Issue, error) {
	made := model.Issue{
		ProjectID: row.Project.ID, AuthorID: callerID(ctx), Title: strings.TrimSpace(body.Title),
		Description: body.Description.Ptr(), State: model.Opened,
		IssueType: "issue", Severity: "UNKNOWN", Confidential: body.Confidential != nil && *body.Confidential,
	}
	if made.Title == "" {
		return made, apierr.Invalid("title", "can't be blank")
	}
	if body.IssueType != nil {
		made.IssueType = string(*body.IssueType)
	}
	due, err := day(body.DueDate)
	if err != nil {
		return made, err
	}
	if row.Role() >= model.Reporter {
		made.DueDate, made.DiscussionLocked = due, body.DiscussionLocked
		if s.show.Paid {
			made.Weight = body.Weight.Ptr()
		}
	}
	if row.Role() >= model.Owner {
		if body.Iid != nil {
			made.IID = *body.Iid
		}
		if body.CreatedAt != nil {
			made.CreatedAt = body.CreatedAt.UTC()
			if made.CreatedAt.After(time.Now().Add(time.Minute)) || made.CreatedAt.Year() < 1970 {
				return made, apierr.Invalid("created_at", "must be in the past")
			}
		}
	}
	return made, nil
}

// milestone finds a milestone of the project or of a group above it.
func (s *Issues) milestone(ctx context.Context, row model.ProjectRow, id int64) (model.MilestoneRow, error) {
	found, err := s.store.Milestones.Find(ctx, store.OwnedByProject(row.Project), id)
	if store.IsNotFound(err) {
		err = apierr.Invalid("milestone_id", "is invalid")
	}
	return found, err
}

// createIssue creates a new issue, with its event, to-dos and notifications.
func (s *Issues) createIssue(ctx context.Context, row model.ProjectRow, made *model.Issue, input issuable.LabelInput, users []int64) error {
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		target := issuable.IssueTarget(row.Project, *made, nil)
		doing, err := s.issuables.Assignable(ctx, target, users)
		if err != nil {
			return err
		}
		labels, err := s.issuables.Labels(ctx, row.Project, input, nil, true)
		if err != nil {
			return err
		}
		if err := s.store.Issues.Create(ctx, made, labels, doing); err != nil {
			return err
		}
		return s.recordCreated(ctx, row.Project, *made, doing)
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return apierr.Conflict("Duplicated issue")
	}
	return err
}

// recordCreated records a new issue: it writes the event, creates the to-dos and sends the notifications.
func (s *Issues) recordCreated(ctx context.Context, project model.Project, made model.Issue, doing []int64) error {
	target := issuable.IssueTarget(project, made, doing)
	if err := s.events.Activity(ctx, project, events.On(callerID(ctx), model.EventCreated, model.OnIssue, made.ID)); err != nil {
		return err
	}
	if err := s.issuables.AddAssignedTodos(ctx, target, callerID(ctx), doing); err != nil {
		return err
	}
	if err := s.issuables.AddMentionTodos(ctx, target, callerID(ctx), wire.Value(made.Description), "", nil); err != nil {
		return err
	}
	return s.issuables.Notify(ctx, target, callerID(ctx), events.NewIssue, nil)
}

// DeleteProjectIssue deletes an issue.
// DELETE /projects/{id}/issues/{issue_iid}
func (s *Issues) DeleteProjectIssue(
	ctx context.Context, req gen.DeleteProjectIssueRequestObject,
) (gen.DeleteProjectIssueResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.DestroyIssue)
	if err != nil {
		return nil, err
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.Issues.Delete(ctx, found.Issue.ID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
			return err
		}
		return s.events.Audit(ctx, events.Change{
			Type:    "delete_issue",
			Entity:  events.Project(row.Project),
			Target:  events.Target{Type: model.OnIssue, ID: found.Issue.ID, Details: found.Issue.Title},
			Message: "Removed issue", Remove: "issue",
		})
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectIssue204Response{}, nil
}
