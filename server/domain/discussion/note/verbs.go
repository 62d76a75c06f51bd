package note

import (
	"context"

	"svc/server/platform/access"
	"svc/store"
	"svc/store/model"
)

// circle is the group of users who may use a quick action.
type circle int

const (
	everybody circle = iota // everybody who may comment there
	editors                 // users who may change the title: members, the author and assignees
	members                 // reporters (for merge requests: developers)
)

// takes says whether a quick action has an argument.
type takes int

const (
	nothing takes = iota
	something
	perhaps
)

// verb is a known quick action.
type verb struct {
	on    string // model.OnIssue or model.OnMergeRequest; empty for both
	takes takes
	who   circle
	read  func(ctx context.Context, p *plan, o order) error
}

// fits reports whether a quick action applies to this kind of item and has the argument that it needs.
func (v verb) fits(kind, with string) bool {
	if kind != model.OnIssue && kind != model.OnMergeRequest || v.on != "" && v.on != kind {
		return false
	}
	return v.takes == perhaps || (v.takes == something) == (with != "")
}

// faces are quick actions that only append to the text.
var faces = map[string]string{"shrug": `¯\＿(ツ)＿/¯`, "tableflip": "(╯°□°)╯︵ ┻━┻"}

// aliases maps other names of quick actions to their main names.
var aliases = map[string]string{
	"react": "award", "labels": "label", "remove_label": "unlabel", "reviewer": "assign_reviewer", "request_review": "assign_reviewer",
	"remove_reviewer": "unassign_reviewer", "estimate_time": "estimate", "remove_time_estimate": "remove_estimate",
	"spend_time": "spend", "spent": "spend",
}

// verbs holds the quick actions by name. init fills it, because some of the functions refer back to verbs.
var verbs map[string]verb

func init() {
	const issue, request = model.OnIssue, model.OnMergeRequest
	verbs = map[string]verb{
		"close":             {"", nothing, editors, state},
		"reopen":            {"", nothing, editors, state},
		"title":             {"", something, editors, title},
		"assign":            {"", something, members, assign},
		"reassign":          {"", something, members, assign},
		"unassign":          {"", perhaps, members, unassign},
		"assign_reviewer":   {request, something, members, review},
		"unassign_reviewer": {request, perhaps, members, unreview},
		"label":             {"", something, members, label},
		"relabel":           {"", something, members, label},
		"unlabel":           {"", perhaps, members, unlabel},
		"milestone":         {"", something, members, plansFor},
		"remove_milestone":  {"", nothing, members, unplan},
		"due":               {issue, something, members, due},
		"remove_due_date":   {issue, nothing, members, undue},
		"estimate":          {"", something, members, estimate},
		"remove_estimate":   {"", nothing, members, unestimate},
		"spend":             {"", something, members, spend},
		"remove_time_spent": {"", nothing, members, unspend},
		"lock":              {"", nothing, members, lock},
		"unlock":            {"", nothing, members, lock},
		"confidential":      {issue, nothing, members, confidential},
		"draft":             {request, nothing, editors, draft},
		"ready":             {request, nothing, editors, draft},
		"target_branch":     {request, something, editors, retarget},
		"merge":             {request, nothing, everybody, merges},
		"approve":           {request, nothing, members, approve},
		"unapprove":         {request, nothing, members, approve},
		"copy_metadata":     {"", something, members, copyMetadata},
		"duplicate":         {issue, something, members, relate},
		"relate":            {issue, something, members, relate},
		"todo":              {"", nothing, everybody, todo},
		"done":              {"", nothing, everybody, settle},
		"subscribe":         {"", nothing, everybody, follow},
		"unsubscribe":       {"", nothing, everybody, follow},
		"award":             {"", something, everybody, award},
	}
}

// noun returns the word for the item that users read.
func (p *plan) noun() string {
	if p.place.On.Type == model.OnMergeRequest {
		return "merge request"
	}
	return "issue"
}

func follow(_ context.Context, p *plan, o order) error {
	text := "Subscribed to this " + p.noun() + "."
	if o.name == "unsubscribe" {
		text = "Unsubscribed from this " + p.noun() + "."
	}
	on, user := p.place.On, p.place.Caller
	p.then("subscription_event", o.name, text, func(ctx context.Context) error {
		return p.store.Subscriptions.Set(ctx, on.Type, on.ID, user, o.name == "subscribe")
	})
	return nil
}

func todo(_ context.Context, p *plan, _ order) error {
	p.then("todo_event", "add", "Added a to-do item.", func(ctx context.Context) error {
		_, _, err := p.desk.Remind(ctx, p.target, *access.Reader(ctx))
		return err
	})
	return nil
}

func settle(_ context.Context, p *plan, _ order) error {
	on, user := p.place.On, p.place.Caller
	p.then("todo_event", "done", "Marked to-do item as done.", func(ctx context.Context) error {
		return p.store.Todos.Settle(ctx, on.Type, on.ID, user)
	})
	return nil
}

func award(_ context.Context, p *plan, o order) error {
	m := emojiName.FindStringSubmatch(o.with)
	if m == nil {
		p.fail(o, "that is no emoji")
		return nil
	}
	p.then("emoji_award", m[1], "Toggled :"+m[1]+": emoji reaction.", func(ctx context.Context) error {
		on := Awardable{Place: p.place, Kind: p.place.On.Type, ID: p.place.On.ID}
		given, err := p.store.AwardEmoji.FindOf(ctx, on.Kind, on.ID, p.place.Caller, m[1])
		if store.IsNotFound(err) {
			_, err = p.Award(ctx, on, m[1])
			return err
		}
		if err != nil {
			return err
		}
		return p.Withdraw(ctx, on, given, nil)
	})
	return nil
}
