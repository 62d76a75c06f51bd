package mergerequest

import (
	"context"
	"errors"
	"fmt"

	"svc/server/domain/mergerequest/statuscheck/manage"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Refresh is the job for a merge request whose source branch has moved.
type Refresh struct {
	ID      int64  `json:"id"`
	UserID  int64  `json:"user_id"` // the user who pushed
	Batch   string `json:"batch"`
	Awaited bool   `json:"awaited"` // whether the push canceled an automatic merge
}

// Kind returns the name of the job in the queue.
func (Refresh) Kind() string { return "merge_request_refresh" }

// Refresh updates a merge request after its source branch has moved: it adds a version and a system note, and starts a
// pipeline. After several pushes, the last job does it for all of them.
func (m *Merger) Refresh(ctx context.Context, job Refresh) error {
	mr, err := m.Store.MergeRequests.Find(ctx, job.ID)
	if err != nil || mr.State != model.Opened {
		return ignoreNotFound(err)
	}
	row, err := m.Store.Projects.Get(ctx, mr.ProjectID, "", serviceReader)
	if err != nil {
		return ignoreNotFound(err)
	}
	if err := m.follow(ctx, row.Project, mr, job); err != nil {
		return err
	}
	if mr, err = m.Store.MergeRequests.Find(ctx, job.ID); err != nil {
		return ignoreNotFound(err)
	}
	if err := manage.Start(ctx, m.Store, m.ask, mr, job.UserID); err != nil {
		return err
	}
	origin := fmt.Sprintf("merge request %d %s %s", mr.ID, mr.HeadSHA, job.Batch)
	if err := m.pipelineAfter(ctx, mr, job.UserID, origin); err != nil {
		return err
	}
	_, err = m.Check(ctx, row.Project, mr)
	return err
}

// ask queues a request to an external status check.
func (m *Merger) ask(ctx context.Context, job manage.Payload) error { return m.Enqueue(ctx, job) }

// follow adds a version for the current head of the source branch.
func (m *Merger) follow(ctx context.Context, project model.Project, mr model.MergeRequest, job Refresh) error {
	span, err := m.Compare(ctx, project, mr)
	if errors.Is(err, git.ErrNotFound) {
		return nil // the branch has moved again, or the fork was deleted
	}
	if err != nil {
		return err
	}
	keeps, err := m.keepsApprovals(ctx, project, mr, span)
	if err != nil {
		return err
	}
	return m.Store.Tx(ctx, func(ctx context.Context) error {
		now, err := m.Store.MergeRequests.Lock(ctx, mr.ID)
		if err != nil || now.HeadSHA != mr.HeadSHA || now.State != model.Opened {
			return ignoreNotFound(err)
		}
		last, err := m.Store.MergeRequests.LastVersion(ctx, mr.ID)
		if err != nil && !store.IsNotFound(err) {
			return err
		}
		if last.HeadSHA == mr.HeadSHA {
			return nil // done before
		}
		if err := m.AddVersion(ctx, now, span); err != nil {
			return err
		}
		if err := m.addSystemNote(ctx, mr, job.UserID, "commit", addedText(span, last.HeadSHA)); err != nil {
			return err
		}
		if !keeps {
			if err := m.resetApprovals(ctx, project, now, job.UserID, "reset the approvals because commits were pushed"); err != nil {
				return err
			}
		}
		if job.Awaited {
			if err := m.addSystemNote(ctx, mr, job.UserID, "merge", "aborted the automatic merge because the source "+
				"branch was updated"); err != nil {
				return err
			}
		}
		return m.Events.Notify(ctx, events.Notification{
			Event: events.PushToMergeRequest, ProjectID: mr.ProjectID, AuthorID: job.UserID,
			TargetType: model.OnMergeRequest, TargetID: mr.ID, Text: mr.HeadSHA,
		})
	})
}

// addedText returns the system note about a push: the commits that are new since the last version.
func addedText(s Comparison, before string) string {
	var fresh []string
	for _, id := range s.Commits {
		if id == before {
			break
		}
		fresh = append(fresh, id)
	}
	text := fmt.Sprintf("added %d commits", len(fresh))
	if len(fresh) == 1 {
		text = "added 1 commit"
	}
	const most = 10
	text += "\n"
	for i := len(fresh) - 1; i >= 0 && i >= len(fresh)-most; i-- {
		text += "\n* " + fresh[i][:shortID]
	}
	return text
}

// Comparison is the difference between the branches of a merge request.
type Comparison struct {
	Base    string   // the best common ancestor; empty if there is none
	Start   string   // the head of the target branch
	Head    string   // the head of the source branch
	Commits []string // newest first
	Changes int64    // number of changed files
	People  []int64  // users who have written or committed the commits
}

// Compare computes the difference that a merge request brings, and makes its head fetchable from the target repository.
func (m *Merger) Compare(ctx context.Context, project model.Project, mr model.MergeRequest) (Comparison, error) {
	tips, err := m.Tips(ctx, project, mr)
	if err != nil {
		return Comparison{}, err
	}
	s := Comparison{Head: mr.HeadSHA, Start: tips.Target}
	if mr.IID > 0 {
		err = tips.TargetRepo.SetMergeRequestRef(ctx, mr.IID, tips.SourceRepo, s.Head)
	} else {
		err = tips.TargetRepo.EnsureCommit(ctx, tips.SourceRepo, s.Head)
	}
	if err != nil {
		return s, err
	}
	if s.Start == "" {
		s.Start = mr.StartSHA // the branch was deleted
	}
	s.Base, err = tips.TargetRepo.MergeBase(ctx, s.Start, s.Head)
	if errors.Is(err, git.ErrNotFound) {
		s.Base, err = "", nil
	}
	if err != nil {
		return s, err
	}
	if s.Commits, err = tips.TargetRepo.Between(ctx, s.Start, s.Head); err != nil {
		return s, err
	}
	if s.People, err = m.committers(ctx, tips.TargetRepo, s.Commits); err != nil {
		return s, err
	}
	s.Changes, err = tips.TargetRepo.ChangedFiles(ctx, s.From(), s.Head)
	return s, err
}

// From returns the commit or tree that the files of a merge request are compared with.
func (s Comparison) From() string {
	if s.Base == "" {
		return git.EmptyTree
	}
	return s.Base
}

// AddVersion stores the current state of a merge request as a new version.
func (m *Merger) AddVersion(ctx context.Context, mr model.MergeRequest, s Comparison) error {
	v := model.MergeRequestVersion{
		MergeRequestID: mr.ID, HeadSHA: s.Head, BaseSHA: s.Base, StartSHA: s.Start, Changes: s.Changes,
	}
	if err := m.Store.MergeRequests.AddVersion(ctx, &v); err != nil {
		return err
	}
	if err := m.Store.MergeRequests.SetCommits(ctx, mr, s.Commits); err != nil {
		return err
	}
	if err := m.Store.MergeRequests.SetCommitters(ctx, mr.ID, s.People); err != nil {
		return err
	}
	set := map[string]any{"base_sha": s.Base, "start_sha": s.Start}
	if mr.SourceProjectID != nil && mr.HeadPipelineID == nil {
		newest, err := m.Store.MergeRequests.NewestPipeline(ctx, *mr.SourceProjectID, mr.SourceBranch, s.Head)
		if err != nil {
			return err
		}
		set["head_pipeline_id"] = newest
	}
	return m.Store.MergeRequests.UpdateInternal(ctx, mr.ID, set)
}

// TargetJob is the job for a target branch of merge requests that has moved.
type TargetJob struct {
	ProjectID int64  `json:"project_id"`
	Branch    string `json:"branch"`
	Old       string `json:"old"`
	New       string `json:"new"`
	UserID    int64  `json:"user_id"`
}

// Kind returns the name of the job in the queue.
func (TargetJob) Kind() string { return "merge_request_target" }

// mostChecked is how many merge requests are checked when their target branch moves. Others are checked when a user
// reads them.
const mostChecked = 50

// RunTarget marks merge requests as merged whose head was pushed to the target branch, and checks the others.
func (m *Merger) RunTarget(ctx context.Context, job TargetJob) error {
	row, err := m.Store.Projects.Get(ctx, job.ProjectID, "", serviceReader)
	if err != nil {
		return ignoreNotFound(err)
	}
	repo, err := m.Pusher.Repo(row.Project)
	if err != nil {
		return err
	}
	open, err := m.Store.MergeRequests.LockOpenInto(ctx, job.ProjectID, []string{job.Branch})
	if err != nil {
		return err
	}
	for i := len(open) - 1; i >= 0; i-- {
		by, err := m.mergedByPush(ctx, repo, open[i], job)
		if err != nil {
			return err
		}
		if by {
			if err := m.concludePushed(ctx, row.Project, open[i], job); err != nil {
				return err
			}
			continue
		}
		if len(open)-i > mostChecked {
			continue
		}
		if _, err := m.Check(ctx, row.Project, open[i]); err != nil {
			return err
		}
	}
	return nil
}

// mergedByPush reports whether a push has brought the head of a merge request into its target branch.
func (m *Merger) mergedByPush(ctx context.Context, repo git.Repo, mr model.MergeRequest, job TargetJob) (bool, error) {
	if job.New == git.Zero || job.Old == git.Zero {
		return false, nil
	}
	if _, err := repo.Info(ctx, mr.HeadSHA); err != nil {
		if errors.Is(err, git.ErrNotFound) {
			err = nil // the commit exists only in a fork
		}
		return false, err
	}
	in, err := repo.IsAncestor(ctx, mr.HeadSHA, job.New)
	if err != nil || !in {
		return false, err
	}
	before, err := repo.IsAncestor(ctx, mr.HeadSHA, job.Old)
	if err != nil {
		return false, nil //nolint:nilerr // the old one may be gone
	}
	return !before, nil
}
