package mergerequest

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Create writes a prepared merge request with its version, to-dos, references, events and notifications, and carries out
// the quick actions in its description. If another open merge request has the same branches, it returns a 409 with its
// number.
func (s *Service) Create(ctx context.Context, p Prepared) (created model.MergeRequest, err error) {
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if created, err = s.insert(ctx, p); err != nil {
			return err
		}
		if err := s.runDescription(ctx, p.Target, created.ID, p.commands); err != nil {
			return err
		}
		return s.issuables.Hooks.MergeRequestCreated(ctx, p.Target.Project, created)
	})
	if isOpenConflict(err) {
		err = s.openConflict(ctx, p.row)
	}
	return created, err
}

// insert writes a prepared merge request with its version, to-dos, references, events and notifications.
func (s *Service) insert(ctx context.Context, p Prepared) (model.MergeRequest, error) {
	mr, project := p.row, p.Target.Project
	if p.parts.Milestone != nil {
		mr.MilestoneID = *p.parts.Milestone
	}
	at := now(ctx)
	mr.PreparedAt = &at
	if err := s.store.MergeRequests.Create(ctx, &mr); err != nil {
		return mr, err
	}
	if err := s.merger.AddVersion(ctx, mr, p.comparison); err != nil {
		return mr, err
	}
	t := issuable.MergeRequestTarget(project, mr)
	if err := s.issuables.RecordMilestone(ctx, t, mr.AuthorID, nil, mr.MilestoneID); err != nil {
		return mr, err
	}
	if err := s.setParts(ctx, t, p.parts); err != nil {
		return mr, err
	}
	text := mr.Title + "\n" + wire.Value(mr.Description)
	if err := s.issuables.StoreReferences(ctx, project, mr.ID, text, access.Reader(ctx)); err != nil {
		return mr, err
	}
	if err := s.issuables.AddMentionTodos(ctx, t, mr.AuthorID, text, "", nil); err != nil {
		return mr, err
	}
	created := events.On(mr.AuthorID, model.EventCreated, model.OnMergeRequest, mr.ID)
	if err := s.events.Activity(ctx, project, created); err != nil {
		return mr, err
	}
	if err := s.issuables.Notify(ctx, t, mr.AuthorID, events.NewMergeRequest, nil); err != nil {
		return mr, err
	}
	return mr, s.merger.ScheduleRefresh(ctx, mr, mr.AuthorID)
}

// setParts sets the assignees, reviewers and labels of a new merge request.
func (s *Service) setParts(ctx context.Context, t issuable.Target, p Parts) error {
	if p.Labels.IsSet() {
		labels, err := s.issuables.Labels(ctx, t.Project, p.Labels, nil, true)
		if err != nil {
			return err
		}
		added, _, err := s.store.MergeRequests.Relabel(ctx, t.ID, labels)
		if err != nil {
			return err
		}
		if err := s.issuables.RecordLabels(ctx, t, caller(ctx), added, nil); err != nil {
			return err
		}
	}
	if p.Assignees != nil {
		users, err := s.issuables.Assignable(ctx, t, *p.Assignees)
		if err != nil {
			return err
		}
		err = errors.Join(
			s.store.MergeRequests.Assign(ctx, t.ID, users),
			s.issuables.AddAssignedTodos(ctx, t, caller(ctx), users),
		)
		if err != nil {
			return err
		}
	}
	if p.Reviewers == nil {
		return nil
	}
	users, err := s.issuables.Assignable(ctx, t, *p.Reviewers)
	if err != nil {
		return err
	}
	return errors.Join(
		s.store.MergeRequests.SetReviewers(ctx, t.ID, users),
		s.issuables.AddTodos(ctx, t, caller(ctx), model.TodoReviewRequested, users),
	)
}

// isOpenConflict reports whether a write failed because another open merge request has the same branches.
func isOpenConflict(err error) bool {
	var taken *store.ConflictError
	return errors.As(err, &taken) && taken.Constraint == "merge_requests_open"
}

// openConflict returns the conflict with the open merge request that has the same source and target branch.
func (s *Service) openConflict(ctx context.Context, mr model.MergeRequest) error {
	iid, err := s.store.MergeRequests.FindOpenIID(ctx, *mr.SourceProjectID, mr.SourceBranch, mr.ProjectID, mr.TargetBranch)
	if err != nil {
		return err
	}
	return conflict(fmt.Sprintf("Another open merge request already exists for this source branch: !%d", iid))
}

// conflict returns a 409 in the format that clients expect: {"message": [text]}.
func conflict(text string) error {
	return &apierr.Error{Status: http.StatusConflict, Body: apierr.Body{Message: []string{text}}}
}
