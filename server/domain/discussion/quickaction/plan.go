package quickaction

import (
	"context"
	"slices"
	"strings"

	"svc/server/domain/discussion"
	"svc/server/domain/issuable"
	"svc/store/model"
)

// Result describes what the quick actions of a text have changed.
type Result struct {
	Changes map[string]any
	Summary []string
}

// Plan holds the effects of several quick actions: one change of the item itself, and further steps. Run applies the
// change first and then the steps, all in one transaction. If the change is refused, everything fails, because half of
// the change may be written. A step that is refused has written nothing, so only that step is skipped.
type Plan struct {
	Item   discussion.Item
	Change issuable.Change
	Steps  []Step
	Merge  bool // merge the merge request at last, after the commit, because that changes the repository
	Result *Result

	service   *Service
	target    issuable.Target
	assignees []int64 // the assignees after the quick actions so far
}

// Step is an effect of a quick action besides changing the item itself. Exactly one of Relate, Approve and Do is set.
type Step struct {
	Relate  *Relation                       // of an issue
	Approve *bool                           // of a merge request: approve it, or take the approval back
	Do      func(ctx context.Context) error // every other step

	name    string // the key in Result.Changes
	value   any
	summary string
}

// Relation is a step that relates an issue to another one.
type Relation struct {
	Other     model.IssueRow
	Duplicate bool // the issue is a duplicate of the other one
}

// Plan plans quick actions. Actions that the caller may not perform, or whose object does not exist, are skipped, and
// the summary says so.
func (s *Service) Plan(ctx context.Context, item discussion.Item, commands Commands) (*Plan, error) {
	assignees, err := s.store.Noteables.Assignees(ctx, item.On)
	if err != nil {
		return nil, err
	}
	p := &Plan{
		Item:      item,
		Result:    &Result{Changes: map[string]any{}, Summary: []string{}},
		service:   s,
		target:    item.Target(false),
		assignees: assignees,
	}
	p.target.Assignees = assignees
	mine := item.Caller == item.On.AuthorID || slices.Contains(assignees, item.Caller)
	for _, c := range commands {
		v := specs[c.Name]
		if !p.may(v.who, mine) {
			p.fail(c, "you are not allowed to do that")
			continue
		}
		if err := v.plan(ctx, p, c); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// may reports whether the caller may use a quick action, by the rule of the API operation that it stands for.
func (p *Plan) may(who permission, mine bool) bool {
	least := model.Reporter
	if p.Item.On.Type == model.OnMergeRequest {
		least = model.Developer
	}
	switch who {
	case everybody:
		return true
	case editors:
		return mine || p.Item.Row.Role() >= least
	}
	return p.Item.Row.Role() >= least
}

// fail adds the reason why a quick action was not carried out to the summary.
func (p *Plan) fail(c Command, why string) {
	p.Result.Summary = append(p.Result.Summary, "Could not apply /"+c.Name+": "+why+".")
}

// record records what a quick action has changed.
func (p *Plan) record(name string, value any, text string) {
	p.Result.Changes[name] = value
	p.Result.Summary = append(p.Result.Summary, text)
}

// addStep adds a step that needs nothing from the domain of the item.
func (p *Plan) addStep(name string, value any, summary string, do func(ctx context.Context) error) {
	p.Steps = append(p.Steps, Step{Do: do, name: name, value: value, summary: summary})
}

// Unchanged reports whether nothing has changed.
func (p *Plan) Unchanged() bool { return len(p.Result.Changes) == 0 }

// Summary returns the summary as one text.
func (p *Plan) Summary() string { return strings.Join(p.Result.Summary, " ") }

// Run applies the change of the item and then runs the steps, in the caller's transaction, and records the outcomes.
func (p *Plan) Run(apply func(issuable.Change) error, run func(Step) error) error {
	if p.Change.IsSet() {
		if err := apply(p.Change); err != nil {
			return explainRefusal(err)
		}
	}
	for _, step := range p.Steps {
		if err := p.recordStep(step, run(step)); err != nil {
			return err
		}
	}
	return nil
}

// recordStep records the outcome of a step. It returns the error only if it is a failure of the service.
func (p *Plan) recordStep(step Step, err error) error {
	if err == nil {
		p.record(step.name, step.value, step.summary)
		return nil
	}
	why, refused := refusal(err)
	if !refused {
		return err
	}
	p.Result.Summary = append(p.Result.Summary, "Could not apply a quick action: "+why+".")
	return nil
}

// RecordMerge records the outcome of merging. It returns the error only if it is a failure of the service.
func (p *Plan) RecordMerge(waits bool, err error) error {
	if err != nil {
		why, refused := refusal(err)
		if !refused {
			return err
		}
		p.fail(Command{Name: "merge"}, why)
		return nil
	}
	text := "Merged this merge request."
	if waits {
		text = "Scheduled to merge this merge request when its pipeline succeeds."
	}
	p.record("merge", true, text)
	return nil
}
