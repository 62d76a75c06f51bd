package note

import (
	"context"
	"slices"

	"svc/server/domain/issuable"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// Writers are the functions that carry out quick actions. Each does what the API operation does: it checks the same
// rules and has the same effects.
type Writers struct {
	Issue        func(ctx context.Context, row model.ProjectRow, iid int64, c issuable.Change) error
	MergeRequest func(ctx context.Context, row model.ProjectRow, iid int64, c issuable.Change) error
	Relate       func(ctx context.Context, row model.ProjectRow, iid int64, other model.IssueRow, duplicate bool) error
	Approve      func(ctx context.Context, row model.ProjectRow, iid int64, agree bool) error
	Merge        func(ctx context.Context, row model.ProjectRow, iid int64) (waits bool, err error)
}

// SetWriters sets the writers. The API areas that provide them are constructed after Talk.
func (t *Service) SetWriters(w Writers) { t.writers = w }

// plan is the result of several quick actions: one change of the item itself, and further steps.
type plan struct {
	*Service
	place     Item
	target    issuable.Target
	assignees []int64 // its assignees after the quick actions so far
	change    issuable.Change
	steps     []step
	merge     bool
	done      *ActionResult
}

// step is an effect of a quick action besides changing the item itself.
type step struct {
	do      func(ctx context.Context) error
	name    string // the key in Done.Changes
	with    any
	summary string
}

// runQuickActions carries out quick actions in the caller's transaction.
func (t *Service) runQuickActions(ctx context.Context, p Item, orders QuickActions) (plan, error) {
	doing, err := t.store.Noteables.Assignees(ctx, p.On)
	if err != nil {
		return plan{}, err
	}
	pl := plan{
		Service:   t,
		place:     p,
		assignees: doing,
		target:    p.target(model.Note{}),
		done:      &ActionResult{Changes: map[string]any{}, Summary: []string{}},
	}
	pl.target.Assignees = doing
	mine := p.Caller == p.On.AuthorID || slices.Contains(doing, p.Caller)
	for _, o := range orders {
		v := actionSpecs[o.name]
		if !pl.may(v.who, mine) {
			pl.fail(o, "you are not allowed to do that")
			continue
		}
		if err := v.read(ctx, &pl, o); err != nil {
			return pl, err
		}
	}
	return pl, pl.carryOut(ctx)
}

// may reports whether the caller may use a quick action, by the rule of the API operation that it stands for.
func (p *plan) may(who permission, mine bool) bool {
	least := model.Reporter
	if p.place.On.Type == model.OnMergeRequest {
		least = model.Developer
	}
	switch who {
	case everybody:
		return true
	case editors:
		return mine || p.place.Row.Role() >= least
	}
	return p.place.Row.Role() >= least
}

// fail adds the reason why a quick action was not carried out to the summary.
func (p *plan) fail(o quickAction, why string) {
	p.done.Summary = append(p.done.Summary, "Could not apply /"+o.name+": "+why+".")
}

// recordChange records what a quick action has changed.
func (p *plan) recordChange(name string, value any, text string) {
	p.done.Changes[name] = value
	p.done.Summary = append(p.done.Summary, text)
}

// idle reports whether nothing has changed.
func (p *plan) idle() bool { return len(p.done.Changes) == 0 }

func (p *plan) addStep(name string, with any, told string, do func(ctx context.Context) error) {
	p.steps = append(p.steps, step{do: do, name: name, with: with, summary: told})
}

// carryOut makes the change and then the steps. If the change is refused, carryOut fails as a whole, because half of
// the change may be written. A step that is refused has written nothing, so only that step is skipped.
func (p *plan) carryOut(ctx context.Context) error {
	if p.change.IsSet() {
		write := p.writers.Issue
		if p.place.On.Type == model.OnMergeRequest {
			write = p.writers.MergeRequest
		}
		if err := write(ctx, p.place.Row, p.place.On.IID, p.change); err != nil {
			if why, refused := refusal(err); refused {
				err = apierr.Refused(why)
			}
			return err
		}
	}
	for _, s := range p.steps {
		err := s.do(ctx)
		if err == nil {
			p.recordChange(s.name, s.with, s.summary)
			continue
		}
		why, refused := refusal(err)
		if !refused {
			return err
		}
		p.done.Summary = append(p.done.Summary, "Could not apply a quick action: "+why+".")
	}
	return nil
}

// mergeNow merges the merge request, after all other quick actions.
func (t *Service) mergeNow(ctx context.Context, p *plan) error {
	waits, err := t.writers.Merge(ctx, p.place.Row, p.place.On.IID)
	if err != nil {
		why, refused := refusal(err)
		if !refused {
			return err
		}
		p.fail(quickAction{name: "merge"}, why)
		return nil
	}
	text := "Merged this merge request."
	if waits {
		text = "Scheduled to merge this merge request when its pipeline succeeds."
	}
	p.recordChange("merge", true, text)
	return nil
}

// people finds the users with these names who can be assigned to the item, in the order of their ids.
func (p *plan) people(ctx context.Context, names []string) ([]int64, []string, error) {
	rows, err := p.store.Projects.Readers(ctx, p.place.Row.Project.ID, nil, names)
	if err != nil {
		return nil, nil, err
	}
	ids, called := make([]int64, len(rows)), map[int64]string{}
	for i, r := range rows {
		ids[i], called[r.UserID] = r.UserID, r.Username
	}
	kept, err := p.issuables.Assignable(ctx, p.target, ids)
	found := make([]string, len(kept))
	for i, id := range kept {
		found[i] = called[id]
	}
	return kept, found, err
}
