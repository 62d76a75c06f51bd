package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// MergeRequestFilter narrows a list of merge requests.
type MergeRequestFilter struct {
	IssuableFilter
	SourceBranch    string
	TargetBranch    string
	Draft           *bool
	Reviewer        string // an id, None or Any
	ReviewerName    string
	ApprovedBy      []int64 // all of these users; 0 for no approval, -1 for any
	ApprovedByNames []string
	MergeUserID     *int64
	MergeUser       string
	SourceProjectID *int64
	MergedAfter     *time.Time
	MergedBefore    *time.Time
	NotSource       string
	NotTarget       string
	NotReviewerID   *int64
	NotReviewer     string
	Only            *[]int64 // only merge requests with these IDs; nil for all
}

func (f MergeRequestFilter) where(q *gorm.DB, in issuable, r *Reader) *gorm.DB {
	q = in.where(q, f.IssuableFilter, r)
	named := in.inSet("SELECT x.merge_request_id FROM users u JOIN merge_request_reviewers x ON x.user_id = u.id WHERE "+
		"lower(u.username) = lower(?)", "x.merge_request_id")
	asked := in.inSet("SELECT merge_request_id FROM merge_request_reviewers WHERE user_id = ?", "merge_request_id")
	for _, c := range []struct {
		wanted bool
		text   string
		value  any
	}{
		{f.SourceBranch != "", "merge_requests.source_branch = ?", f.SourceBranch},
		{f.TargetBranch != "", "merge_requests.target_branch = ?", f.TargetBranch},
		{f.Draft != nil, "merge_requests.draft = ?", f.Draft},
		{f.SourceProjectID != nil, "merge_requests.source_project_id = ?", f.SourceProjectID},
		{f.ReviewerName != "", "merge_requests.id " + named, f.ReviewerName},
		{f.MergeUserID != nil, "merge_requests.merge_user_id = ?", f.MergeUserID},
		{f.MergeUser != "", "merge_requests.merge_user_id IN (SELECT id FROM users WHERE lower(username) = lower(?))", f.MergeUser},
		{f.MergedAfter != nil, "merge_requests.merged_at >= ?", utc(f.MergedAfter)},
		{f.MergedBefore != nil, "merge_requests.merged_at <= ?", utc(f.MergedBefore)},
		{f.NotSource != "", "merge_requests.source_branch <> ?", f.NotSource},
		{f.NotTarget != "", "merge_requests.target_branch <> ?", f.NotTarget},
		{f.NotReviewerID != nil, "merge_requests.id NOT " + asked, f.NotReviewerID},
		{f.NotReviewer != "", "merge_requests.id NOT " + named, f.NotReviewer},
	} {
		if c.wanted {
			q = q.Where(c.text, c.value)
		}
	}
	if f.Only != nil {
		q = q.Where("merge_requests.id IN ?", append(*f.Only, 0))
	}
	some := "EXISTS (SELECT 1 FROM merge_request_reviewers x WHERE x.merge_request_id = merge_requests.id)"
	switch {
	case f.Reviewer == "":
	case strings.EqualFold(f.Reviewer, None) || f.Reviewer == "0":
		q = q.Where("NOT " + some)
	case strings.EqualFold(f.Reviewer, Any):
		q = q.Where(some)
	default:
		q = q.Where("merge_requests.id "+asked, parseID(f.Reviewer))
	}
	return f.approved(q, in)
}

func (f MergeRequestFilter) approved(q *gorm.DB, in issuable) *gorm.DB {
	some := "EXISTS (SELECT 1 FROM merge_request_approvals x WHERE x.merge_request_id = merge_requests.id)"
	by := in.inSet("SELECT merge_request_id FROM merge_request_approvals WHERE user_id = ?", "merge_request_id")
	named := in.inSet("SELECT x.merge_request_id FROM users u JOIN merge_request_approvals x ON x.user_id = u.id WHERE "+
		"lower(u.username) = lower(?)", "x.merge_request_id")
	for _, id := range f.ApprovedBy {
		switch {
		case id == 0:
			q = q.Where("NOT " + some)
		case id < 0:
			q = q.Where(some)
		default:
			q = q.Where("merge_requests.id "+by, id)
		}
	}
	for _, name := range f.ApprovedByNames {
		q = q.Where("merge_requests.id "+named, name)
	}
	return q
}

