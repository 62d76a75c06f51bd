// Package issuable holds what issues and merge requests have in common: to-do items, system notes, labels, assignees,
// time tracking, and the issues that a text closes.
//
//	issuable.go  assignees, to-do items, mentions and notifications
//	change.go    a change from elsewhere than the API, and draft titles
//	close.go     closes issues, by hand or by reference
//	labels.go    which labels an item gets
//	notes.go     the texts of system notes
//	resource_events.go  records changes of labels, state, milestone and weight
//	time.go      time estimates and time spent
package issuable

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"svc/server/domain/discussion/mention"
	"svc/server/domain/webhook/announce"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

const (
	// MaxAssignees is the maximum number of assignees of an issue or merge request.
	MaxAssignees = 200
	// MaxLabels is the maximum number of labels of an issue or merge request.
	MaxLabels = 200
	// MaxText is the maximum length of a description.
	MaxText = 1 << 20
)

// Service writes the rows that belong to issues and merge requests, always in the caller's transaction.
type Service struct {
	store  *store.Store
	events *events.Recorder
	Hooks  *announce.Announcer // announces to webhooks; nil announces nothing
}

// New returns the Service.
func New(st *store.Store, rec *events.Recorder, hooks *announce.Announcer) *Service {
	return &Service{store: st, events: rec, Hooks: hooks}
}

// Target is an issue or merge request.
type Target struct {
	Type         string // model.OnIssue or model.OnMergeRequest; model.OnEpic for resource events only
	ID           int64
	Project      model.Project
	AuthorID     int64
	Confidential bool
	Assignees    []int64
	Internal     bool // whether the note in question is for members only
}

// IssueTarget returns an issue as a Target.
func IssueTarget(p model.Project, i model.Issue, assignees []int64) Target {
	return Target{
		Type: model.OnIssue, ID: i.ID, Project: p, AuthorID: i.AuthorID, Confidential: i.Confidential,
		Assignees: assignees,
	}
}

// sees reports whether a user may read the target.
func (t Target) sees(r model.ProjectReader) bool {
	row := r.Row(t.Project)
	on := model.Noteable{Type: t.Type, AuthorID: t.AuthorID, Confidential: t.Confidential, Assignees: t.Assignees}
	return access.ReaderSees(t.Project, r) && access.ReadsNoteable(row, on, r.UserID) &&
		(!t.Internal || access.ReadsInternal(row))
}

// Readers returns the given users who may read the target, in the order of their ids.
func (s *Service) Readers(ctx context.Context, t Target, ids []int64) ([]model.ProjectReader, error) {
	rows, err := s.store.Projects.Readers(ctx, t.Project.ID, ids, nil)
	return slices.DeleteFunc(rows, func(r model.ProjectReader) bool { return !t.sees(r) }), err
}

// Assignable returns the given users who can be assigned, each once: those who may read the target. Users who may not
// read it, or do not exist, are left out.
func (s *Service) Assignable(ctx context.Context, t Target, ids []int64) ([]int64, error) {
	var wanted []int64
	for _, id := range ids {
		if id > 0 && !slices.Contains(wanted, id) {
			wanted = append(wanted, id)
		}
	}
	if len(wanted) > MaxAssignees {
		return nil, apierr.BadRequest(fmt.Sprintf("assignee_ids: maximum number of users (%d) exceeded", MaxAssignees))
	}
	t.Assignees = wanted // an assignee may read a confidential issue
	rows, err := s.Readers(ctx, t, wanted)
	if err != nil {
		return nil, err
	}
	kept := make([]int64, len(rows))
	for i, r := range rows {
		kept[i] = r.UserID
	}
	return kept, nil
}

// AddAssignedTodos adds a to-do item for each new assignee.
func (s *Service) AddAssignedTodos(ctx context.Context, t Target, author int64, users []int64) error {
	return s.insertTodos(ctx, t, author, model.TodoAssigned, users, nil)
}

// AddTodos adds a to-do item with another action, such as a requested review.
func (s *Service) AddTodos(ctx context.Context, t Target, author int64, action string, users []int64) error {
	return s.insertTodos(ctx, t, author, action, users, nil)
}

func (s *Service) insertTodos(
	ctx context.Context, t Target, author int64, action string, users []int64, note *int64,
) error {
	var rows []model.Todo
	for _, user := range users {
		if user != author {
			rows = append(rows, model.Todo{
				UserID: user, ProjectID: t.Project.ID, AuthorID: author, ActionName: action, TargetType: t.Type,
				TargetID: t.ID, NoteID: note, State: model.TodoPending,
			})
		}
	}
	return s.store.Todos.Add(ctx, rows)
}

// AddMentionTodos adds to-do items for the users that a text mentions and the older text did not, if they may read the
// target. It looks up a bounded number of users, however many the text mentions.
func (s *Service) AddMentionTodos(ctx context.Context, t Target, author int64, text, before string, note *int64) error {
	names := mention.Mentions(text)
	for _, old := range mention.Mentions(before) {
		names = slices.DeleteFunc(names, func(name string) bool { return strings.EqualFold(name, old) })
	}
	if len(names) == 0 {
		return nil
	}
	rows, err := s.store.Projects.Readers(ctx, t.Project.ID, nil, names)
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
	if err := s.insertTodos(ctx, t, author, model.TodoMentioned, mentioned, note); err != nil {
		return err
	}
	return s.insertTodos(ctx, t, author, model.TodoAddressed, addressed, note)
}

// AddSystemNotes writes system notes on a target. Each has an action for programs and a sentence for users.
func (s *Service) AddSystemNotes(ctx context.Context, t Target, author int64, notes ...SystemNote) error {
	rows := make([]*model.Note, len(notes))
	for i, n := range notes {
		rows[i] = &model.Note{
			ProjectID: t.Project.ID, NoteableType: t.Type, NoteableID: &t.ID, AuthorID: author, Body: n.Text,
			System: true, Action: &n.Action,
		}
	}
	return s.store.Notes.AddSystem(ctx, rows...)
}

// Notify notifies the users who want to hear of an event.
func (s *Service) Notify(ctx context.Context, t Target, author int64, event string, before []int64) error {
	return s.events.Notify(ctx, events.Notification{
		Event: event, ProjectID: t.Project.ID, AuthorID: author, TargetType: t.Type, TargetID: t.ID, Before: before,
	})
}

// AddOwnTodo adds a to-do item that a user requests for themselves. It returns false if the user already has a pending
// one.
func (s *Service) AddOwnTodo(ctx context.Context, t Target, r store.Reader) (model.TodoRow, bool, error) {
	if _, there, err := s.store.Todos.Pending(ctx, t.Type, t.ID, "", r); err != nil || there {
		return model.TodoRow{}, false, err
	}
	todo := model.Todo{
		UserID: r.UserID, ProjectID: t.Project.ID, AuthorID: r.UserID, ActionName: model.TodoMarked, TargetType: t.Type,
		TargetID: t.ID, State: model.TodoPending,
	}
	if err := s.store.Todos.Add(ctx, []model.Todo{todo}); err != nil {
		return model.TodoRow{}, false, err
	}
	made, _, err := s.store.Todos.Pending(ctx, t.Type, t.ID, model.TodoMarked, r)
	return made, err == nil, err
}

// MergeRequestTarget returns a merge request as a Target.
func MergeRequestTarget(p model.Project, m model.MergeRequest) Target {
	return Target{Type: model.OnMergeRequest, ID: m.ID, Project: p, AuthorID: m.AuthorID}
}
