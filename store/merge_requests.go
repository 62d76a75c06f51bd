package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// MergeRequests holds the merge requests of projects.
type MergeRequests struct{ *base }

const (
	mergeRequest         = "Merge Request"
	isOpen               = "state = '" + model.Opened + "'" // for the reason see castText
	counterMergeRequests = "merge_requests"
	maxStoredCommits     = 1000 // largest number of stored commits per merge request
)

const selectMergeRequest = "SELECT " + mergeRequestColumns + " FROM merge_requests WHERE "

// Create adds a merge request and gives it its number.
func (s MergeRequests) Create(ctx context.Context, m *model.MergeRequest) error {
	iid, err := s.next(ctx, m.ProjectID, counterMergeRequests)
	if err != nil {
		return err
	}
	m.IID = iid
	return query.Translate(s.db.Write(ctx).Create(m).Error)
}

// Get returns a merge request of a project by its number.
func (s MergeRequests) Get(ctx context.Context, projectID, iid int64) (m model.MergeRequest, err error) {
	err = s.db.Row(ctx, selectMergeRequest+"project_id = ? AND iid = ?", []any{projectID, iid}, mergeRequestFields(&m)...)
	return m, query.Translate(err, mergeRequest)
}

// Find returns a merge request of any project.
func (s MergeRequests) Find(ctx context.Context, id int64) (m model.MergeRequest, err error) {
	err = s.db.Row(ctx, selectMergeRequest+"id = ?", []any{id}, mergeRequestFields(&m)...)
	return m, query.Translate(err, mergeRequest)
}

// Lock returns a merge request for a transaction that changes it. Other transactions that lock it wait.
func (s MergeRequests) Lock(ctx context.Context, id int64) (m model.MergeRequest, err error) {
	err = s.db.WriteRow(ctx, s.lockRow(selectMergeRequest+"id = ?"), []any{id}, mergeRequestFields(&m)...)
	return m, query.Translate(err, mergeRequest)
}

func (s MergeRequests) forUpdate(q *gorm.DB) *gorm.DB {
	if s.Postgres() {
		q = q.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate})
	}
	return q
}

// FindOpenIID returns the number of the open merge request from one branch into another, or 0 if there is none.
func (s MergeRequests) FindOpenIID(ctx context.Context, sourceID int64, source string, targetID int64, target string) (int64, error) {
	row, err := query.Take[model.MergeRequest](s.db.Write(ctx).Select("iid").
		Where("source_project_id = ? AND source_branch = ? AND project_id = ? AND target_branch = ? AND "+isOpen,
			sourceID, source, targetID, target), mergeRequest)
	if IsNotFound(err) {
		return 0, nil
	}
	return row.IID, err
}

// Update changes columns of a merge request and the time of its last change. It returns the new row.
func (s MergeRequests) Update(ctx context.Context, id int64, set map[string]any) (m model.MergeRequest, err error) {
	text, args := assignments(set, s.now())
	statement := "UPDATE merge_requests SET " + text + " WHERE id = ? RETURNING " + mergeRequestColumns
	err = s.db.WriteRow(ctx, statement, append(args, id), mergeRequestFields(&m)...)
	return m, query.Translate(err, mergeRequest)
}

// UpdateInternal changes columns that the service maintains itself. The time of the last change stays as it is.
func (s MergeRequests) UpdateInternal(ctx context.Context, id int64, set map[string]any) error {
	return query.Translate(s.db.Write(ctx).Model(&model.MergeRequest{}).Where("id = ?", id).UpdateColumns(set).Error)
}

// UpdateInState changes columns of a merge request if its state is from, and reports whether it was.
func (s MergeRequests) UpdateInState(ctx context.Context, id int64, from string, set map[string]any) (bool, error) {
	set["updated_at"] = s.now()
	res := s.db.Write(ctx).Model(&model.MergeRequest{}).Where("id = ? AND state = "+castText, id, from).UpdateColumns(set)
	return res.RowsAffected > 0, query.Translate(res.Error)
}

