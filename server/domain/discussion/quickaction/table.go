package note

import (
	"context"

	"svc/server/platform/access"
	"svc/store"
	"svc/store/model"
)

// permission is the group of users who may use a quick action.
type permission int

const (
	everybody permission = iota // everybody who may comment there
	editors                     // users who may change the title: members, the author and assignees
	members                     // reporters (for merge requests: developers)
)

// argumentRule says whether a quick action has an argument.
type argumentRule int

const (
	nothing argumentRule = iota
	something
	perhaps
)

// actionSpec is a known quick action.
type actionSpec struct {
	on    string // model.OnIssue or model.OnMergeRequest; empty for both
	takes argumentRule
	who   permission
	read  func(ctx context.Context, p *plan, o quickAction) error
}

// fits reports whether a quick action applies to this kind of item and has the argument that it needs.
func (v actionSpec) fits(kind, with string) bool {
	if kind != model.OnIssue && kind != model.OnMergeRequest || v.on != "" && v.on != kind {
		return false
	}
	return v.takes == perhaps || (v.takes == something) == (with != "")
}

// emoticons are quick actions that only append to the text.
var emoticons = map[string]string{"shrug": `¯\＿(ツ)＿/¯`, "tableflip": "(╯°□°)╯︵ ┻━┻"}

// aliases maps other names of quick actions to their main names.
var aliases = map[string]string{
	"react": "award", "labels": "label", "remove_label": "unlabel", "reviewer": "assign_reviewer", "request_review": "assign_reviewer",
	"remove_reviewer": "unassign_reviewer", "estimate_time": "estimate", "remove_time_estimate": "remove_estimate",
	"spend_time": "spend", "spent": "spend",
}

// actionSpecs holds the quick actions by name. init fills it, because some of the functions refer back to verbs.
var actionSpecs map[string]actionSpec

func init() {
	const issue, request = model.OnIssue, model.OnMergeRequest
	actionSpecs = map[string]actionSpec{
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
		"milestone":         {"", something, members, milestone},
		"remove_milestone":  {"", nothing, members, removeMilestone},
		"due":               {issue, something, members, due},
		"remove_due_date":   {issue, nothing, members, removeDueDate},
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
		"done":              {"", nothing, everybody, completeTodo},
		"subscribe":         {"", nothing, everybody, subscribe},
		"unsubscribe":       {"", nothing, everybody, subscribe},
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

func subscribe(_ context.Context, p *plan, o quickAction) error {
	text := "Subscribed to this " + p.noun() + "."
	if o.name == "unsubscribe" {
		text = "Unsubscribed from this " + p.noun() + "."
	}
	on, user := p.place.On, p.place.Caller
	p.addStep("subscription_event", o.name, text, func(ctx context.Context) error {
		return p.store.Subscriptions.Set(ctx, on.Type, on.ID, user, o.name == "subscribe")
	})
	return nil
}

func todo(_ context.Context, p *plan, _ quickAction) error {
	p.addStep("todo_event", "add", "Added a to-do item.", func(ctx context.Context) error {
		_, _, err := p.issuables.AddOwnTodo(ctx, p.target, *access.Reader(ctx))
		return err
	})
	return nil
}

func completeTodo(_ context.Context, p *plan, _ quickAction) error {
	on, user := p.place.On, p.place.Caller
	p.addStep("todo_event", "done", "Marked to-do item as done.", func(ctx context.Context) error {
		return p.store.Todos.DoneForTarget(ctx, on.Type, on.ID, user)
	})
	return nil
}

func award(_ context.Context, p *plan, o quickAction) error {
	m := emojiName.FindStringSubmatch(o.with)
	if m == nil {
		p.fail(o, "that is not an emoji")
		return nil
	}
	p.addStep("emoji_award", m[1], "Toggled :"+m[1]+": emoji reaction.", func(ctx context.Context) error {
		on := Awardable{Item: p.place, Kind: p.place.On.Type, ID: p.place.On.ID}
		given, err := p.store.AwardEmoji.FindOf(ctx, on.Kind, on.ID, p.place.Caller, m[1])
		if store.IsNotFound(err) {
			_, err = p.Award(ctx, on, m[1])
			return err
		}
		if err != nil {
			return err
		}
		return p.RemoveAward(ctx, on, given, nil)
	})
	return nil
}
