package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// ResourceGroups holds the resource groups. Only one job at a time may use a resource group.
type ResourceGroups struct{ *base }

const resourceGroup = "ResourceGroup"

// List returns one page of the resource groups of a project, in the order of creation.
func (s ResourceGroups) List(ctx context.Context, projectID int64, p Page) ([]model.ResourceGroup, Total, error) {
	return query.List[model.ResourceGroup](s.db.Read(ctx).Where("project_id = ?", projectID).Order("id"), p)
}

// Get returns the resource group with this key.
func (s ResourceGroups) Get(ctx context.Context, projectID int64, key string) (model.ResourceGroup, error) {
	return query.Take[model.ResourceGroup](s.db.Read(ctx).Where("project_id = ? AND key = ?", projectID, key), resourceGroup)
}

// SetMode changes the process mode of a resource group and returns the new row.
func (s ResourceGroups) SetMode(ctx context.Context, id int64, mode string) (model.ResourceGroup, error) {
	err := s.db.Write(ctx).Model(&model.ResourceGroup{}).Where("id = ?", id).
		UpdateColumns(map[string]any{"process_mode": mode, "updated_at": s.now()}).Error
	if err != nil {
		return model.ResourceGroup{}, query.Translate(err)
	}
	return query.Take[model.ResourceGroup](s.db.Write(ctx).Where("id = ?", id), resourceGroup)
}

// Upcoming returns one page of the jobs that wait for a resource group. The job that gets it next comes first. If the
// process mode follows the order of pipelines, jobs that are not ready yet are included.
func (s ResourceGroups) Upcoming(ctx context.Context, g model.ResourceGroup, p Page) ([]model.JobRow, Total, error) {
	statuses, order := []string{"waiting_for_resource"}, "id"
	switch g.ProcessMode {
	case "oldest_first":
		statuses, order = []string{"created", "scheduled", "waiting_for_resource"}, "pipeline_id, id"
	case "newest_first":
		statuses, order = []string{"created", "scheduled", "waiting_for_resource"}, "pipeline_id DESC, id DESC"
	case "newest_ready_first":
		order = "pipeline_id DESC, id DESC"
	}
	q := s.db.Read(ctx).Select("id, pipeline_id").
		Where("project_id = ? AND resource_group = ? AND NOT retried AND status IN ?", g.ProjectID, g.Key, statuses).Order(order)
	found, total, err := query.List[OpenJob](q, p)
	if err != nil {
		return nil, total, err
	}
	ids := make([]int64, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	byID, err := Jobs(s).byIDs(ctx, ids)
	rows := make([]model.JobRow, 0, len(ids))
	for _, id := range ids {
		if row := byID[id]; row != nil {
			rows = append(rows, *row)
		}
	}
	return rows, total, err
}