// SetMergeStatus stores whether an open merge request can be merged, unless one of its branches has changed since.
func (s MergeRequests) SetMergeStatus(ctx context.Context, m model.MergeRequest, set map[string]any) error {
	res := s.db.Write(ctx).Model(&model.MergeRequest{}).
		Where("id = ? AND head_sha = ? AND target_sha = ? AND "+isOpen, m.ID, m.HeadSHA, m.TargetSHA)
	return query.Translate(res.UpdateColumns(set).Error)
}

// ListAllowingCollaboration returns at most the given number of open merge requests from branches of a fork that allow users who may
// merge them to push to these branches.
func (s MergeRequests) ListAllowingCollaboration(ctx context.Context, projectID int64, most int) ([]model.MergeRequest, error) {
	q := s.db.Read(ctx).Where("source_project_id = ? AND project_id <> ? AND allow_collaboration = ? AND "+isOpen,
		projectID, projectID, true)
	rows, err := query.Find[model.MergeRequest](q.Order("id DESC").Limit(most), most)
	return rows, query.Translate(err)
}

// ListOpenFrom returns the newest open merge request from each of some branches of a project, if the reader sees it.
func (s MergeRequests) ListOpenFrom(
	ctx context.Context, projectID int64, branches []string, r *Reader,
) (map[string]model.MergeRequestKey, error) {
	var rows []model.MergeRequestKey
	q := IssuableScope{Reader: r}.narrow(s.db.Read(ctx).Table("merge_requests"), onMergeRequests)
	err := q.Select("merge_requests.source_branch, merge_requests.iid, "+
		"(SELECT full_path FROM projects WHERE projects.id = merge_requests.project_id) AS project_path").
		Where("merge_requests.source_project_id = ? AND merge_requests.source_branch IN ? AND merge_requests."+isOpen,
			projectID, branches).
		Order("merge_requests.id").Scan(&rows).Error
	found := map[string]model.MergeRequestKey{}
	for _, row := range rows {
		found[row.SourceBranch] = row
	}
	return found, query.Translate(err)
}

// LockOpenFrom returns the open merge requests from branches of a project and locks them, ordered by id.
func (s MergeRequests) LockOpenFrom(ctx context.Context, projectID int64, branches []string) ([]model.MergeRequest, error) {
	return s.lockOpen(ctx, "source_project_id = ? AND source_branch IN ?", projectID, branches)
}

// concernedByPush finds what LockOpenFrom, LockOpenInto, Attempts and Suggestions.Finish would find for one pushed branch.
const concernedByPush = "SELECT CASE WHEN " +
	"EXISTS (SELECT 1 FROM merge_requests WHERE project_id = ? AND target_branch = ? AND " + isOpen + ") OR " +
	"EXISTS (SELECT 1 FROM merge_requests WHERE source_project_id = ? AND source_branch = ? AND " + isOpen + ") OR " +
	"EXISTS (SELECT 1 FROM merge_attempts WHERE project_id = ? AND sha = ?) OR " +
	"EXISTS (SELECT 1 FROM suggestions WHERE commit_id = ?) THEN 1 ELSE 0 END"

// Concerned reports whether a push that moves a branch to a commit may concern merge requests.
func (s MergeRequests) Concerned(ctx context.Context, projectID int64, branch, sha string) (bool, error) {
	var n int64
	args := []any{projectID, branch, projectID, branch, projectID, sha, sha}
	err := s.db.Row(ctx, concernedByPush, args, &n)
	return n > 0, query.Translate(err)
}

// LockOpenInto returns the open merge requests into branches of a project and locks them, ordered by id.
func (s MergeRequests) LockOpenInto(ctx context.Context, projectID int64, branches []string) ([]model.MergeRequest, error) {
	return s.lockOpen(ctx, "project_id = ? AND target_branch IN ?", projectID, branches)
}

func (s MergeRequests) lockOpen(ctx context.Context, where string, projectID int64, branches []string) ([]model.MergeRequest, error) {
	var all []model.MergeRequest
	for len(branches) > 0 {
		n := min(len(branches), someRows)
		rows, err := query.Find[model.MergeRequest](s.forUpdate(s.db.Write(ctx).Where(where, projectID, branches[:n]).
			Where(isOpen).Order("id")), 0)
		if err != nil {
			return nil, query.Translate(err)
		}
		all, branches = append(all, rows...), branches[n:]
	}
	return all, nil
}

