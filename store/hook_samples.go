package store

import (
	"context"
	"database/sql"
	"errors"

	"svc/store/internal/query"
	"svc/store/model"
)

// HookSamples finds the newest objects of projects, which tests of hooks send.
type HookSamples struct{ *base }

// newestOf holds the statement that finds the newest object of a project, by kind of events.
var newestOf = map[model.HookEvents]string{
	model.HookIssues:             "SELECT id FROM issues WHERE project_id = ? AND NOT confidential ORDER BY id DESC LIMIT 1",
	model.HookConfidentialIssues: "SELECT id FROM issues WHERE project_id = ? AND confidential ORDER BY id DESC LIMIT 1",
	model.HookMergeRequests:      "SELECT id FROM merge_requests WHERE project_id = ? ORDER BY id DESC LIMIT 1",
	model.HookNotes: "SELECT id FROM notes WHERE project_id = ? AND NOT system AND NOT internal ORDER BY id DESC " +
		"LIMIT 1",
	model.HookPipelines:  "SELECT id FROM pipelines WHERE project_id = ? ORDER BY id DESC LIMIT 1",
	model.HookJobs:       "SELECT id FROM jobs WHERE project_id = ? AND NOT bridge ORDER BY id DESC LIMIT 1",
	model.HookReleases:   "SELECT id FROM releases WHERE project_id = ? ORDER BY id DESC LIMIT 1",
	model.HookMilestones: "SELECT id FROM milestones WHERE project_id = ? ORDER BY id DESC LIMIT 1",
	model.HookEmoji: "SELECT a.id FROM award_emoji a JOIN notes n ON n.id = a.awardable_id WHERE a.awardable_type = 'Note' " +
		"AND n.project_id = ? ORDER BY a.id DESC LIMIT 1",
	model.HookWikiPages: "SELECT id FROM wiki_pages WHERE project_id = ? ORDER BY id DESC LIMIT 1",
}

// Newest returns the ID of the newest object of a project, or a not-found error.
func (s HookSamples) Newest(ctx context.Context, kind model.HookEvents, projectID int64) (id int64, err error) {
	return s.one(ctx, newestOf[kind], projectID)
}

// ProjectBelow returns the newest project in a group and the groups below it, or a not-found error.
func (s HookSamples) ProjectBelow(ctx context.Context, groupID int64) (int64, error) {
	return s.one(ctx, "SELECT p.id FROM projects p JOIN namespace_ancestors a ON a.descendant_id = p.namespace_id "+
		"WHERE a.ancestor_id = ? ORDER BY p.id DESC LIMIT 1", groupID)
}

func (s HookSamples) one(ctx context.Context, text string, arg int64) (id int64, err error) {
	err = s.db.LongRow(ctx, text, []any{arg}, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, &NotFoundError{Resource: "Object"}
	}
	return id, query.Translate(err)
}
