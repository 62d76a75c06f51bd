package quickaction

import (
	"context"
	"fmt"
	"unicode/utf8"

	"svc/server/domain/issuable"
	"svc/store/model"
)

const (
	maxTitle  = 255  // characters
	maxBranch = 1000 // bytes
	maxNames  = 100  // in one quick action
)

func state(_ context.Context, p *Plan, c Command) error {
	want := map[string]string{"close": model.Closed, "reopen": model.Opened}[c.Name]
	if p.Item.On.State == want || p.Item.On.State == model.Merged {
		p.fail(c, "this "+p.noun()+" is "+p.Item.On.State)
		return nil
	}
	p.Change.State = c.Name
	verb := map[string]string{"close": "Closed", "reopen": "Reopened"}[c.Name]
	p.record("state_event", c.Name, verb+" this "+p.noun()+".")
	return nil
}

func title(_ context.Context, p *Plan, c Command) error {
	if utf8.RuneCountInString(c.Argument) > maxTitle {
		p.fail(c, fmt.Sprintf("the title is too long (maximum is %d characters)", maxTitle))
		return nil
	}
	p.Change.Title = &c.Argument
	p.record("title", c.Argument, `Changed the title to "`+c.Argument+`".`)
	return nil
}

func draft(_ context.Context, p *Plan, c Command) error {
	now := p.Item.On.Title
	if p.Change.Title != nil {
		now = *p.Change.Title
	}
	after, text := issuable.WithoutDraft(now), "Marked this merge request as ready."
	if c.Name == "draft" {
		after, text = "Draft: "+after, "Marked this merge request as a draft."
	}
	if issuable.WithoutDraft(now) == "" || utf8.RuneCountInString(after) > maxTitle {
		p.fail(c, "the title would be empty or too long")
		return nil
	}
	p.Change.Title = &after
	p.record("wip_event", c.Name, text)
	return nil
}

func lock(_ context.Context, p *Plan, c Command) error {
	locked := c.Name == "lock"
	p.Change.Locked = &locked
	p.record("discussion_locked", locked, map[bool]string{true: "Locked", false: "Unlocked"}[locked]+" the discussion.")
	return nil
}

func confidential(_ context.Context, p *Plan, _ Command) error {
	yes := true
	p.Change.Confidential = &yes
	p.record("confidential", true, "Made this issue confidential.")
	return nil
}

func retarget(_ context.Context, p *Plan, c Command) error {
	if len(c.Argument) > maxBranch {
		p.fail(c, "the branch was not found")
		return nil
	}
	p.Change.TargetBranch = &c.Argument
	p.record("target_branch", c.Argument, "Set the target branch to "+c.Argument+".")
	return nil
}

func merge(_ context.Context, p *Plan, _ Command) error {
	p.Merge = true
	return nil
}

func approve(_ context.Context, p *Plan, c Command) error {
	agree := c.Name == "approve"
	text := map[bool]string{true: "Approved this merge request.", false: "Unapproved this merge request."}[agree]
	p.Steps = append(p.Steps, Step{Approve: &agree, name: "approval_event", value: c.Name, summary: text})
	return nil
}