// TargetMoved stores the new commit of a target branch. The merge requests must be checked again before they can be
// merged.
func (s MergeRequests) TargetMoved(ctx context.Context, ids []int64, sha string) error {
	return s.inChunks(ids, func(ids []int64) error {
		return s.db.Write(ctx).Model(&model.MergeRequest{}).Where("id IN ?", ids).
			UpdateColumns(map[string]any{"target_sha": sha, "merge_status": model.MergeUnchecked}).Error
	})
}

// SourceMoved stores the new commit of a source branch. It clears the pipeline and the auto-merge of the merge
// requests, so that nobody merges commits that they have not seen.
func (s MergeRequests) SourceMoved(ctx context.Context, ids []int64, sha string) error {
	return s.inChunks(ids, func(ids []int64) error {
		return s.db.Write(ctx).Model(&model.MergeRequest{}).Where("id IN ?", ids).UpdateColumns(map[string]any{
			"head_sha": sha, "merge_status": model.MergeUnchecked, "head_pipeline_id": nil, "auto_merge": false, "auto_merge_user_id": nil,
			"auto_merge_options": nil, "updated_at": s.now(),
		}).Error
	})
}

func (s MergeRequests) inChunks(ids []int64, do func(ids []int64) error) error {
	for len(ids) > 0 {
		n := min(len(ids), someRows)
		if err := do(ids[:n]); err != nil {
			return query.Translate(err)
		}
		ids = ids[n:]
	}
	return nil
}

// AddAttempt records a merge that is about to be made.
func (s MergeRequests) AddAttempt(ctx context.Context, a *model.MergeAttempt) error {
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(a).Error)
}

// DeleteAttempt deletes the record of a merge that failed.
func (s MergeRequests) DeleteAttempt(ctx context.Context, projectID int64, sha string) error {
	return query.Translate(s.db.Write(ctx).Where("project_id = ? AND sha = ?", projectID, sha).Delete(&model.MergeAttempt{}).Error)
}

// Attempts returns the recorded merges that were about to set a branch to one of these commits.
func (s MergeRequests) Attempts(ctx context.Context, projectID int64, shas []string) ([]model.MergeAttempt, error) {
	if len(shas) > someRows {
		return nil, nil // not a merge, which changes one branch
	}
	rows, err := query.Find[model.MergeAttempt](s.db.Write(ctx).Where("project_id = ? AND sha IN ?", projectID, shas), 0)
	return rows, query.Translate(err)
}

// DeleteAttempts deletes all recorded attempts to merge a merge request.
func (s MergeRequests) DeleteAttempts(ctx context.Context, id int64) error {
	return query.Translate(s.db.Write(ctx).Where("merge_request_id = ?", id).Delete(&model.MergeAttempt{}).Error)
}

// AddVersion adds a version of a merge request, after a push.
func (s MergeRequests) AddVersion(ctx context.Context, v *model.MergeRequestVersion) error {
	return query.Translate(s.db.Write(ctx).Create(v).Error)
}

const version = "Version"

// LastVersion returns the newest version of a merge request.
func (s MergeRequests) LastVersion(ctx context.Context, id int64) (model.MergeRequestVersion, error) {
	var v model.MergeRequestVersion
	err := s.db.Row(ctx, "SELECT id, merge_request_id, head_sha, base_sha, start_sha, changes, created_at FROM merge_request_versions "+
		"WHERE merge_request_id = ? ORDER BY id DESC LIMIT 1", []any{id},
		&v.ID, &v.MergeRequestID, &v.HeadSHA, &v.BaseSHA, &v.StartSHA, &v.Changes, &v.CreatedAt)
	return v, query.Translate(err, version)
}

// Version returns a version of a merge request.
func (s MergeRequests) Version(ctx context.Context, id, versionID int64) (model.MergeRequestVersion, error) {
	return query.Take[model.MergeRequestVersion](s.db.Read(ctx).Where("merge_request_id = ? AND id = ?", id, versionID), version)
}

// Versions returns one page of the versions of a merge request, newest first.
func (s MergeRequests) Versions(ctx context.Context, id int64, p Page) ([]model.MergeRequestVersion, Total, error) {
	return query.List[model.MergeRequestVersion](s.db.Read(ctx).Where("merge_request_id = ?", id).Order("id DESC"), p)
}

