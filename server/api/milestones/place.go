package milestones

import (
	"context"

	"svc/server/domain/milestone"
	"svc/server/platform/access"
	"svc/store"
	"svc/store/model"
)

// place is a project or group in which the caller has the required ability.
type place struct {
	milestone.Owner
	path  string
	scope store.IssuableScope
}

// project finds the project of a request and requires the ability.
func (m *Milestones) project(ctx context.Context, ref string, ability access.Ability) (place, model.ProjectRow, error) {
	row, err := m.access.Project(ctx, ref, ability)
	owner := milestone.Owner{ResourceOwner: store.OwnedByProject(row.Project), Project: &row.Project}
	return place{owner, row.Project.FullPath, store.InProject(row, access.Reader(ctx))}, row, err
}

// group finds the group of a request and requires the ability.
func (m *Milestones) group(ctx context.Context, ref string, ability access.Ability) (place, error) {
	g, _, err := m.access.Group(ctx, ref, ability)
	owner := milestone.Owner{ResourceOwner: store.OwnedByGroup(g)}
	return place{owner, g.FullPath, store.IssuableScope{GroupID: &g.ID, Reader: access.Reader(ctx)}}, err
}
