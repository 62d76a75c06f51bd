package quickaction

import (
	"context"

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

// spec is a known quick action.
type spec struct {
	on    string // model.OnIssue or model.OnMergeRequest; empty for both
	takes argumentRule
	who   permission
	plan  func(ctx context.Context, p *Plan, c Command) error
}

// fits reports whether a quick action applies to this kind of item and has the argument that it needs.
func (v spec) fits(kind, argument string) bool {
	if kind != model.OnIssue && kind != model.OnMergeRequest || v.on != "" && v.on != kind {
		return false
	}
	return v.takes == perhaps || (v.takes == something) == (argument != "")
}

// emoticons are quick actions that only append to the text.
var emoticons = map[string]string{"shrug": `¯\＿(ツ)＿/¯`, "tableflip": "(╯°□°)╯︵ ┻━┻"}

// aliases maps other names of quick actions to their main names.
var aliases = map[string]string{
	"react": "award", "labels": "label", "remove_label": "unlabel", "reviewer": "assign_reviewer",
	"request_review": "assign_reviewer", "remove_reviewer": "unassign_reviewer", "estimate_time": "estimate",
	"remove_time_estimate": "remove_estimate",
	"spend_time":           "spend", "spent": "spend",
}

// specs holds the quick actions by name.
var specs = map[string]spec{
	"close":             {"", nothing, editors, state},
	"reopen":            {"", nothing, editors, state},
	"title":             {"", something, editors, title},
	"assign":            {"", something, members, assign},
	"reassign":          {"", something, members, assign},
	"unassign":          {"", perhaps, members, unassign},
	"assign_reviewer":   {model.OnMergeRequest, something, members, review},
	"unassign_reviewer": {model.OnMergeRequest, perhaps, members, unreview},
	"label":             {"", something, members, label},
	"relabel":           {"", something, members, label},
	"unlabel":           {"", perhaps, members, unlabel},
	"milestone":         {"", something, members, milestone},
	"remove_milestone":  {"", nothing, members, removeMilestone},
	"iteration":         {model.OnIssue, something, members, iteration},
	"remove_iteration":  {model.OnIssue, nothing, members, removeIteration},
	"due":               {model.OnIssue, something, members, due},
	"remove_due_date":   {model.OnIssue, nothing, members, removeDueDate},
	"estimate":          {"", something, members, estimate},
	"remove_estimate":   {"", nothing, members, unestimate},
	"spend":             {"", something, members, spend},
	"remove_time_spent": {"", nothing, members, unspend},
	"lock":              {"", nothing, members, lock},
	"unlock":            {"", nothing, members, lock},
	"confidential":      {model.OnIssue, nothing, members, confidential},
	"draft":             {model.OnMergeRequest, nothing, editors, draft},
	"ready":             {model.OnMergeRequest, nothing, editors, draft},
	"target_branch":     {model.OnMergeRequest, something, editors, retarget},
	"merge":             {model.OnMergeRequest, nothing, everybody, merge},
	"approve":           {model.OnMergeRequest, nothing, members, approve},
	"unapprove":         {model.OnMergeRequest, nothing, members, approve},
	"copy_metadata":     {"", something, members, copyMetadata},
	"duplicate":         {model.OnIssue, something, members, relate},
	"relate":            {model.OnIssue, something, members, relate},
	"todo":              {"", nothing, everybody, todo},
	"done":              {"", nothing, everybody, completeTodo},
	"subscribe":         {"", nothing, everybody, subscribe},
	"unsubscribe":       {"", nothing, everybody, subscribe},
	"award":             {"", something, everybody, react},
}

// noun returns the word for the item that users read.
func (p *Plan) noun() string {
	if p.Item.On.Type == model.OnMergeRequest {
		return "merge request"
	}
	return "issue"
}
