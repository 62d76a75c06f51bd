package quickaction

import (
	"context"
	"regexp"
	"slices"
	"strings"
)

var userName = regexp.MustCompile(`@?([A-Za-z0-9_][A-Za-z0-9_.-]{0,254})`)

// named finds the users that a quick action names. If it finds none, it records that the action failed.
func (p *Plan) named(ctx context.Context, c Command) ([]int64, string, error) {
	var names []string
	for _, m := range userName.FindAllStringSubmatch(c.Argument, maxNames) {
		names = append(names, strings.TrimRight(m[1], ".-"))
	}
	if i := slices.Index(names, "me"); i >= 0 {
		me, err := p.service.store.Users.Get(ctx, p.Item.Caller)
		if err != nil {
			return nil, "", err
		}
		names[i] = me.Username
	}
	ids, found, err := p.people(ctx, names)
	if err == nil && len(ids) == 0 {
		p.fail(c, "the user was not found")
	}
	return ids, "@" + strings.Join(found, " @"), err
}

func assign(ctx context.Context, p *Plan, c Command) error {
	ids, names, err := p.named(ctx, c)
	if err != nil || len(ids) == 0 {
		return err
	}
	if c.Name == "reassign" {
		p.assignees = nil
	}
	p.assignees = union(p.assignees, ids)
	after := slices.Clone(p.assignees)
	p.Change.Assignees = &after
	p.record("assignee_ids", after, "Assigned "+names+".")
	return nil
}

func unassign(ctx context.Context, p *Plan, c Command) error {
	gone, names := p.assignees, "all assignees"
	if c.Argument != "" {
		var err error
		if gone, names, err = p.named(ctx, c); err != nil || len(gone) == 0 {
			return err
		}
	}
	p.assignees = without(p.assignees, gone)
	after := slices.Clone(p.assignees)
	p.Change.Assignees = &after
	p.record("assignee_ids", after, "Removed "+names+".")
	return nil
}

// reviewers returns the reviewers of the merge request after the quick actions so far.
func (p *Plan) reviewers(ctx context.Context) ([]int64, error) {
	if p.Change.Reviewers != nil {
		return *p.Change.Reviewers, nil
	}
	return p.service.store.MergeRequests.ReviewerIDs(ctx, p.Item.On.ID)
}

func review(ctx context.Context, p *Plan, c Command) error {
	ids, names, err := p.named(ctx, c)
	if err != nil || len(ids) == 0 {
		return err
	}
	now, err := p.reviewers(ctx)
	after := union(now, ids)
	p.Change.Reviewers = &after
	p.record("reviewer_ids", after, "Requested a review from "+names+".")
	return err
}

func unreview(ctx context.Context, p *Plan, c Command) error {
	now, err := p.reviewers(ctx)
	if err != nil {
		return err
	}
	gone, names := now, "all reviewers"
	if c.Argument != "" {
		if gone, names, err = p.named(ctx, c); err != nil || len(gone) == 0 {
			return err
		}
	}
	after := without(now, gone)
	p.Change.Reviewers = &after
	p.record("reviewer_ids", after, "Removed "+names+".")
	return nil
}

func union(all, more []int64) []int64 {
	return append(slices.Clone(all), without(more, all)...)
}

func without(all, but []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(all), func(id int64) bool { return slices.Contains(but, id) })
}

// people finds the users with these names who can be assigned to the item, in the order of their ids.
func (p *Plan) people(ctx context.Context, names []string) ([]int64, []string, error) {
	rows, err := p.service.store.Projects.Readers(ctx, p.Item.Row.Project.ID, nil, names)
	if err != nil {
		return nil, nil, err
	}
	ids, usernames := make([]int64, len(rows)), map[int64]string{}
	for i, r := range rows {
		ids[i], usernames[r.UserID] = r.UserID, r.Username
	}
	kept, err := p.service.issuables.Assignable(ctx, p.target, ids)
	found := make([]string, len(kept))
	for i, id := range kept {
		found[i] = usernames[id]
	}
	return kept, found, err
}
