package access

import (
	"slices"

	"svc/store"
	"svc/store/model"
)

// ReadsNoteable tells whether somebody who sees a project as the row says may read an issue, a merge request or a commit of it; user 0
// is nobody.
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

// ReadsInternal tells whether somebody sees notes that are for members only.
func ReadsInternal(row model.ProjectRow) bool { return row.Role() >= model.Reporter }

// ReaderSees tells whether a user who was looked up with their role sees a project at all.
func ReaderSees(project model.Project, r model.ProjectReader) bool {
	return SeesProject(r.Row(project), &store.Reader{UserID: r.UserID, Admin: r.Admin, External: r.External})
}
