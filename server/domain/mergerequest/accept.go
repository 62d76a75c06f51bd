package mergerequest

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"svc/server/domain/mergerequest/approval"
	"svc/server/domain/mergerequest/mergestatus"
	"svc/server/domain/mergerequest/statuscheck"
	"svc/server/domain/repository/push"
	"svc/server/platform/reqctx"
	"svc/store/git"
	"svc/store/model"
)

// Options describe how to merge a merge request.
type Options struct {
	SHA           string `json:"sha,omitempty"` // the head that the caller expects
	Squash        *bool  `json:"squash,omitempty"`
	Message       string `json:"message,omitempty"`        // of the merge commit; empty for the project's template
	SquashMessage string `json:"squash_message,omitempty"` // of the squash commit
	RemoveSource  *bool  `json:"remove_source,omitempty"`
}

// RefusedError means that a merge was refused.
type RefusedError struct {
	Kind Refusal
	Text string
}

func (e *RefusedError) Error() string { return e.Text }

// Refusal is the kind of reason why a merge was refused.
type Refusal int

// The refusals.
const (
	NotAllowed   Refusal = iota // the caller may not merge
	NotNow                      // it is a draft, closed, or blocked by the project's rules
	HeadMoved                   // the head is not the one that the caller expects
	CannotMerge                 // git cannot merge it
	TargetMoved                 // other pushes moved the target branch at every try
	Waits                       // approvals or external status checks are missing
	SquashForced                // the project's settings decide whether to squash
)

func refuse(kind Refusal, text string) error { return &RefusedError{kind, text} }

const (
	cannotMerge = "Branch cannot be merged"
	notNow      = "405 Method Not Allowed"
	mostTries   = 5
)

// headMoved is the text for callers who expect another head of a merge request.
func headMoved(mr model.MergeRequest) string {
	return "SHA does not match HEAD of source branch: " + mr.HeadSHA
}

// Accept merges a merge request for a user. It moves the target branch as a push does, and only if the branch still has
// the commit that the merge was made for. The merge request becomes merged in the transaction that ends that push,
// whichever process ends it. Accept must not be called in a transaction.
func (m *Merger) Accept(
	ctx context.Context, row model.ProjectRow, user model.User, actor *reqctx.Actor, id int64, o Options,
) error {
	may := false
	mr, err := m.Store.MergeRequests.Find(ctx, id)
	if err == nil {
		may, err = m.Pusher.MayMerge(ctx, row, mr.TargetBranch)
	}
	switch {
	case err != nil:
		return err
	case !may:
		return refuse(NotAllowed, "401 Unauthorized")
	case mr.State != model.Opened:
		return refuse(NotNow, notNow)
	}
	for try := 1; ; try++ {
		if mr, err = m.ready(ctx, row.Project, mr, o); err != nil {
			return err
		}
		again, err := m.try(ctx, row, user, actor, mr, o)
		if err != nil || !again {
			return err
		}
		if try == mostTries {
			return refuse(TargetMoved, "The target branch was changed in the meantime. Please try again.")
		}
		if mr, err = m.Store.MergeRequests.Find(ctx, id); err != nil {
			return err
		}
	}
}

// ready returns an error unless the merge request can be merged now.
func (m *Merger) ready(
	ctx context.Context, project model.Project, mr model.MergeRequest, o Options,
) (model.MergeRequest, error) {
	if mr.State != model.Opened || mr.Draft {
		return mr, refuse(NotNow, notNow)
	}
	if o.SHA != "" && o.SHA != mr.HeadSHA {
		return mr, refuse(HeadMoved, headMoved(mr))
	}
	mr, err := m.Check(ctx, project, mr)
	if err != nil {
		return mr, err
	}
	facts, err := m.Facts(ctx, project, mr)
	if err != nil {
		return mr, err
	}
	switch mergestatus.Detailed(mr, facts) {
	case mergestatus.Mergeable:
		return mr, nil
	case mergestatus.Conflict, mergestatus.Broken:
		return mr, refuse(CannotMerge, cannotMerge)
	case mergestatus.NotApproved, mergestatus.Preparing, mergestatus.Checks:
		return mr, refuse(Waits, notNow)
	}
	return mr, refuse(NotNow, notNow)
}

