// Package mergerequest keeps merge requests up to date: it follows the pushes to their branches, checks whether they can be
// merged, merges and rebases them and starts their pipelines.
//
//	merge.go     what it is made of
//	pushed.go    a push, in the transaction that ends it
//	refresh.go   what follows from a push, in the background
//	check.go     whether branches can be merged, kept with the pair of commits that it was found out for
//	status.go    whether the project's rules let it be merged
//	accept.go    merging
//	ended.go     what follows from having merged, in the transaction that ends the push
//	message.go   the messages of the commits
//	rebase.go    rebasing, in the background
//	auto.go      merging when the pipeline succeeds
//	pipeline.go  pipelines of merge requests
package mergerequest

import (
	"context"

	"svc/server/domain/ci/launch"
	"svc/server/domain/issuable"
	"svc/server/domain/repository/push"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Payload is work for later, as server/platform/worker has it.
type Payload interface{ Kind() string }

// Parts are what a merger is made of.
type Parts struct {
	Store  *store.Store
	Pusher *push.Pusher
	Launch *launch.Launcher
	Events *events.Recorder
	Desk   *issuable.Desk
	// Soon queues work, in the caller's transaction.
	Soon func(ctx context.Context, job Payload) error
	// Email is the address that a user commits with.
	Email func(model.User) string
	// URL is that of a merge request.
	URL func(project model.Project, iid int64) string
	// Sees tells whether somebody sees a project at all.
	Sees func(row model.ProjectRow, r *store.Reader) bool
}

// Merger lets merge requests follow what happens.
type Merger struct{ Parts }

// New makes a merger of its parts.
func New(p Parts) *Merger { return &Merger{p} }

// Repo is the repository that a merge request is to be merged into.
func (m *Merger) Repo(project model.Project) (git.Repo, error) { return m.Pusher.Repo(project) }

// anybody reads as the service itself.
var anybody = &store.Reader{Admin: true}

// source is the project that a merge request comes from; nil if it is gone.
func (m *Merger) source(ctx context.Context, mr model.MergeRequest) (*model.Project, error) {
	if mr.SourceProjectID == nil {
		return nil, nil
	}
	row, err := m.Store.Projects.Get(ctx, *mr.SourceProjectID, "", anybody)
	if store.IsNotFound(err) {
		return nil, nil
	}
	return &row.Project, err
}

// Tips are the branches of a merge request as they are now; empty for one that is not there.
type Tips struct {
	Source     string
	Target     string
	SourceRepo git.Repo
	TargetRepo git.Repo
	From       model.Project // where the source is
}

// Tips reads the branches of a merge request.
func (m *Merger) Tips(ctx context.Context, target model.Project, mr model.MergeRequest) (Tips, error) {
	var t Tips
	var err error
	if t.TargetRepo, err = m.Pusher.Repo(target); err != nil {
		return t, err
	}
	t.SourceRepo, t.From = t.TargetRepo, target
	if id, err := t.TargetRepo.Ref("refs/heads/" + mr.TargetBranch); err == nil {
		t.Target = id
	}
	if mr.SourceProjectID == nil || *mr.SourceProjectID != target.ID {
		source, err := m.source(ctx, mr)
		if err != nil || source == nil {
			return t, err
		}
		if t.SourceRepo, err = m.Pusher.Repo(*source); err != nil {
			return t, err
		}
		t.From = *source
	}
	if id, err := t.SourceRepo.Ref("refs/heads/" + mr.SourceBranch); err == nil {
		t.Source = id
	}
	return t, nil
}

// as reads a user and a project as that user sees it; false if either is not there, or may not be used, any more.
func (m *Merger) as(ctx context.Context, userID, projectID int64) (model.User, model.ProjectRow, bool, error) {
	user, err := m.Store.Users.Get(ctx, userID)
	if store.IsNotFound(err) || err == nil && user.State != model.UserActive {
		return user, model.ProjectRow{}, false, nil
	}
	if err != nil {
		return user, model.ProjectRow{}, false, err
	}
	reader := launch.Reader(user)
	row, err := m.Store.Projects.Get(ctx, projectID, "", reader)
	if store.IsNotFound(err) || err == nil && !m.Sees(row, reader) {
		return user, row, false, nil
	}
	return user, row, err == nil, err
}

// acting is a user who does something in the background.
func acting(u model.User) *reqctx.Actor { return &reqctx.Actor{User: u.Caller()} }

// say adds a note of the service's own.
func (m *Merger) say(ctx context.Context, mr model.MergeRequest, userID int64, action, text string) error {
	return m.Store.Notes.Add(ctx, &model.Note{
		ProjectID: mr.ProjectID, NoteableType: model.OnMergeRequest, NoteableID: &mr.ID, AuthorID: userID, Body: text, System: true, Action: &action,
	})
}

// gone takes it for done that something is not there any more.
func gone(err error) error {
	if store.IsNotFound(err) {
		return nil
	}
	return err
}
