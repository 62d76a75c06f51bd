package mergerequest

import (
	"context"
	"strings"

	"svc/server/domain/ci/launch"
	"svc/server/domain/discussion/mention"
	"svc/server/domain/repository/push"
	"svc/server/domain/webhook/announce"
	"svc/store/git"
	"svc/store/model"
)

// Pushed updates merge requests after a push, in the transaction that ends the push, so that the stored heads of their
// branches are never older than the refs were then. Slower work runs in the background.
func (m *Merger) Pushed(ctx context.Context, p push.Result) error {
	moved := map[string]git.Command{}
	var names, made []string
	for _, c := range p.Changes {
		if branch, ok := strings.CutPrefix(c.Ref, "refs/heads/"); ok {
			moved[branch] = c
			names = append(names, branch)
			if c.New != git.Zero && c.Old != git.Zero {
				made = append(made, c.New)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	concerned := true
	if len(names) == 1 { // one short statement instead of four
		var err error
		if concerned, err = m.Store.MergeRequests.Concerned(ctx, p.ProjectID, names[0], moved[names[0]].New); err != nil {
			return err
		}
	}
	if concerned {
		if err := m.branchesMoved(ctx, p, names, made, moved); err != nil {
			return err
		}
	}
	return m.mentioned(ctx, p, moved)
}

// branchesMoved updates the merge requests from and into branches that have moved. made are the new commits of branches that
// were there before.
func (m *Merger) branchesMoved(
	ctx context.Context, p push.Result, names, made []string, moved map[string]git.Command,
) error {
	if err := m.merged(ctx, p, made); err != nil {
		return err
	}
	if err := m.targetsMoved(ctx, p, names, moved); err != nil {
		return err
	}
	if err := m.sourcesMoved(ctx, p, names, moved); err != nil {
		return err
	}
	return m.suggestionsApplied(ctx, p, made)
}

// merged ends the merges that this push completes.
func (m *Merger) merged(ctx context.Context, p push.Result, made []string) error {
	if len(made) == 0 {
		return nil
	}
	attempts, err := m.Store.MergeRequests.Attempts(ctx, p.ProjectID, made)
	if err != nil {
		return err
	}
	for _, a := range attempts {
		if err := m.ended(ctx, p, a); err != nil {
			return err
		}
	}
	return nil
}

// targetsMoved schedules a new check of merge requests whose target branch has moved.
func (m *Merger) targetsMoved(ctx context.Context, p push.Result, names []string, moved map[string]git.Command) error {
	rows, err := m.Store.MergeRequests.LockOpenInto(ctx, p.ProjectID, names)
	if err != nil {
		return err
	}
	byBranch := map[string][]int64{}
	for _, mr := range rows {
		byBranch[mr.TargetBranch] = append(byBranch[mr.TargetBranch], mr.ID)
	}
	for _, branch := range names {
		ids, c := byBranch[branch], moved[branch]
		if len(ids) == 0 {
			continue
		}
		sha := c.New
		if sha == git.Zero {
			sha = ""
		}
		if err := m.Store.MergeRequests.TargetMoved(ctx, ids, sha); err != nil {
			return err
		}
		job := TargetJob{ProjectID: p.ProjectID, Branch: branch, Old: c.Old, New: c.New, UserID: p.UserID}
		if err := m.Enqueue(ctx, job); err != nil {
			return err
		}
	}
	return nil
}

// sourcesMoved updates merge requests whose source branch has moved. If the branch was deleted, the merge request stays
// as it was.
func (m *Merger) sourcesMoved(ctx context.Context, p push.Result, names []string, moved map[string]git.Command) error {
	rows, err := m.Store.MergeRequests.LockOpenFrom(ctx, p.ProjectID, names)
	if err != nil {
		return err
	}
	byBranch := map[string][]int64{}
	var watches []movedWatch
	for _, mr := range rows {
		c := moved[mr.SourceBranch]
		if c.New == git.Zero || c.New == mr.HeadSHA {
			continue
		}
		watch, err := m.watchMoved(ctx, p, mr)
		if err != nil {
			return err
		}
		watches = append(watches, watch)
		byBranch[mr.SourceBranch] = append(byBranch[mr.SourceBranch], mr.ID)
		if err := m.Enqueue(ctx, Refresh{ID: mr.ID, UserID: p.UserID, Batch: p.Batch, Awaited: mr.AutoMerge}); err != nil {
			return err
		}
	}
	for branch, ids := range byBranch {
		if err := m.Store.MergeRequests.SourceMoved(ctx, ids, moved[branch].New); err != nil {
			return err
		}
	}
	for _, watch := range watches {
		if err := watch.Announce(ctx, announce.MergeRequestChange{UserID: p.UserID, OldRev: watch.oldRev}); err != nil {
			return err
		}
	}
	return nil
}

// movedWatch watches a merge request whose source branch has moved.
type movedWatch struct {
	announce.MergeRequestWatch
	oldRev string
}

// watchMoved watches a merge request for webhooks. It may belong to another project than the push.
func (m *Merger) watchMoved(ctx context.Context, p push.Result, mr model.MergeRequest) (movedWatch, error) {
	target := p.Project
	if mr.ProjectID != p.ProjectID {
		target = model.Project{ID: mr.ProjectID}
	}
	watch, err := m.Issuables.Hooks.WatchMergeRequest(ctx, target, mr.ID)
	return movedWatch{watch, mr.HeadSHA}, err
}

// mentioned schedules the job that closes the issues mentioned by commits on the default branch.
func (m *Merger) mentioned(ctx context.Context, p push.Result, moved map[string]git.Command) error {
	c, ok := moved[p.Project.DefaultBranch]
	if !ok || c.New == git.Zero || c.Old == git.Zero || !p.Project.AutocloseReferencedIssues || m.mentionsNothing(ctx, p, c) {
		return nil
	}
	return m.Enqueue(ctx, MentionsJob{ProjectID: p.ProjectID, Old: c.Old, New: c.New, UserID: p.UserID})
}

// mentionsNothing reports whether a push is a single commit that mentions no issue. The pusher has brought the tip of a single
// branch into memory.
func (m *Merger) mentionsNothing(ctx context.Context, p push.Result, c git.Command) bool {
	repo, err := m.Pusher.Repo(p.Project)
	if err != nil || len(p.Changes) != 1 {
		return false
	}
	tip, err := repo.Commit(ctx, c.New)
	return err == nil && len(tip.Parents) == 1 && tip.Parents[0] == c.Old && !mention.AnyIssue(tip.Message)
}

// MentionsJob is the job for a push to the default branch whose commits may mention issues.
type MentionsJob struct {
	ProjectID int64  `json:"project_id"`
	Old       string `json:"old"`
	New       string `json:"new"`
	UserID    int64  `json:"user_id"`
}

// Kind returns the name of the job in the queue.
func (MentionsJob) Kind() string { return "close_mentioned_issues" }

const (
	mostMessages = 100 // maximum number of commits that are read per push
	shortID      = 8
)

// CloseMentioned closes the issues that commits on the default branch close by their messages.
func (m *Merger) CloseMentioned(ctx context.Context, job MentionsJob) error {
	user, row, ok, err := m.readAs(ctx, job.UserID, job.ProjectID)
	if err != nil || !ok {
		return err
	}
	repo, err := m.Pusher.Repo(row.Project)
	if err != nil {
		return err
	}
	ids, err := repo.Between(ctx, job.Old, job.New)
	if err != nil {
		return nil //nolint:nilerr // the old one may be gone
	}
	commits, err := repo.Commits(ctx, ids[:min(len(ids), mostMessages)])
	if err != nil {
		return err
	}
	for _, c := range commits {
		by := "commit " + c.ID[:shortID]
		if err := m.Issuables.CloseByReference(ctx, row.Project, c.Message, by, launch.Reader(user)); err != nil {
			return err
		}
	}
	return nil
}
