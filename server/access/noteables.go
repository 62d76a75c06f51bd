package access

import (
	"context"
	"slices"

	"svc/store"
	"svc/store/model"
)

// ReadsNoteable tells whether somebody who sees a project as the row says may read an issue, a merge request or a commit of it; user 0
// is nobody.
func ReadsNoteable(row model.ProjectRow, on model.Noteable, userID int64) bool {
	switch on.Type {
	case model.OnIssue:
		if !readsIssues(row) {
			return false
		}
		mine := userID != 0 && (on.AuthorID == userID || slices.Contains(on.Assignees, userID))
		return !on.Confidential || row.Role() >= model.Reporter || mine
	case model.OnMergeRequest:
		return readsMergeRequests(row)
	case model.OnCommit:
		return row.ReadsCode()
	}
	return false
}

func readsIssues(row model.ProjectRow) bool {
	switch row.Project.IssuesAccessLevel {
	case model.FeatureDisabled:
		return false
	case model.FeaturePrivate:
		return row.Role() >= model.Guest
	}
	return true
}

func readsMergeRequests(row model.ProjectRow) bool {
	switch row.Project.MergeRequestsAccessLevel {
	case model.FeatureDisabled:
		return false
	case model.FeaturePrivate:
		return row.Role() >= model.Reporter
	}
	return row.Role() >= model.Reporter || row.Project.Visibility > model.Private
}

// ReadsInternal tells whether somebody sees notes that are for members only.
func ReadsInternal(row model.ProjectRow) bool { return row.Role() >= model.Reporter }

// rowsAtOnce is how many people are looked up by one statement.
const rowsAtOnce = 500

// Rows is a project as each of several people sees it now, in a few statements. Who may not be there, or does not see it, is left out.
func (a *Access) Rows(ctx context.Context, project model.Project, people []model.User) (map[int64]model.ProjectRow, error) {
	roles := make(map[int64]model.Access, len(people))
	for some := range slices.Chunk(people, rowsAtOnce) {
		ids := make([]int64, len(some))
		for i, u := range some {
			ids[i] = u.ID
		}
		found, err := a.store.Members.Roles(ctx, project.ID, ids)
		if err != nil {
			return nil, err
		}
		for id, role := range found {
			roles[id] = role
		}
	}
	rows := make(map[int64]model.ProjectRow, len(people))
	for _, u := range people {
		row := model.ProjectRow{Project: project, Direct: roles[u.ID], Admin: u.Admin, SignedIn: true}
		if u.State == model.UserActive && SeesProject(row, &store.Reader{UserID: u.ID, Admin: u.Admin, External: u.External}) {
			rows[u.ID] = row
		}
	}
	return rows, nil
}
