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
	var plan *quickaction.Plan
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		row, plan, err = s.createWithCommands(ctx, item, n)
		if err == nil && plan != nil && row.Note.ID == 0 && plan.Unchanged() && !plan.Merge {
			err = apierr.Refused(plan.Summary())
		}
		return err
	})
	if err != nil || plan == nil {
		return row, nil, err
	}
	onlyCommands := row.Note.ID == 0
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

// createWithCommands carries out the quick actions in a text, except merging, and writes the rest of the text as a note,
// in the caller's transaction. The plan is nil if the text has no quick actions. If it has nothing else, the note has no
// id.
func (s *Service) createWithCommands(
	ctx context.Context, item Item, n NewNote,
) (row model.NoteRow, plan *quickaction.Plan, err error) {
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
	if n.Body = strings.TrimSpace(rest); n.Body != "" {
		if row, err = s.Create(ctx, item, n); err != nil {
			return row, nil, err
		}
	}
	plan, err = s.runCommands(ctx, item, commands)
	return row, plan, err
}

// CreateAll writes several notes on an item in one transaction, carries out their quick actions, and resolves or reopens
// their threads. first runs at the beginning of the transaction. Quick actions that change nothing are skipped. Merging
// comes last, after the commit, because it changes the repository. One mail notifies of all notes, and one more of internal
// ones, which fewer people can read.
func (s *Service) CreateAll(
	ctx context.Context, item Item, notes []NewNote, first func(ctx context.Context) error,
) error {
	var merge *quickaction.Plan
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		if err := first(ctx); err != nil {
			return err
		}
		var open, internal []int64
		for _, n := range notes {
			n.quiet = true
			row, plan, err := s.createWithCommands(ctx, item, n)
			switch {
			case err != nil:
				return err
			case row.Note.ID == 0: // it had only quick actions
			case row.Note.Internal:
				internal = append(internal, row.Note.ID)
			default:
				open = append(open, row.Note.ID)
			}
			if plan != nil && plan.Merge {
				merge = plan
			}
			if n.Thread == "" || n.Resolve == nil || item.CheckMayResolve() != nil {
				continue
			}
			if err := s.Resolve(ctx, item, n.Thread, 0, *n.Resolve); err != nil {
				return err
			}
		}
		if err := s.notify(ctx, item, open...); err != nil {
			return err
		}
		return s.notify(ctx, item, internal...)
	})
	if err != nil || merge == nil {
		return err
	}
	return s.mergeRequests.RunMerge(ctx, merge)
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
