package issue

import (
	"context"
	"errors"
	"strings"
	"time"

	"svc/openapi/wire"
	"svc/server/domain/discussion"
	"svc/server/domain/discussion/quickaction"
	"svc/server/domain/issuable"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// New describes an issue to create. Fields that the caller may not set are ignored.
type New struct {
	Title            string
	Description      *string // can hold quick actions
	Type             string  // empty for "issue"
	Confidential     bool
	Labels           *[]string
	AssigneeIDs      []int64
	MilestoneID      *int64
	DueDate          *time.Time
	DiscussionLocked *bool
	Weight           *int64
	IterationID      *int64
	EpicID           *int64
	IID              int64 // 0 for the next one
	CreatedAt        *time.Time
}

// Create creates an issue with its event, to-dos and notifications, and carries out the quick actions in its
// description. It returns the issue as its author sees it.
func (s *Service) Create(ctx context.Context, row model.ProjectRow, n New) (model.IssueRow, error) {
	made, err := s.draft(ctx, row, n)
	if err != nil {
		return model.IssueRow{}, err
	}
	labels, assignees := issuable.LabelInput{Set: n.Labels}, n.AssigneeIDs
	if row.Role() < model.Reporter {
		labels, assignees = issuable.LabelInput{}, nil
	} else if err := s.schedule(ctx, row, n, &made); err != nil {
		return model.IssueRow{}, err
	}
	epic, err := s.epicOf(ctx, row, n)
	if err != nil {
		return model.IssueRow{}, err
	}
	rest, commands := quickaction.Split(model.OnIssue, wire.Value(made.Description))
	if len(commands) > 0 {
		made.Description = &rest
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		ctx, err := s.issuables.Hooks.Expect(ctx, row.Project)
		if err != nil {
			return err
		}
		if err := s.insert(ctx, row, &made, labels, assignees); err != nil {
			return err
		}
		if epic != nil {
			if _, err := s.epics.AssignIssue(ctx, *epic, row.Project, made); err != nil {
				return err
			}
		}
		if err := s.runDescription(ctx, row, made.ID, commands); err != nil {
			return err
		}
		return s.issuables.Hooks.IssueCreated(ctx, row.Project, made.ID, made.AuthorID)
	})
	if err != nil {
		return model.IssueRow{}, err
	}
	if len(commands) > 0 || n.hasParts() {
		return s.Get(ctx, row, made.IID)
	}
	author := reqctx.Of(ctx).Actor.User.Basic()
	return model.IssueRow{Issue: made, ProjectPath: row.Project.FullPath, Author: &author, Subscribed: true}, nil
}

// hasParts reports whether a new issue has more than its own row, or values that the database rounds.
func (n New) hasParts() bool {
	return n.Labels != nil || len(n.AssigneeIDs) > 0 || n.MilestoneID != nil || n.IterationID != nil || n.EpicID != nil ||
		n.DueDate != nil || n.CreatedAt != nil
}

// schedule sets the milestone and the iteration of a new issue.
func (s *Service) schedule(ctx context.Context, row model.ProjectRow, n New, made *model.Issue) error {
	if n.MilestoneID != nil && *n.MilestoneID != 0 {
		if _, err := s.milestone(ctx, row, *n.MilestoneID); err != nil {
			return err
		}
		made.MilestoneID = n.MilestoneID
	}
	if n.IterationID != nil && *n.IterationID != 0 {
		if _, err := s.iteration(ctx, row, *n.IterationID); err != nil {
			return err
		}
		made.IterationID = n.IterationID
	}
	return nil
}

