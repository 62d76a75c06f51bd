// Package issuable is what issues and merge requests have in common: who is asked to look at them, what is noted of them, how labels
// and assignees are given, and which issues a text closes.
package issuable

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"svc/server/domain/discussion/mention"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

const (
	// MaxAssignees is how many users one issue or merge request may be given to.
	MaxAssignees = 200
	// MaxLabels is how many labels one issue or merge request may have.
	MaxLabels = 200
	// MaxText is how long a description may be.
	MaxText = 1 << 20
)

// Desk writes what belongs to issues and merge requests, always in the caller's transaction.
type Desk struct {
	store  *store.Store
	events *events.Recorder
}

// New takes where rows are kept and who records what happens.
func New(st *store.Store, rec *events.Recorder) *Desk { return &Desk{store: st, events: rec} }

// Target is an issue or merge request.
type Target struct {
	Type         string // model.OnIssue or model.OnMergeRequest
	ID           int64
	Project      model.Project
	AuthorID     int64
	Confidential bool
	Assignees    []int64
	Internal     bool // what is said of it is for members only
}

// OfIssue is an issue as a target.
func OfIssue(p model.Project, i model.Issue, assignees []int64) Target {
	return Target{Type: model.OnIssue, ID: i.ID, Project: p, AuthorID: i.AuthorID, Confidential: i.Confidential, Assignees: assignees}
}

// sees tells whether a user may read a target.
func (t Target) sees(r model.ProjectReader) bool {
	row := r.Row(t.Project)
	on := model.Noteable{Type: t.Type, AuthorID: t.AuthorID, Confidential: t.Confidential, Assignees: t.Assignees}
	return access.ReaderSees(t.Project, r) && access.ReadsNoteable(row, on, r.UserID) && (!t.Internal || access.ReadsInternal(row))
}

// Readers are those of the users who may read a target, in the order of their ids.
func (d *Desk) Readers(ctx context.Context, t Target, ids []int64) ([]model.ProjectReader, error) {
	rows, err := d.store.Projects.Readers(ctx, t.Project.ID, ids, nil)
	return slices.DeleteFunc(rows, func(r model.ProjectReader) bool { return !t.sees(r) }), err
}

// Assignable checks who is to do something: users who may see it, each once. Those who may not are left out, as those who do not
// exist are.
func (d *Desk) Assignable(ctx context.Context, t Target, ids []int64) ([]int64, error) {
	var wanted []int64
	for _, id := range ids {
		if id > 0 && !slices.Contains(wanted, id) {
			wanted = append(wanted, id)
		}
	}
	if len(wanted) > MaxAssignees {
		return nil, apierr.BadRequest(fmt.Sprintf("assignee_ids: at most %d users", MaxAssignees))
	}
	t.Assignees = wanted // who does a confidential issue sees it
	rows, err := d.Readers(ctx, t, wanted)
	if err != nil {
		return nil, err
	}
	kept := make([]int64, len(rows))
	for i, r := range rows {
		kept[i] = r.UserID
	}
	return kept, nil
}

// Assigned asks users to do something.
func (d *Desk) Assigned(ctx context.Context, t Target, author int64, users []int64) error {
	return d.ask(ctx, t, author, model.TodoAssigned, users, nil)
}

// Asked asks users for something else, such as a review.
func (d *Desk) Asked(ctx context.Context, t Target, author int64, action string, users []int64) error {
	return d.ask(ctx, t, author, action, users, nil)
}

func (d *Desk) ask(ctx context.Context, t Target, author int64, action string, users []int64, note *int64) error {
	var rows []model.Todo
	for _, user := range users {
		if user != author {
			rows = append(rows, model.Todo{
				UserID: user, ProjectID: t.Project.ID, AuthorID: author, ActionName: action, TargetType: t.Type, TargetID: t.ID, NoteID: note, State: model.TodoPending,
			})
		}
	}
	return d.store.Todos.Add(ctx, rows)
}

// Mentioned asks the users that a text names, and that an older one did not, to look at what it is about, as far as they may.
// However many are named, a bounded number is looked up.
func (d *Desk) Mentioned(ctx context.Context, t Target, author int64, text, before string, note *int64) error {
	names := mention.Mentions(text)
	for _, old := range mention.Mentions(before) {
		names = slices.DeleteFunc(names, func(name string) bool { return strings.EqualFold(name, old) })
	}
	if len(names) == 0 {
		return nil
	}
	rows, err := d.store.Projects.Readers(ctx, t.Project.ID, nil, names)
	if err != nil {
		return err
	}
	spoken := mention.Addressed(text)
	var mentioned, addressed []int64
	for _, r := range rows {
		switch {
		case !r.Human || !t.sees(r):
		case spoken[strings.ToLower(r.Username)]:
			addressed = append(addressed, r.UserID)
		default:
			mentioned = append(mentioned, r.UserID)
		}
	}
	if err := d.ask(ctx, t, author, model.TodoMentioned, mentioned, note); err != nil {
		return err
	}
	return d.ask(ctx, t, author, model.TodoAddressed, addressed, note)
}

// Note writes what the service notes of a target: what was done, in one word for programs and one sentence for people.
func (d *Desk) Note(ctx context.Context, t Target, author int64, notes ...Note) error {
	rows := make([]*model.Note, len(notes))
	for i, n := range notes {
		rows[i] = &model.Note{
			ProjectID: t.Project.ID, NoteableType: t.Type, NoteableID: &t.ID, AuthorID: author, Body: n.Text, System: true, Action: &n.Action,
		}
	}
	return d.store.Notes.Add(ctx, rows...)
}

// Tell tells who wants to know.
func (d *Desk) Tell(ctx context.Context, t Target, author int64, event string, before []int64) error {
	return d.events.Tell(ctx, events.News{Event: event, ProjectID: t.Project.ID, AuthorID: author, TargetType: t.Type, TargetID: t.ID, Before: before})
}

// Remind puts a target on the list of what a user is to do, at their own wish. False means that it is there already.
func (d *Desk) Remind(ctx context.Context, t Target, r store.Reader) (model.TodoRow, bool, error) {
	if _, there, err := d.store.Todos.Pending(ctx, t.Type, t.ID, "", r); err != nil || there {
		return model.TodoRow{}, false, err
	}
	todo := model.Todo{UserID: r.UserID, ProjectID: t.Project.ID, AuthorID: r.UserID, ActionName: model.TodoMarked, TargetType: t.Type, TargetID: t.ID, State: model.TodoPending}
	if err := d.store.Todos.Add(ctx, []model.Todo{todo}); err != nil {
		return model.TodoRow{}, false, err
	}
	made, _, err := d.store.Todos.Pending(ctx, t.Type, t.ID, model.TodoMarked, r)
	return made, err == nil, err
}

// OfMergeRequest is a merge request as a target.
func OfMergeRequest(p model.Project, m model.MergeRequest) Target {
	return Target{Type: model.OnMergeRequest, ID: m.ID, Project: p, AuthorID: m.AuthorID}
}
