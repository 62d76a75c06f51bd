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

func (f MergeRequestFilter) where(q *gorm.DB, r *Reader) *gorm.DB {
	q = onMergeRequests.where(q, f.IssuableFilter, r)
	const named = "(SELECT x.merge_request_id FROM users u JOIN merge_request_reviewers x ON x.user_id = u.id WHERE " +
		"lower(u.username) = lower(?))"
	const asked = "(SELECT merge_request_id FROM merge_request_reviewers WHERE user_id = ?)"
	for _, c := range []struct {
		wanted bool
		text   string
		value  any
	}{
		{f.SourceBranch != "", "merge_requests.source_branch = ?", f.SourceBranch},
		{f.TargetBranch != "", "merge_requests.target_branch = ?", f.TargetBranch},
		{f.Draft != nil, "merge_requests.draft = ?", f.Draft},
		{f.SourceProjectID != nil, "merge_requests.source_project_id = ?", f.SourceProjectID},
		{f.ReviewerName != "", "merge_requests.id IN " + named, f.ReviewerName},
		{f.MergeUserID != nil, "merge_requests.merge_user_id = ?", f.MergeUserID},
		{f.MergeUser != "", "merge_requests.merge_user_id IN (SELECT id FROM users WHERE lower(username) = lower(?))", f.MergeUser},
		{f.MergedAfter != nil, "merge_requests.merged_at >= ?", utc(f.MergedAfter)},
		{f.MergedBefore != nil, "merge_requests.merged_at <= ?", utc(f.MergedBefore)},
		{f.NotSource != "", "merge_requests.source_branch <> ?", f.NotSource},
		{f.NotTarget != "", "merge_requests.target_branch <> ?", f.NotTarget},
		{f.NotReviewerID != nil, "merge_requests.id NOT IN " + asked, f.NotReviewerID},
		{f.NotReviewer != "", "merge_requests.id NOT IN " + named, f.NotReviewer},
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
		q = q.Where("merge_requests.id IN "+asked, parseID(f.Reviewer))
	}
	return f.approved(q)
}

func (f MergeRequestFilter) approved(q *gorm.DB) *gorm.DB {
	some := "EXISTS (SELECT 1 FROM merge_request_approvals x WHERE x.merge_request_id = merge_requests.id)"
	for _, id := range f.ApprovedBy {
		switch {
		case id == 0:
			q = q.Where("NOT " + some)
		case id < 0:
			q = q.Where(some)
		default:
			q = q.Where("merge_requests.id IN (SELECT merge_request_id FROM merge_request_approvals WHERE user_id = ?)", id)
		}
	}
	for _, name := range f.ApprovedByNames {
		q = q.Where("merge_requests.id IN (SELECT x.merge_request_id FROM users u JOIN merge_request_approvals x ON "+
			"x.user_id = u.id WHERE lower(u.username) = lower(?))", name)
	}
	return q
}

// List returns one page of the merge requests that a reader sees.
func (s MergeRequests) List(
	ctx context.Context, scope IssuableScope, f MergeRequestFilter, p Page,
) ([]model.MergeRequestRow, Total, error) {
	q := f.where(scope.narrow(s.shown(ctx), onMergeRequests), scope.Reader)
	list := query.List[model.MergeRequestRow]
	if f.Search != "" {
		list = query.ListFiltered[model.MergeRequestRow]
	}
	rows, total, err := list(onMergeRequests.order(q, f.IssuableFilter), p)
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
	row, err := query.Take[model.MergeRequestRow](s.shown(ctx).
		Where("merge_requests.project_id = ? AND merge_requests.iid = ?", projectID, iid), mergeRequest)
	if err != nil {
		return row, err
	}
	rows := []model.MergeRequestRow{row}
	err = s.complete(ctx, rows)
	return rows[0], err
}

// complete adds the data of other tables, in one statement each.
func (s MergeRequests) complete(ctx context.Context, rows []model.MergeRequestRow) error {
	ids, milestones, projects, pipelines := make([]int64, len(rows)), map[int64]bool{}, map[int64]bool{}, map[int64]bool{}
	for i := range rows {
		m := &rows[i].MergeRequest
		ids[i] = m.ID
		projects[m.ProjectID] = true
		if m.MilestoneID != nil {
			milestones[*m.MilestoneID] = true
		}
		if m.HeadPipelineID != nil {
			pipelines[*m.HeadPipelineID] = true
		}
	}
	people, err := s.peopleOf(ctx, onMergeRequests, ids)
	if err != nil {
		return err
	}
	labels, err := s.labelsOf(ctx, onMergeRequests, ids)
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
	unresolved, err := s.Unresolved(ctx, ids)
	if err != nil {
		return err
	}
	for i := range rows {
		row := &rows[i]
		m := &row.MergeRequest
		who := people[m.ID]
		row.Author, row.ClosedBy, row.MergedBy, row.Assignees, row.Reviewers = who.Author, who.ClosedBy, who.MergedBy,
			who.Assignees, who.Reviewers
		row.Labels, row.Unresolved, row.Project = labels[m.ID], unresolved[m.ID], places[m.ProjectID]
		if m.MilestoneID != nil {
			row.Milestone = plans[*m.MilestoneID]
		}
		if m.HeadPipelineID != nil {
			row.Pipeline = runs[*m.HeadPipelineID]
		}
	}
	return nil
}
