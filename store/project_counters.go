package store

import (
	"context"

	"svc/store/internal/query"
)

// Names of the counters of a project.
const (
	counterPipelines   = "pipelines"
	counterDeployments = "deployments"
	counterIssues      = "issues"
	counterMilestones  = "milestones"
	counterAlerts      = "alerts"
	counterEpics       = "epics" // of a group

	counterFeatureFlagUserLists = "feature_flag_user_lists"
)

// next returns the next number of a counter in a project. Concurrent callers wait for each other. A transaction that is
// rolled back releases its number.
func (b *base) next(ctx context.Context, projectID int64, name string) (int64, error) {
	return b.nextOf(ctx, projectID, name, 1)
}

// nextInGroup returns the next number of a counter in a group.
func (b *base) nextInGroup(ctx context.Context, groupID int64, name string) (int64, error) {
	var number int64
	err := b.db.WriteRow(ctx, `INSERT INTO group_counters (group_id, name, last) VALUES (?, ?, 1)
		ON CONFLICT (group_id, name) DO UPDATE SET last = group_counters.last + 1 RETURNING last`, []any{groupID, name}, &number)
	return number, query.Translate(err)
}

// nextOf reserves several numbers at once and returns the last of them.
func (b *base) nextOf(ctx context.Context, projectID int64, name string, several int64) (int64, error) {
	var number int64
	err := b.db.WriteRow(ctx, `INSERT INTO project_counters (project_id, name, last) VALUES (?, ?, ?)
		ON CONFLICT (project_id, name) DO UPDATE SET last = project_counters.last + excluded.last RETURNING last`,
		[]any{projectID, name, several}, &number)
	return number, query.Translate(err)
}
