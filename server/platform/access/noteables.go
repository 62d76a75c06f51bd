package access

import (
	"slices"

	"svc/store"
	"svc/store/model"
)

// ReadsNoteable reports whether a user can read an issue, a merge request or a commit of a project. The row is the
// project as that user sees it; user id 0 is an anonymous user.
func ReadsNoteable(row model.ProjectRow, on model.Noteable, userID int64) bool {
	switch on.Type {
	case model.OnIssue:
		if !row.ReadsIssues() {
			return false
		}
		mine := userID != 0 && (on.AuthorID == userID || slices.Contains(on.Assignees, userID))
		return !on.Confidential || row.SeesConfidential() || mine
	case model.OnMergeRequest:
		return row.ReadsMergeRequests()
	case model.OnCommit:
		return row.ReadsCode()
	}
	return false
}

// ReadsInternal reports whether the user can read internal notes, which are for members only.
func ReadsInternal(row model.ProjectRow) bool { return row.Role() >= model.Reporter }

// ReaderSees reports whether a user, looked up together with their role, can see a project at all.
func ReaderSees(project model.Project, r model.ProjectReader) bool {
	return SeesProject(r.Row(project), &store.Reader{UserID: r.UserID, Admin: r.Admin, External: r.External})
}