// SetCommits replaces the commits of a merge request, given newest first. Only the newest 1000 are stored.
func (s MergeRequests) SetCommits(ctx context.Context, m model.MergeRequest, shas []string) error {
	if err := s.db.Write(ctx).Where("merge_request_id = ?", m.ID).Delete(&model.MergeRequestCommit{}).Error; err != nil {
		return query.Translate(err)
	}
	return s.AddCommits(ctx, m, shas...)
}

// AddCommits adds commits to a merge request. Only the first 1000 are stored.
func (s MergeRequests) AddCommits(ctx context.Context, m model.MergeRequest, shas ...string) error {
	var rows []model.MergeRequestCommit
	for _, sha := range shas[:min(len(shas), maxStoredCommits)] {
		rows = append(rows, model.MergeRequestCommit{ProjectID: m.ProjectID, SHA: sha, MergeRequestID: m.ID})
	}
	if len(rows) == 0 {
		return nil
	}
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(&rows, someRows/2).Error)
}

// SetHeadPipeline makes a new pipeline the head pipeline of the open merge requests whose newest commit it runs on. A
// pipeline for the merge request itself takes precedence over one for the branch.
func (s MergeRequests) SetHeadPipeline(ctx context.Context, p model.Pipeline) error {
	if p.Child {
		return nil
	}
	q := s.db.Write(ctx).Model(&model.MergeRequest{})
	if p.MergeRequestID != nil {
		q = q.Where("id = ? AND head_sha = ? AND "+isOpen, *p.MergeRequestID, p.SHA)
	} else {
		q = q.Where("source_project_id = ? AND source_branch = ? AND head_sha = ? AND "+isOpen, p.ProjectID, p.Ref, p.SHA).
			Where(
				"NOT EXISTS (SELECT 1 FROM pipelines AS p WHERE p.id = merge_requests.head_pipeline_id AND p.merge_request_id IS NOT NULL)",
			)
	}
	if p.Tag {
		return nil
	}
	return query.Translate(q.UpdateColumn("head_pipeline_id", p.ID).Error)
}

// NewestPipeline returns the id of the newest pipeline of a branch for a commit, or nil if there is none.
func (s MergeRequests) NewestPipeline(ctx context.Context, projectID int64, branch, sha string) (*int64, error) {
	row, err := query.Take[model.Pipeline](s.db.Write(ctx).Select("id").
		Where("project_id = ? AND ref = ? AND sha = ? AND NOT child AND NOT tag", projectID, branch, sha).Order("id DESC"), pipeline)
	if IsNotFound(err) {
		return nil, nil
	}
	return &row.ID, err
}

// AwaitingPipeline returns the ids of the open merge requests that are merged automatically when a pipeline succeeds.
func (s MergeRequests) AwaitingPipeline(ctx context.Context, pipelineID int64) ([]int64, error) {
	var ids []int64
	err := s.db.Write(ctx).Model(&model.MergeRequest{}).
		Where("head_pipeline_id = ? AND auto_merge AND "+isOpen, pipelineID).Pluck("id", &ids).Error
	return ids, query.Translate(err)
}

// Pipelines returns one page of the pipelines of a merge request, newest first: those for the merge request itself, and
// those of its source branch for its commits. seen lists the projects whose pipelines the reader sees; others are left
// out.
func (s MergeRequests) Pipelines(ctx context.Context, m model.MergeRequest, seen []int64, p Page) ([]model.Pipeline, Total, error) {
	q := s.db.Read(ctx).Select(pipelineListed).Where("project_id IN ?", append(seen, -1)).Order("id DESC")
	if m.SourceProjectID == nil {
		return query.List[model.Pipeline](q.Where("merge_request_id = ?", m.ID), p)
	}
	q = q.Where("id IN (SELECT id FROM pipelines WHERE merge_request_id = ? UNION ALL SELECT id FROM pipelines WHERE "+
		"project_id = ? AND ref = ? AND NOT tag AND NOT child "+
		"AND sha IN (SELECT sha FROM merge_request_commits WHERE merge_request_id = ?))", m.ID, *m.SourceProjectID, m.SourceBranch, m.ID)
	return query.List[model.Pipeline](q, p)
}

