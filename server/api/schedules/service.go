// Package schedules manages pipeline schedules: pipelines that run at certain times.
package schedules

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/launch"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Schedules holds the operations on pipeline schedules.
type Schedules struct {
	store  *store.Store
	access *access.Access
	launch *launch.Launcher
	pusher *push.Pusher
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the schedule operations.
func New(
	st *store.Store, a *access.Access, l *launch.Launcher, pusher *push.Pusher, pages pagination.MaxOffset,
	show present.Presenter,
) *Schedules {
	return &Schedules{store: st, access: a, launch: l, pusher: pusher, pages: pages, show: show}
}

// find returns a schedule of a project in which the caller has the ability.
func (s *Schedules) find(
	ctx context.Context, project string, id int64, ability access.Ability,
) (model.ProjectRow, model.PipelineSchedule, error) {
	row, err := s.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.PipelineSchedule{}, err
	}
	found, err := s.store.PipelineSchedules.Get(ctx, row.Project.ID, id)
	if store.IsNotFound(err) {
		err = apierr.NotFound("Pipeline Schedule")
	}
	return row, found, err
}

// findForChange is find for operations that change a schedule: only maintainers and the owner of the schedule may.
func (s *Schedules) findForChange(ctx context.Context, project string, id int64) (model.ProjectRow, model.PipelineSchedule, error) {
	row, found, err := s.find(ctx, project, id, access.UpdatePipelineSchedule)
	if err == nil && !mayChange(ctx, row, found) {
		err = apierr.Forbidden()
	}
	return row, found, err
}

// mayChange reports whether the caller may change a schedule and see its variables.
func mayChange(ctx context.Context, row model.ProjectRow, s model.PipelineSchedule) bool {
	own := s.OwnerID != nil && *s.OwnerID == reqctx.Of(ctx).Actor.User.ID
	return row.Role() >= model.Maintainer || own && row.Role() >= model.Developer
}

// checkRef refuses a ref on which the caller may not run jobs.
func (s *Schedules) checkRef(ctx context.Context, row model.ProjectRow, ref string) error {
	_, err := s.launch.ResolveRef(ctx, launch.Request{Project: row}, ref)
	return launch.APIError(err)
}

// detail presents a schedule with its owner and last pipeline. Variables are included if the caller may see them.
func (s *Schedules) detail(ctx context.Context, row model.ProjectRow, found model.PipelineSchedule) (gen.PipelineScheduleDetail, error) {
	var owner *model.User
	if found.OwnerID != nil {
		user, err := s.store.Users.Get(ctx, *found.OwnerID)
		if err != nil {
			return gen.PipelineScheduleDetail{}, err
		}
		owner = &user
	}
	var last *model.Pipeline
	newest, err := s.store.PipelineSchedules.Last(ctx, found.ID)
	switch {
	case err == nil:
		last = &newest
	case !store.IsNotFound(err):
		return gen.PipelineScheduleDetail{}, err
	}
	var given []model.PipelineScheduleVariable
	if mayChange(ctx, row, found) {
		if given, err = s.store.PipelineSchedules.Variables(ctx, found.ID); err != nil {
			return gen.PipelineScheduleDetail{}, err
		}
	}
	return s.show.ScheduleDetail(found, owner, last, given), nil
}