// hasSet reports whether the filter names a set of ids that the part for issues does not have.
func (f MergeRequestFilter) hasSet() bool {
	named := f.Reviewer != "" && f.Reviewer != "0" && !strings.EqualFold(f.Reviewer, None) && !strings.EqualFold(f.Reviewer, Any)
	someone := func(id int64) bool { return id > 0 }
	return named || f.ReviewerName != "" || slices.ContainsFunc(f.ApprovedBy, someone) || len(f.ApprovedByNames) > 0 || f.Only != nil
}

// List returns one page of the merge requests that a reader sees.
func (s MergeRequests) List(
	ctx context.Context, scope IssuableScope, f MergeRequestFilter, p Page,
) ([]model.MergeRequestRow, Total, error) {
	whole := f
	whole.OrderBy, whole.Asc = "", false
	rows, total, err := listIssuables(ctx, s.base, issuableList{
		in: onMergeRequests, scope: scope, filter: f.IssuableFilter, whole: whole, sets: f.hasSet(),
		shown: condition{text: mergeRequestColumns},
		rows:  func() *gorm.DB { return s.db.Read(ctx).Table("merge_requests") },
		where: func(q *gorm.DB, in issuable) *gorm.DB { return f.where(q, in, scope.Reader) },
	}, p, func(row *model.MergeRequestRow) []any { return mergeRequestFields(&row.MergeRequest) })
	if err != nil {
		return nil, total, err
	}
	return rows, total, s.complete(ctx, rows)
}

// ListByCommit returns one page of the merge requests of a project that contain a commit, newest first.
func (s MergeRequests) ListByCommit(ctx context.Context, projectID int64, sha string, p Page) ([]model.MergeRequestRow, Total, error) {
	q := s.shown(ctx).
		Where("merge_requests.id IN (SELECT merge_request_id FROM merge_request_commits WHERE project_id = ? AND sha = ?)", projectID, sha)
	rows, total, err := query.List[model.MergeRequestRow](q.Order("merge_requests.id DESC"), p)
	if err != nil {
		return nil, total, err
	}
	return rows, total, s.complete(ctx, rows)
}

// MergedWith returns the IDs of the merged merge requests of a project of which merging put the last commit among the given
// ones: the merge commit, the squash commit, or the head.
func (s MergeRequests) MergedWith(ctx context.Context, projectID int64, shas []string) ([]int64, error) {
	among, ids := make(map[string]bool, len(shas)), []int64{}
	for _, sha := range shas {
		among[sha] = true
	}
	seen := map[int64]bool{}
	for some := range slices.Chunk(shas, someRows) {
		rows, err := query.Find[model.MergeRequest](s.db.Read(ctx).Select("id, head_sha, merge_commit_sha, squash_commit_sha").
			Where("project_id = ? AND state = 'merged'", projectID).
			Where("id IN (SELECT merge_request_id FROM merge_request_commits WHERE project_id = ? AND sha IN ?)", projectID, some), 0)
		if err != nil {
			return nil, query.Translate(err)
		}
		for _, m := range rows {
			last := m.HeadSHA
			for _, made := range []*string{m.SquashCommitSHA, m.MergeCommitSHA} {
				if made != nil {
					last = *made
				}
			}
			if among[last] && !seen[m.ID] {
				seen[m.ID], ids = true, append(ids, m.ID)
			}
		}
	}
	return ids, nil
}