// OpenReferences returns at most the given number of references, such as group/project!1, to the open merge requests
// from a branch. Jobs get them.
func (s MergeRequests) OpenReferences(ctx context.Context, projectID int64, branch string, most int) ([]string, error) {
	var found []string
	err := s.db.Read(ctx).
		Raw("SELECT projects.full_path || '!' || CAST(m.iid AS text) FROM merge_requests AS m JOIN projects ON projects.id = m.project_id "+
			"WHERE m.source_project_id = ? AND m.source_branch = ? AND m."+isOpen+" ORDER BY m.id LIMIT ?",
			projectID, branch, most).Scan(&found).Error
	return found, query.Translate(err)
}

// Approve adds the approval of a user. It returns false if the user had approved already.
func (s MergeRequests) Approve(ctx context.Context, id, userID int64) (bool, error) {
	res := s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).
		Create(&model.MergeRequestApproval{MergeRequestID: id, UserID: userID, CreatedAt: s.now()})
	return res.RowsAffected > 0, query.Translate(res.Error)
}

// Unapprove removes the approval of a user. It returns false if there was none.
func (s MergeRequests) Unapprove(ctx context.Context, id, userID int64) (bool, error) {
	res := s.db.Write(ctx).Where("merge_request_id = ? AND user_id = ?", id, userID).Delete(&model.MergeRequestApproval{})
	return res.RowsAffected > 0, query.Translate(res.Error)
}

// Unresolved returns the merge requests, out of the given ones, that have unresolved threads.
func (s MergeRequests) Unresolved(ctx context.Context, ids []int64) (map[int64]bool, error) {
	found := map[int64]bool{}
	if len(ids) == 0 {
		return found, nil
	}
	r := s.readUnresolved(ids, found)
	return found, query.Translate(s.db.Rows(ctx, r.Text, r.Args, r.Scan))
}

// readUnresolved returns the statement that finds the merge requests with open threads.
func (s MergeRequests) readUnresolved(ids []int64, found map[int64]bool) query.Reading {
	some := s.inIDs(ids)
	statement := "SELECT DISTINCT noteable_id FROM notes WHERE noteable_type = '" + model.OnMergeRequest + "' AND noteable_id " +
		some.text + " AND resolvable AND resolved_at IS NULL"
	return query.Reading{Text: statement, Args: some.args, Scan: func(row query.Scanner) error {
		var id int64
		err := row.Scan(&id)
		found[id] = true
		return err
	}}
}

// Delete removes a merge request with its notes and everything else that belongs to it, unless it was changed after the
// given time.
func (s MergeRequests) Delete(ctx context.Context, m model.MergeRequest, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := query.DeleteOne(ctx, s.db, m, mergeRequest, unchangedSince); err != nil {
			return err
		}
		notes := s.db.Write(ctx).Model(&model.Note{}).
			Select("id").Where("noteable_type = ? AND noteable_id = ?", model.OnMergeRequest, m.ID)
		steps := []*gorm.DB{
			s.db.Write(ctx).Where("awardable_type = ? AND awardable_id IN (?)", model.OnNote, notes).Delete(&model.AwardEmoji{}),
			s.db.Write(ctx).Where("awardable_type = ? AND awardable_id = ?", model.OnMergeRequest, m.ID).Delete(&model.AwardEmoji{}),
			s.db.Write(ctx).Where("target_type = ? AND target_id = ?", model.OnMergeRequest, m.ID).Delete(&model.Todo{}),
			s.db.Write(ctx).Where("target_type = ? AND target_id = ?", model.OnMergeRequest, m.ID).Delete(&model.Subscription{}),
			s.db.Write(ctx).Where("target_type = ? AND target_id = ?", model.OnMergeRequest, m.ID).Delete(&model.Timelog{}),
			s.db.Write(ctx).Where("target_type = ? AND target_id = ?", model.OnMergeRequest, m.ID).Delete(&model.Event{}),
			s.db.Write(ctx).Where("noteable_type = ? AND noteable_id = ?", model.OnMergeRequest, m.ID).Delete(&model.Note{}),
		}
		for _, step := range steps {
			if step.Error != nil {
				return query.Translate(step.Error)
			}
		}
		return nil
	})
}
