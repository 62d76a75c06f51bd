package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// MergeRequestContext is a merge request with the facts that its jobs get as variables.
type MergeRequestContext struct {
	MergeRequest           model.MergeRequest
	SourcePath, TargetPath string
	Milestone              string
	Labels, Assignees      []string
	TargetProtected        bool
}

// JobContext returns the facts about a merge request that its jobs get as variables.
func (s MergeRequests) JobContext(ctx context.Context, id int64) (MergeRequestContext, error) {
	var t MergeRequestContext
	var err error
	if t.MergeRequest, err = s.Find(ctx, id); err != nil {
		return t, err
	}
	m := t.MergeRequest
	err = query.ScanFirst(s.db.Read(ctx).Raw("SELECT projects.full_path, coalesce((SELECT full_path FROM projects AS source "+
		"WHERE source.id = ?), ''), "+
		"coalesce((SELECT title FROM milestones WHERE milestones.id = ?), '') FROM projects WHERE projects.id = ?",
		m.SourceProjectID, m.MilestoneID, m.ProjectID),
		&t.TargetPath, &t.SourcePath, &t.Milestone)
	if err != nil {
		return t, query.Translate(err, project)
	}
	err = s.db.Read(ctx).Raw("SELECT labels.name FROM merge_request_labels AS l JOIN labels ON labels.id = l.label_id "+
		"WHERE l.merge_request_id = ? ORDER BY labels.name", id).Scan(&t.Labels).Error
	if err != nil {
		return t, query.Translate(err)
	}
	err = s.db.Read(ctx).Raw("SELECT users.username FROM merge_request_assignees AS a JOIN users ON users.id = "+
		"a.user_id WHERE a.merge_request_id = ? ORDER BY users.id", id).Scan(&t.Assignees).Error
	if err != nil {
		return t, query.Translate(err)
	}
	rules, err := Protections(s).Branches(ctx, m.ProjectID)
	for _, rule := range rules {
		t.TargetProtected = t.TargetProtected || Matches(rule.Name, m.TargetBranch)
	}
	return t, err
}