// draft builds a new issue. It ignores fields that the caller may not set.
func (s *Service) draft(ctx context.Context, row model.ProjectRow, n New) (model.Issue, error) {
	made := model.Issue{
		ProjectID: row.Project.ID, AuthorID: callerID(ctx), Title: strings.TrimSpace(n.Title),
		Description: n.Description, State: model.Opened, IssueType: "issue", Severity: "UNKNOWN",
		Confidential: n.Confidential,
	}
	if made.Title == "" {
		return made, apierr.Invalid("title", "can't be blank")
	}
	if n.Type != "" {
		made.IssueType = n.Type
	}
	if err := checkDueDate(n.DueDate); err != nil {
		return made, err
	}
	if row.Role() >= model.Reporter {
		made.DueDate, made.DiscussionLocked = n.DueDate, n.DiscussionLocked
		if s.paid {
			made.Weight = n.Weight
		}
	}
	if row.Role() >= model.Owner {
		made.IID = n.IID
		if n.CreatedAt != nil {
			made.CreatedAt = n.CreatedAt.UTC()
			if made.CreatedAt.After(clock.Now(ctx).Add(time.Minute)) || made.CreatedAt.Year() < 1970 {
				return made, apierr.Invalid("created_at", "must be in the past")
			}
		}
	}
	return made, nil
}

// checkDueDate refuses years outside 1 to 9999.
func checkDueDate(day *time.Time) error {
	if day != nil && (day.Year() < 1 || day.Year() > 9999) {
		return apierr.Invalid("due_date", "is not a valid date")
	}
	return nil
}

// insert writes a new issue, with its event, to-dos and notifications.
func (s *Service) insert(
	ctx context.Context, row model.ProjectRow, made *model.Issue, input issuable.LabelInput, users []int64,
) error {
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		assignees, err := s.issuables.Assignable(ctx, issuable.IssueTarget(row.Project, *made, nil), users)
		if err != nil {
			return err
		}
		labels, err := s.issuables.Labels(ctx, row.Project, input, nil, true)
		if err != nil {
			return err
		}
		if err := s.store.Issues.Create(ctx, made, labels, assignees); err != nil {
			return err
		}
		if err := s.recordParts(ctx, row.Project, *made, labels); err != nil {
			return err
		}
		return s.recordCreated(ctx, row.Project, *made, assignees)
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return apierr.Conflict("Duplicated issue")
	}
	return err
}

// recordParts records the labels, the milestone, the iteration and the weight of a new issue.
func (s *Service) recordParts(ctx context.Context, project model.Project, made model.Issue, labels []model.Label) error {
	target, author := issuable.IssueTarget(project, made, nil), callerID(ctx)
	if err := s.issuables.RecordLabels(ctx, target, author, labels, nil); err != nil {
		return err
	}
	if err := s.issuables.RecordIteration(ctx, target, author, nil, made.IterationID); err != nil {
		return err
	}
	if err := s.issuables.RecordMilestone(ctx, target, author, nil, made.MilestoneID); err != nil || made.Weight == nil {
		return err
	}
	return s.issuables.RecordWeight(ctx, target, author, made.Weight)
}

// recordCreated records a new issue: it writes the event, creates the to-dos and sends the notifications.
func (s *Service) recordCreated(ctx context.Context, project model.Project, made model.Issue, assignees []int64) error {
	target, author := issuable.IssueTarget(project, made, assignees), callerID(ctx)
	event := events.On(author, model.EventCreated, model.OnIssue, made.ID)
	if err := s.events.Activity(ctx, project, event); err != nil {
		return err
	}
	if err := s.issuables.AddAssignedTodos(ctx, target, author, assignees); err != nil {
		return err
	}
	if err := s.issuables.AddMentionTodos(ctx, target, author, wire.Value(made.Description), "", nil); err != nil {
		return err
	}
	return s.issuables.Notify(ctx, target, author, events.NewIssue, nil)
}

// runDescription carries out the quick actions in the description of a new issue. It skips actions that fail.
func (s *Service) runDescription(
	ctx context.Context, row model.ProjectRow, id int64, commands quickaction.Commands,
) error {
	if len(commands) == 0 {
		return nil
	}
	on, err := s.store.Noteables.Get(ctx, model.OnIssue, id)
	if err != nil {
		return err
	}
	plan, err := s.quickActions.Plan(ctx, discussion.Item{Row: row, On: on, Caller: callerID(ctx)}, commands)
	if err != nil {
		return err
	}
	return s.RunCommands(ctx, plan)
}
