package store

import (
	"context"
	"strings"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// ProjectContents reads the parts of a project that an archive contains, page by page. Each page starts after the last
// row of the one before, in the order of an index.
type ProjectContents struct{ *base }

// archivedUsers selects the users whom the parts of a project name.
var archivedUsers = strings.Join([]string{
	"SELECT author_id FROM issues WHERE project_id = @project",
	"SELECT closed_by_id FROM issues WHERE project_id = @project",
	"SELECT a.user_id FROM issue_assignees a JOIN issues i ON i.id = a.issue_id WHERE i.project_id = @project",
	"SELECT author_id FROM merge_requests WHERE project_id = @project",
	"SELECT closed_by_id FROM merge_requests WHERE project_id = @project",
	"SELECT merge_user_id FROM merge_requests WHERE project_id = @project",
	"SELECT a.user_id FROM merge_request_assignees a JOIN merge_requests m ON m.id = a.merge_request_id WHERE m.project_id = @project",
	"SELECT a.user_id FROM merge_request_reviewers a JOIN merge_requests m ON m.id = a.merge_request_id WHERE m.project_id = @project",
	"SELECT author_id FROM notes WHERE project_id = @project",
	"SELECT resolved_by_id FROM notes WHERE project_id = @project",
	"SELECT author_id FROM releases WHERE project_id = @project",
	"SELECT user_id FROM members WHERE source_type = 'Project' AND source_id = @project",
}, " UNION ")

// UsersAfter returns users whom the parts of a project name.
func (s ProjectContents) UsersAfter(ctx context.Context, projectID, after int64, most int) ([]model.ArchivedUser, error) {
	q := s.db.Read(ctx).Select("id, username, name, public_email").
		Where("id > @after AND id IN ("+archivedUsers+")", map[string]any{"after": after, "project": projectID}).Order("id").Limit(most)
	rows, err := query.Find[model.ArchivedUser](q, most)
	return rows, query.Translate(err)
}

// LabelsAfter returns labels of a project, and the labels of groups that its issues and merge requests have.
func (s ProjectContents) LabelsAfter(ctx context.Context, projectID, after int64, most int) ([]model.LabelRow, error) {
	q := s.db.Read(ctx).Table("labels").Select("labels.*, p.priority").
		Joins("LEFT JOIN label_priorities p ON p.label_id = labels.id AND p.project_id = ?", projectID).
		Where("labels.id > ? AND (labels.project_id = ? OR labels.id IN (SELECT l.label_id FROM issue_labels l JOIN issues i "+
			"ON i.id = l.issue_id WHERE i.project_id = ?) OR labels.id IN (SELECT l.label_id FROM merge_request_labels l "+
			"JOIN merge_requests m ON m.id = l.merge_request_id WHERE m.project_id = ?))", after, projectID, projectID, projectID)
	rows, err := query.Find[model.LabelRow](q.Order("labels.id").Limit(most), most)
	return rows, query.Translate(err)
}

// MilestonesAfter returns milestones of a project.
func (s ProjectContents) MilestonesAfter(ctx context.Context, projectID, iid int64, most int) ([]model.Milestone, error) {
	return afterIID[model.Milestone](s.db.Read(ctx), projectID, iid, most)
}

// IssuesAfter returns issues of a project.
func (s ProjectContents) IssuesAfter(ctx context.Context, projectID, iid int64, most int) ([]model.Issue, error) {
	return afterIID[model.Issue](s.db.Read(ctx), projectID, iid, most)
}

func afterIID[T any](q *gorm.DB, projectID, iid int64, most int) ([]T, error) {
	rows, err := query.Find[T](q.Where("project_id = ? AND iid > ?", projectID, iid).Order("iid").Limit(most), most)
	return rows, query.Translate(err)
}

// MergeRequestsAfter returns merge requests of a project.
func (s ProjectContents) MergeRequestsAfter(
	ctx context.Context, projectID, iid int64, most int,
) ([]model.ArchivedMergeRequest, error) {
	q := s.db.Read(ctx).Table("merge_requests").Select("merge_requests.*, coalesce((SELECT v.changes FROM merge_request_versions v "+
		"WHERE v.merge_request_id = merge_requests.id ORDER BY v.id DESC LIMIT 1), 0) AS changes").
		Where("project_id = ? AND iid > ?", projectID, iid)
	rows, err := query.Find[model.ArchivedMergeRequest](q.Order("iid").Limit(most), most)
	return rows, query.Translate(err)
}

// NotesAfter returns notes on issues or merge requests of a project.
func (s ProjectContents) NotesAfter(
	ctx context.Context, kind string, projectID, after int64, most int,
) ([]model.ArchivedNote, error) {
	q := s.db.Read(ctx).Table("notes").Select("notes.*, t.iid AS \"on\"").Joins("JOIN "+tableOf(kind)+" t ON t.id = notes.noteable_id").
		Where("t.project_id = ? AND notes.noteable_type = ? AND notes.id > ?", projectID, kind, after)
	rows, err := query.Find[model.ArchivedNote](q.Order("notes.id").Limit(most), most)
	return rows, query.Translate(err)
}

// MembersAfter returns direct human members of a project.
func (s ProjectContents) MembersAfter(ctx context.Context, projectID, userID int64, most int) ([]model.Member, error) {
	q := s.db.Read(ctx).Where("source_type = ? AND source_id = ? AND user_id > ?", model.SourceProject, projectID, userID).
		Where("expires_at IS NULL OR expires_at > ?", s.today()).
		Where("user_id IN (SELECT id FROM users WHERE kind = ?)", model.UserHuman)
	rows, err := query.Find[model.Member](q.Order("user_id").Limit(most), most)
	return rows, query.Translate(err)
}

// ReleasesAfter returns releases of a project.
func (s ProjectContents) ReleasesAfter(ctx context.Context, projectID, after int64, most int) ([]model.Release, error) {
	return afterID[model.Release](s.db.Read(ctx), projectID, after, most)
}

// UploadsAfter returns files that users have attached to texts of a project.
func (s ProjectContents) UploadsAfter(ctx context.Context, projectID, after int64, most int) ([]model.Upload, error) {
	return afterID[model.Upload](s.db.Read(ctx), projectID, after, most)
}

func afterID[T any](q *gorm.DB, projectID, after int64, most int) ([]T, error) {
	rows, err := query.Find[T](q.Where("project_id = ? AND id > ?", projectID, after).Order("id").Limit(most), most)
	return rows, query.Translate(err)
}

// LFSAfter returns Git LFS objects of a project, by oid.
func (s ProjectContents) LFSAfter(ctx context.Context, projectID int64, oid string, most int) ([]model.LfsObject, error) {
	q := s.db.Read(ctx).Where("oid > ? AND oid IN (SELECT oid FROM lfs_project_objects WHERE project_id = ?)", oid, projectID)
	rows, err := query.Find[model.LfsObject](q.Order("oid").Limit(most), most)
	return rows, query.Translate(err)
}

// IssueParts returns the label links and assignees of issues.
func (s ProjectContents) IssueParts(ctx context.Context, ids []int64) ([]model.IssueLabel, []model.IssueAssignee, error) {
	labels, err := query.Find[model.IssueLabel](s.db.Read(ctx).Where("issue_id IN ?", ids).Order("issue_id, label_id"), 0)
	if err != nil {
		return nil, nil, query.Translate(err)
	}
	users, err := query.Find[model.IssueAssignee](s.db.Read(ctx).Where("issue_id IN ?", ids).Order("issue_id, user_id"), 0)
	return labels, users, query.Translate(err)
}

// MergeRequestParts are parts of merge requests.
type MergeRequestParts struct {
	Labels    []model.MergeRequestLabel
	Assignees []model.MergeRequestAssignee
	Reviewers []model.MergeRequestReviewer
	Commits   []model.MergeRequestCommit
}

// MergeRequestParts returns the parts of merge requests.
func (s ProjectContents) MergeRequestParts(ctx context.Context, ids []int64) (p MergeRequestParts, err error) {
	of := func() *gorm.DB { return s.db.Read(ctx).Where("merge_request_id IN ?", ids).Order("merge_request_id") }
	if p.Labels, err = query.Find[model.MergeRequestLabel](of().Order("label_id"), 0); err != nil {
		return p, query.Translate(err)
	}
	if p.Assignees, err = query.Find[model.MergeRequestAssignee](of().Order("user_id"), 0); err != nil {
		return p, query.Translate(err)
	}
	if p.Reviewers, err = query.Find[model.MergeRequestReviewer](of().Order("user_id"), 0); err != nil {
		return p, query.Translate(err)
	}
	p.Commits, err = query.Find[model.MergeRequestCommit](of().Order("sha"), 0)
	return p, query.Translate(err)
}

// ReleaseParts returns the links and milestones of releases.
func (s ProjectContents) ReleaseParts(ctx context.Context, ids []int64) ([]model.ReleaseLink, []model.ReleaseMilestone, error) {
	links, err := query.Find[model.ReleaseLink](s.db.Read(ctx).Where("release_id IN ?", ids).Order("id"), 0)
	if err != nil {
		return nil, nil, query.Translate(err)
	}
	q := s.db.Read(ctx).Where("release_id IN ?", ids).Order("release_id, milestone_id")
	milestones, err := query.Find[model.ReleaseMilestone](q, 0)
	return links, milestones, query.Translate(err)
}

// LabelNames returns the names of labels by id.
func (s ProjectContents) LabelNames(ctx context.Context, ids []int64) (map[int64]string, error) {
	rows, err := query.Find[model.Label](s.db.Read(ctx).Select("id, name").Where("id IN ?", ids), 0)
	names := make(map[int64]string, len(rows))
	for _, l := range rows {
		names[l.ID] = l.Name
	}
	return names, query.Translate(err)
}

// MilestoneTitles returns the titles of milestones by id.
func (s ProjectContents) MilestoneTitles(ctx context.Context, ids []int64) (map[int64]string, error) {
	rows, err := query.Find[model.Milestone](s.db.Read(ctx).Select("id, title").Where("id IN ?", ids), 0)
	titles := make(map[int64]string, len(rows))
	for _, m := range rows {
		titles[m.ID] = m.Title
	}
	return titles, query.Translate(err)
}

// LastNumbers returns the highest numbers of the issues and merge requests of a project.
func (s ProjectContents) LastNumbers(ctx context.Context, projectID int64) (issues, mergeRequests int64, err error) {
	err = query.ScanFirst(s.db.Read(ctx).Raw("SELECT coalesce((SELECT max(iid) FROM issues WHERE project_id = ?), 0), "+
		"coalesce((SELECT max(iid) FROM merge_requests WHERE project_id = ?), 0)", projectID, projectID), &issues, &mergeRequests)
	return issues, mergeRequests, query.Translate(err)
}
