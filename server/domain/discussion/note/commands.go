package note

import (
	"context"
	"strings"

	"svc/server/domain/discussion/quickaction"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// CreateOrRun carries out the quick actions in a text and writes the rest of the text as a note. If the text has only
// quick actions, the returned note has no id. All of it happens in one transaction, but actions that the caller may not
// perform, or whose object does not exist, are skipped, and the summary says so. Merging comes last, after the commit,
// because it changes the repository.
func (s *Service) CreateOrRun(
	ctx context.Context, item Item, n NewNote,
) (row model.NoteRow, result *quickaction.Result, err error) {
	rest, commands := quickaction.Split(item.On.Type, n.Body)
	if len(commands) == 0 {
		n.Body = rest
		row, err = s.Create(ctx, item, n)
		return row, nil, err
	}
	if err := CheckText(n.Body); err != nil {
		return row, nil, err
	}
	if err := item.CheckMayComment(); err != nil {
		return row, nil, err
	}
	onlyCommands := strings.TrimSpace(rest) == ""
	var plan *quickaction.Plan
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if !onlyCommands {
			n.Body = strings.TrimSpace(rest)
			if row, err = s.Create(ctx, item, n); err != nil {
				return err
			}
		}
		if plan, err = s.runCommands(ctx, item, commands); err != nil {
			return err
		}
		if onlyCommands && plan.Unchanged() && !plan.Merge {
			return apierr.Refused(plan.Summary())
		}
		return nil
	})
	if err != nil {
		return row, nil, err
	}
	if plan.Merge {
		if err := s.mergeRequests.RunMerge(ctx, plan); err != nil {
			return row, nil, err
		}
		if onlyCommands && plan.Unchanged() {
			return row, nil, apierr.Refused(plan.Summary())
		}
	}
	return row, plan.Result, nil
}

// runCommands carries out quick actions in the caller's transaction, except merging.
func (s *Service) runCommands(
	ctx context.Context, item Item, commands quickaction.Commands,
) (*quickaction.Plan, error) {
	plan, err := s.quickActions.Plan(ctx, item, commands)
	if err != nil {
		return plan, err
	}
	if item.On.Type == model.OnMergeRequest {
		return plan, s.mergeRequests.RunCommands(ctx, plan)
	}
	return plan, s.issues.RunCommands(ctx, plan)
}
