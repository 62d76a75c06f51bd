package storetest

import (
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
)

// Issue creates an issue of a project; change it with edit.
func Issue(t testing.TB, st *store.Store, p model.Project, author model.User, edit ...func(*model.Issue)) model.Issue {
	t.Helper()
	at := time.Now().UTC().Truncate(time.Microsecond)
	i := model.Issue{
		ProjectID: p.ID, IID: serial.Add(1), AuthorID: author.ID, Title: "The roof leaks", State: model.Opened,
		IssueType: "issue", Severity: "UNKNOWN", CreatedAt: at, UpdatedAt: at,
	}
	for _, f := range edit {
		f(&i)
	}
	err := st.SQL().QueryRowContext(
		t.Context(),
		`INSERT INTO issues (project_id, iid, author_id, title, description, state, issue_type, confidential,
			discussion_locked, severity, user_notes_count, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING id`,
		i.ProjectID,
		i.IID,
		i.AuthorID,
		i.Title,
		i.Description,
		i.State,
		i.IssueType,
		i.Confidential,
		i.DiscussionLocked,
		i.Severity,
		i.UserNotesCount,
		i.CreatedAt,
		i.UpdatedAt,
	).
		Scan(
			&i.ID,
		)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// Assign assigns an issue to a user.
func Assign(t testing.TB, st *store.Store, i model.Issue, u model.User) {
	t.Helper()
	if _, err := st.SQL().ExecContext(
		t.Context(), "INSERT INTO issue_assignees (issue_id, user_id) VALUES ($1, $2)", i.ID, u.ID,
	); err != nil {
		t.Fatal(err)
	}
}

// MergeRequest creates a merge request of a project; change it with edit.
func MergeRequest(t testing.TB, st *store.Store, p model.Project, author model.User, edit ...func(*model.MergeRequest)) model.MergeRequest {
	t.Helper()
	at := time.Now().UTC().Truncate(time.Microsecond)
	m := model.MergeRequest{
		ProjectID: p.ID, IID: serial.Add(1), AuthorID: author.ID, SourceBranch: "topic", TargetBranch: "main",
		Title: "Mend the roof", State: model.Opened, MergeStatus: "unchecked",
		CreatedAt: at, UpdatedAt: at,
	}
	for _, f := range edit {
		f(&m)
	}
	err := st.SQL().QueryRowContext(
		t.Context(),
		`INSERT INTO merge_requests (project_id, iid, author_id, source_branch, target_branch, title, description,
			state, draft, discussion_locked,
head_sha, base_sha, start_sha, merge_status, squash, allow_collaboration, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) RETURNING id`,
		m.ProjectID,
		m.IID,
		m.AuthorID,
		m.SourceBranch,
		m.TargetBranch,
		m.Title,
		m.Description,
		m.State,
		m.Draft,
		m.DiscussionLocked,
		m.HeadSHA,
		m.BaseSHA,
		m.StartSHA,
		m.MergeStatus,
		m.Squash,
		m.AllowCollaboration,
		m.CreatedAt,
		m.UpdatedAt,
	).
		Scan(
			&m.ID,
		)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
