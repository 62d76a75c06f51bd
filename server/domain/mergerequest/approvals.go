package mergerequest

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"svc/server/domain/mergerequest/approval"
	"svc/server/domain/webhook/announce"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// mostCommitters is how many commits of a merge request are read to find the users who wrote them.
const mostCommitters = 1000

// committers returns the users who have written or committed commits, by their confirmed addresses.
func (m *Merger) committers(ctx context.Context, repo git.Repo, ids []string) ([]int64, error) {
	commits, err := repo.Commits(ctx, ids[:min(len(ids), mostCommitters)])
	if errors.Is(err, git.ErrNotFound) {
		return nil, nil // the branch has moved again
	}
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var addresses []string
	for _, c := range commits {
		for _, address := range []string{c.Author.Email, c.Committer.Email} {
			fit := address != "" && utf8.ValidString(address) && !strings.ContainsRune(address, 0)
			if fit && !seen[address] {
				seen[address] = true
				addresses = append(addresses, address)
			}
		}
	}
	users, err := m.Store.Users.ByConfirmedEmail(ctx, addresses)
	if err != nil {
		return nil, err
	}
	var people []int64
	found := map[int64]bool{}
	for _, user := range users {
		if !found[user.ID] {
			found[user.ID] = true
			people = append(people, user.ID)
		}
	}
	return people, nil
}

// keepsApprovals reports whether the approvals of a merge request stay after a push: the project wants that, or the changes
// are the same as before, as after a rebase.
func (m *Merger) keepsApprovals(ctx context.Context, project model.Project, mr model.MergeRequest, now Comparison) (bool, error) {
	state, err := approval.One(ctx, m.Store, mr)
	if err != nil || !state.InUse() || !state.Setting.ResetApprovalsOnPush {
		return true, err
	}
	last, err := m.Store.MergeRequests.LastVersion(ctx, mr.ID)
	if store.IsNotFound(err) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	repo, err := m.Pusher.Repo(project)
	if err != nil {
		return false, err
	}
	ids, err := repo.PatchIDs(ctx, []git.Pair{{From: last.BaseSHA, To: last.HeadSHA}, {From: now.Base, To: now.Head}})
	return err == nil && ids[0] != "" && ids[0] == ids[1], err
}

// resetApprovals removes all approvals of a merge request, with a system note, and announces it to webhooks.
func (m *Merger) resetApprovals(ctx context.Context, project model.Project, mr model.MergeRequest, userID int64, why string) error {
	return m.Store.Tx(ctx, func(ctx context.Context) error {
		watch, err := m.Issuables.Hooks.WatchMergeRequest(ctx, project, mr.ID)
		if err != nil {
			return err
		}
		before, err := approval.One(ctx, m.Store, mr)
		if err != nil {
			return err
		}
		had, err := m.Store.MergeRequests.ResetApprovals(ctx, mr.ID)
		if err != nil || len(had) == 0 {
			return err
		}
		if err := m.addSystemNote(ctx, mr, userID, "unapproved", why); err != nil {
			return err
		}
		after, err := approval.One(ctx, m.Store, mr)
		if err != nil {
			return err
		}
		return watch.Announce(ctx, announce.MergeRequestChange{UserID: userID, Action: reviewAction(false, before, after)})
	})
}