// ListByIssue returns one page of the merge requests that mention an issue and that a reader sees, newest first. With
// closes, only those that close the issue are listed.
func (s MergeRequests) ListByIssue(
	ctx context.Context, issueID int64, closes bool, r *Reader, p Page,
) ([]model.MergeRequestRow, Total, error) {
	named := "SELECT merge_request_id FROM merge_request_issues WHERE issue_id = ?"
	if closes {
		named += " AND closes"
	}
	q := IssuableScope{Reader: r}.narrow(s.shown(ctx), onMergeRequests).Where("merge_requests.id IN ("+named+")", issueID)
	rows, total, err := query.List[model.MergeRequestRow](q.Order("merge_requests.id DESC"), p)
	if err != nil {
		return nil, total, err
	}
	return rows, total, s.complete(ctx, rows)
}

func (s MergeRequests) shown(ctx context.Context) *gorm.DB {
	return s.db.Read(ctx).Table("merge_requests").Select("merge_requests.*")
}

// GetShown returns a merge request of a project with its people, labels, milestone, pipeline and project.
func (s MergeRequests) GetShown(ctx context.Context, projectID, iid int64) (model.MergeRequestRow, error) {
	m, err := s.Get(ctx, projectID, iid)
	if err != nil {
		return model.MergeRequestRow{}, err
	}
	return s.Complete(ctx, m)
}

// Complete adds people, labels, milestone, pipeline and project to a merge request that was read just now.
func (s MergeRequests) Complete(ctx context.Context, m model.MergeRequest) (model.MergeRequestRow, error) {
	rows := []model.MergeRequestRow{{MergeRequest: m}}
	err := s.complete(ctx, rows)
	return rows[0], err
}

// CompleteSingle is like Complete, for a merge request whose project is known. It also reads what only the response about a
// single merge request shows, for a user; 0 stands for nobody.
func (s MergeRequests) CompleteSingle(
	ctx context.Context, m model.MergeRequest, project *model.Project, userID int64,
) (row model.MergeRequestRow, b MergeRequestBeside, err error) {
	rows := []model.MergeRequestRow{{MergeRequest: m, Project: project}}
	err = s.complete(ctx, rows, func() query.Reading { return s.readBeside(m, userID, &b) })
	return rows[0], b, err
}

// complete adds the data of other tables, and reads more with it. People, labels and more are read in one message, the rest in one
// statement each.
func (s MergeRequests) complete(ctx context.Context, rows []model.MergeRequestRow, more ...func() query.Reading) error {
	ids, milestones, projects, pipelines := make([]int64, len(rows)), map[int64]bool{}, map[int64]bool{}, map[int64]bool{}
	for i := range rows {
		m := &rows[i].MergeRequest
		ids[i] = m.ID
		if rows[i].Project == nil {
			projects[m.ProjectID] = true
		}
		if m.MilestoneID != nil {
			milestones[*m.MilestoneID] = true
		}
		if m.HeadPipelineID != nil {
			pipelines[*m.HeadPipelineID] = true
		}
	}
	unresolved := make(map[int64]bool, len(ids))
	more = append(more, func() query.Reading { return s.readUnresolved(ids, unresolved) })
	found, err := s.partsOf(ctx, onMergeRequests, ids, more...)
	if err != nil {
		return err
	}
	plans, err := s.milestonesOf(ctx, milestones)
	if err != nil {
		return err
	}
	places, err := byID(ctx, s.base, projects, func(p *model.Project) int64 { return p.ID })
	if err != nil {
		return err
	}
	runs, err := byID(ctx, s.base, pipelines, func(p *model.Pipeline) int64 { return p.ID })
	if err != nil {
		return err
	}
	for i := range rows {
		row := &rows[i]
		m := &row.MergeRequest
		who := found.people[m.ID]
		row.Author, row.ClosedBy, row.MergedBy, row.Assignees, row.Reviewers = who.Author, who.ClosedBy, who.MergedBy,
			who.Assignees, who.Reviewers
		row.Labels, row.Unresolved = found.labels[m.ID], unresolved[m.ID]
		if row.Project == nil {
			row.Project = places[m.ProjectID]
		}
		if m.MilestoneID != nil {
			row.Milestone = plans[*m.MilestoneID]
		}
		if m.HeadPipelineID != nil {
			row.Pipeline = runs[*m.HeadPipelineID]
		}
	}
	return nil
}