// CheckWaitable returns an error unless the merge request can be merged once its pipeline has succeeded and it has its
// approvals.
func (m *Merger) CheckWaitable(ctx context.Context, project model.Project, mr model.MergeRequest, o Options) error {
	project.OnlyAllowMergeIfPipelineSucceeds = false
	_, err := m.ready(ctx, project, mr, o)
	var refused *RefusedError
	if errors.As(err, &refused) && refused.Kind == Waits {
		return nil
	}
	return err
}

// Facts reads what the status of a merge request depends on.
func (m *Merger) Facts(ctx context.Context, project model.Project, mr model.MergeRequest) (mergestatus.Facts, error) {
	f := mergestatus.Facts{Project: project}
	if mr.HeadPipelineID != nil {
		p, err := m.Store.Pipelines.Find(ctx, *mr.HeadPipelineID)
		if err != nil {
			if err = ignoreNotFound(err); err != nil {
				return f, err
			}
		} else {
			f.Pipeline = &p
		}
	}
	open, err := m.Store.MergeRequests.Unresolved(ctx, []int64{mr.ID})
	f.Unresolved = open[mr.ID]
	if err != nil {
		return f, err
	}
	states, err := approval.Load(ctx, m.Store, []model.MergeRequest{mr})
	states[mr.ID].Describe(&f)
	if err != nil || !project.OnlyAllowMergeIfAllStatusChecksPassed {
		return f, err
	}
	missing, err := statuscheck.Missing(ctx, m.Store, mr)
	f.ChecksPending = missing[mr.ID]
	return f, err
}

// try makes the commits and moves the branch. It returns true if the branches have moved meanwhile and the caller must
// try again.
func (m *Merger) try(
	ctx context.Context, row model.ProjectRow, user model.User, actor *reqctx.Actor, mr model.MergeRequest, o Options,
) (again bool, err error) {
	tips, err := m.Tips(ctx, row.Project, mr)
	if err != nil {
		return false, err
	}
	if tips.Source != mr.HeadSHA || tips.Target != mr.TargetSHA {
		return true, m.catchUp(ctx, mr, tips)
	}
	done, err := m.build(ctx, row.Project, tips, user, mr, o)
	if err != nil {
		return false, err
	}
	data, err := json.Marshal(done)
	if err != nil {
		return false, err
	}
	attempt := model.MergeAttempt{ProjectID: mr.ProjectID, SHA: done.Tip, MergeRequestID: mr.ID, Data: string(data)}
	if err := m.Store.MergeRequests.AddAttempt(ctx, &attempt); err != nil {
		return false, err
	}
	move := git.Command{Ref: "refs/heads/" + mr.TargetBranch, Old: tips.Target, New: done.Tip}
	err = m.Pusher.Merge(ctx, row, actor, move)
	var refused *push.RefusedError
	if !errors.As(err, &refused) {
		return false, err
	}
	if err := m.Store.MergeRequests.DeleteAttempt(ctx, mr.ProjectID, done.Tip); err != nil {
		return false, err
	}
	if now, err := tips.TargetRepo.Ref("refs/heads/" + mr.TargetBranch); err != nil || now != tips.Target {
		return true, nil //nolint:nilerr // somebody else was faster
	}
	return false, refuse(CannotMerge, cannotMerge+": "+refused.Why)
}

// catchUp waits a little for the push that has moved a branch to end. A push that a dead server has left unfinished
// counts as ended.
func (m *Merger) catchUp(ctx context.Context, mr model.MergeRequest, tips Tips) error {
	if tips.Source == "" || tips.Target == "" {
		return refuse(CannotMerge, cannotMerge)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(50 * time.Millisecond):
	}
	if tips.Source == mr.HeadSHA {
		return nil // the target is read again anyway
	}
	now, err := m.Store.MergeRequests.Find(ctx, mr.ID)
	if err != nil || now.HeadSHA != mr.HeadSHA {
		return err
	}
	return m.Store.Tx(ctx, func(ctx context.Context) error {
		if err := m.Store.MergeRequests.SourceMoved(ctx, []int64{mr.ID}, tips.Source); err != nil {
			return err
		}
		return m.Enqueue(ctx, Refresh{ID: mr.ID, UserID: mr.AuthorID})
	})
}
