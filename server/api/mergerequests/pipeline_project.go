package mergerequests

import (
	"context"

	"svc/server/platform/access"
	"svc/store"
	"svc/store/model"
)

// visibleProjects maps project IDs to paths, for the projects whose pipelines the caller can see.
type visibleProjects map[int64]string

func (s visibleProjects) ids() []int64 {
	var ids []int64
	for id := range s {
		ids = append(ids, id)
	}
	return ids
}

// visible returns the source and target project of a merge request, if the caller can see their pipelines.
func (m *MergeRequests) visible(
	ctx context.Context, row model.ProjectRow, mr model.MergeRequest,
) (visibleProjects, error) {
	found := visibleProjects{}
	if row.ReadsJobs() {
		found[row.Project.ID] = row.Project.FullPath
	}
	if mr.SourceProjectID == nil || *mr.SourceProjectID == row.Project.ID {
		return found, nil
	}
	reader := access.Reader(ctx)
	source, err := m.store.Projects.Get(ctx, *mr.SourceProjectID, "", reader)
	if store.IsNotFound(err) {
		return found, nil
	}
	if err == nil && access.SeesProject(source, reader) && source.ReadsJobs() {
		found[source.Project.ID] = source.Project.FullPath
	}
	return found, err
}
