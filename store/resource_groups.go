package store

import (
	"context"

	"svc/store/model"
)

// ResourceGroups are things that one job at a time may use.
type ResourceGroups struct{ *base }

const resourceGroup = "ResourceGroup"

// List returns one page of the resource groups of a project, in the order of their creation.
func (s ResourceGroups) List(ctx context.Context, projectID int64, p Page) ([]model.ResourceGroup, Total, error) {
	return list[model.ResourceGroup](s.read(ctx).Where("project_id = ?", projectID).Order("id"), p)
}

// Get returns the resource group of that name.
func (s ResourceGroups) Get(ctx context.Context, projectID int64, key string) (model.ResourceGroup, error) {
	return take[model.ResourceGroup](s.read(ctx).Where("project_id = ? AND key = ?", projectID, key), resourceGroup)
}

// SetMode changes in which order jobs get a resource group, and returns it as it is then.
func (s ResourceGroups) SetMode(ctx context.Context, id int64, mode string) (model.ResourceGroup, error) {
	err := s.write(ctx).Model(&model.ResourceGroup{}).Where("id = ?", id).UpdateColumns(map[string]any{"process_mode": mode, "updated_at": now()}).Error
	if err != nil {
		return model.ResourceGroup{}, translate(err)
	}
	return take[model.ResourceGroup](s.write(ctx).Where("id = ?", id), resourceGroup)
}

// Upcoming returns one page of the jobs that wait for a resource group, those that would get it first come first. Where the order is
// that of pipelines, jobs count, too, that are not ready yet.
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
	q := s.read(ctx).Select("id, pipeline_id").Where("project_id = ? AND resource_group = ? AND NOT retried AND status IN ?", g.ProjectID, g.Key, statuses).Order(order)
	found, total, err := list[OpenJob](q, p)
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
