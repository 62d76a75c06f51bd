// Package mergerequest creates and changes merge requests, and keeps them up to date: it follows the pushes to their
// branches, checks whether they can be merged, merges and rebases them and starts their pipelines. The Service acts for
// the caller of a request; the Merger does what pushes, pipelines and jobs share with it.
//
//	service.go       the Service, and what its methods share
//	prepare.go       validates a new merge request
//	create.go        creates a merge request
//	change.go        validates a change; change_write.go writes it
//	state.go         closes and reopens
//	parts.go         changes labels, milestone, assignees and reviewers
//	approve.go       approves and unapproves; package approval has the rules
//	approvals.go     what a push does to approvals
//	merge.go         merges for the caller, now or when the pipeline succeeds
//	delete.go        deletes a merge request
//	command.go       what quick actions do
//	view.go          reads what API responses and pages show
//	revision.go      reads commits, changed files, conflicts and pipelines
//
//	merger.go        the Merger, and what its methods share
//	pushed.go        handles a push, in the transaction that ends it
//	suggested.go     what follows a commit that applies suggestions
//	refresh.go       handles the rest of a push, in the background
//	check.go         whether the branches can be merged; the result is stored with the pair of commits
//	squash.go        whether a merge squashes; package mergestatus says whether the rules allow the merge
//	merge_ref.go     the commit that a merge would create, in a ref of its own
//	accept.go        merging; build.go makes the commits
//	ended.go         what follows a merge, in the transaction that ends the push
//	message.go       the messages of the commits
//	rebase.go        rebasing, in the background
//	auto.go          merging when the pipeline succeeds
//	pipeline.go      pipelines of merge requests
package mergerequest

import (
	"context"

	"svc/server/domain/ci/launch"
	"svc/server/domain/issuable"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Payload is a background job, as defined by server/platform/worker.
type Payload interface{ Kind() string }

// Dependencies are the dependencies of a Merger.
type Dependencies struct {
	Store     *store.Store
	Pusher    *push.Pusher
	Launch    *launch.Launcher
	Events    *events.Recorder
	Issuables *issuable.Service
	// Enqueue queues a job, in the caller's transaction.
	Enqueue func(ctx context.Context, job Payload) error
	BaseURL string // the URL of the instance
}

// Merger updates, checks, merges and rebases merge requests.
type Merger struct{ Dependencies }

// NewMerger returns a Merger.
func NewMerger(d Dependencies) *Merger { return &Merger{d} }

// Repo returns the repository of the target project of a merge request.
func (m *Merger) Repo(project model.Project) (git.Repo, error) { return m.Pusher.Repo(project) }

// serviceReader reads everything, as the service itself.
var serviceReader = &store.Reader{Admin: true}

// source returns the source project of a merge request, or nil if it was deleted.
func (m *Merger) source(ctx context.Context, mr model.MergeRequest) (*model.Project, error) {
	if mr.SourceProjectID == nil {
		return nil, nil
	}
	row, err := m.Store.Projects.Get(ctx, *mr.SourceProjectID, "", serviceReader)
	if store.IsNotFound(err) {
		return nil, nil
	}
	return &row.Project, err
}

// Tips are the current heads of the branches of a merge request. A head is empty if the branch does not exist.
type Tips struct {
	Source     string
	Target     string
	SourceRepo git.Repo
	TargetRepo git.Repo
	From       model.Project // the source project
}

// Tips reads the heads of the branches of a merge request.
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

// readAs reads a user, and a project as that user sees it. It returns false if the user or the project no longer
// exists, or may no longer be used.
func (m *Merger) readAs(ctx context.Context, userID, projectID int64) (model.User, model.ProjectRow, bool, error) {
	user, err := m.Store.Users.Get(ctx, userID)
	if store.IsNotFound(err) || err == nil && user.State != model.UserActive {
		return user, model.ProjectRow{}, false, nil
	}
	if err != nil {
		return user, model.ProjectRow{}, false, err
	}
	reader := launch.Reader(user)
	row, err := m.Store.Projects.Get(ctx, projectID, "", reader)
	if store.IsNotFound(err) || err == nil && !access.SeesProject(row, reader) {
		return user, row, false, nil
	}
	return user, row, err == nil, err
}

// actorFor returns the user as the actor of a background job.
func actorFor(u model.User) *reqctx.Actor { return &reqctx.Actor{User: u.Caller()} }

// addSystemNote adds a system note.
func (m *Merger) addSystemNote(ctx context.Context, mr model.MergeRequest, userID int64, action, text string) error {
	return m.Store.Notes.AddSystem(ctx, &model.Note{
		ProjectID: mr.ProjectID, NoteableType: model.OnMergeRequest, NoteableID: &mr.ID, AuthorID: userID, Body: text,
		System: true, Action: &action,
	})
}

// ignoreNotFound turns a missing row into success, because a deleted item leaves nothing to do.
func ignoreNotFound(err error) error {
	if store.IsNotFound(err) {
		return nil
	}
	return err
}
