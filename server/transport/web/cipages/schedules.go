package cipages

import (
	"svc/server/domain/ci/schedule"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

const schedulesPath = "pipeline_schedules"

func (p *Pages) registerSchedules(r *page.Router) {
	r.Project("GET", schedulesPath, access.ReadPipelineSchedule, p.schedules)
	r.Project("GET", schedulesPath+"/new", access.CreatePipelineSchedule, p.newSchedule)
	r.Project("POST", schedulesPath+"/new", access.CreatePipelineSchedule, p.createSchedule)
	r.Project("GET", schedulesPath+"/:id/edit", access.UpdatePipelineSchedule, p.editSchedule)
	r.Project("POST", schedulesPath+"/:id/edit", access.UpdatePipelineSchedule, p.changeSchedule)
	r.Project("POST", schedulesPath+"/:id/variables", access.UpdatePipelineSchedule, p.setScheduleVariable)
	r.Project("POST", schedulesPath+"/:id/variables/:key/delete", access.UpdatePipelineSchedule, p.deleteScheduleVariable)
	r.Project("POST", schedulesPath+"/:id/play", access.CreatePipelineSchedule, p.playSchedule)
	r.Project("POST", schedulesPath+"/:id/take_ownership", access.OwnPipelineSchedule, p.takeSchedule)
	r.Project("POST", schedulesPath+"/:id/delete", access.UpdatePipelineSchedule, p.deleteSchedule)
}

// scopes are the filters of the list of schedules.
var scopes = choices{{Label: "All"}, {Value: "active", Label: "Active"}, {Value: "inactive", Label: "Inactive"}}

// schedulesView is the content of the list of schedules.
type schedulesView struct {
	Schedules []scheduleLine
	Pager     page.Pager
	Scopes    []page.Option
	Filtered  bool
	MayMake   bool
	Path, New string
}

// scheduleLine is a line of the list of schedules.
type scheduleLine struct {
	model.PipelineSchedule
	Owner    *model.User
	Last     string // path of the last pipeline
	Badge    badge
	Edit     string // path of the form; empty for visitors who may not change the schedule
	Actions  []page.Button
	Inactive bool
}

// schedules lists the pipeline schedules of a project.
// GET /{project}/-/pipeline_schedules
func (p *Pages) schedules(v *page.Visit) error {
	scope, marked, err := scopes.read(v, "scope")
	if err != nil {
		return err
	}
	var filter store.ScheduleFilter
	if scope != "" {
		active := scope == "active"
		filter.Active = &active
	}
	ctx, pager := v.Request().Context(), v.Pager("scope")
	rows, total, err := p.Store.PipelineSchedules.List(ctx, v.Project.Project.ID, filter, pager.Page)
	if err != nil {
		return err
	}
	view := schedulesView{
		Scopes: marked, Pager: pager.Of(total.More), Filtered: scope != "", MayMake: v.May(access.CreatePipelineSchedule),
		Path: at(v, schedulesPath), New: at(v, schedulesPath+"/new"),
	}
	if view.Schedules, err = p.scheduleLines(v, rows); err != nil {
		return err
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "schedules", Title: "Schedules", Tab: page.TabPipelines, Nav: nav(v, schedulesPath), Data: view,
	})
}

// scheduleLines adds owners, last pipelines and buttons, with one statement each.
func (p *Pages) scheduleLines(v *page.Visit, rows []model.PipelineSchedule) ([]scheduleLine, error) {
	ctx := v.Request().Context()
	var owners, ids []int64
	for _, row := range rows {
		ids = append(ids, row.ID)
		if row.OwnerID != nil {
			owners = append(owners, *row.OwnerID)
		}
	}
	users, err := p.Store.Users.ByID(ctx, owners)
	if err != nil {
		return nil, err
	}
	last, err := p.Store.PipelineSchedules.LastOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	lines := make([]scheduleLine, len(rows))
	for i, row := range rows {
		path := numbered(v.Project.Project, schedulesPath, row.ID)
		line := scheduleLine{PipelineSchedule: row, Inactive: !row.Active}
		if row.OwnerID != nil {
			owner := users[*row.OwnerID]
			line.Owner = &owner
		}
		if pipeline, ok := last[row.ID]; ok {
			line.Last, line.Badge = pipelinePath(v.Project.Project, pipeline.ID), badgeOf(pipeline.Status)
		}
		line.Edit, line.Actions = scheduleButtons(v, row, path)
		lines[i] = line
	}
	return lines, nil
}

// scheduleButtons returns what the visitor may do with a schedule.
func scheduleButtons(v *page.Visit, row model.PipelineSchedule, path string) (edit string, all []page.Button) {
	ctx := v.Request().Context()
	if v.May(access.CreatePipelineSchedule) {
		all = append(all, page.Button{Action: path + "/play", Label: "Run now", Class: "quiet"})
	}
	actor := reqctx.Of(ctx).Actor
	if v.May(access.OwnPipelineSchedule) && actor != nil && (row.OwnerID == nil || *row.OwnerID != actor.User.ID) {
		all = append(all, page.Button{Action: path + "/take_ownership", Label: "Take ownership", Class: "quiet"})
	}
	if v.May(access.UpdatePipelineSchedule) && schedule.MayChange(ctx, *v.Project, row) {
		edit = path + "/edit"
		all = append(all, page.Button{Action: path + "/delete", Label: "Delete", Class: "danger", Confirm: "Delete it for good"})
	}
	return edit, all
}

// findSchedule returns the schedule of the address.
func (p *Pages) findSchedule(v *page.Visit) (model.PipelineSchedule, error) {
	id, err := v.Number("id")
	if err != nil {
		return model.PipelineSchedule{}, err
	}
	found, err := p.Store.PipelineSchedules.Get(v.Request().Context(), v.Project.Project.ID, id)
	return found, apierr.OrNotFound(err, "")
}

// findOwnSchedule is findSchedule for visitors who may change the schedule.
func (p *Pages) findOwnSchedule(v *page.Visit) (model.PipelineSchedule, error) {
	found, err := p.findSchedule(v)
	if err == nil && !schedule.MayChange(v.Request().Context(), *v.Project, found) {
		err = apierr.Forbidden()
	}
	return found, err
}

// playSchedule starts the pipeline of a schedule now.
// POST /{project}/-/pipeline_schedules/{id}/play
func (p *Pages) playSchedule(v *page.Visit) error {
	found, err := p.findSchedule(v)
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	if err := p.Schedules.Play(ctx, *v.Project, found, reqctx.Of(ctx).Actor.User.ID); err != nil {
		return err
	}
	return v.Done(at(v, schedulesPath), "The pipeline of “"+found.Description+"” starts soon.")
}

// takeSchedule makes the visitor the owner of a schedule.
// POST /{project}/-/pipeline_schedules/{id}/take_ownership
func (p *Pages) takeSchedule(v *page.Visit) error {
	found, err := p.findSchedule(v)
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	if _, err := p.Schedules.TakeOwnership(ctx, v.Project.Project, found, reqctx.Of(ctx).Actor.User.ID); err != nil {
		return err
	}
	return v.Done(at(v, schedulesPath), "You own the schedule “"+found.Description+"” now: its pipelines run with your permissions.")
}

// deleteSchedule deletes a schedule.
// POST /{project}/-/pipeline_schedules/{id}/delete
func (p *Pages) deleteSchedule(v *page.Visit) error {
	found, err := p.findOwnSchedule(v)
	if err != nil {
		return err
	}
	if err := p.Store.PipelineSchedules.Delete(v.Request().Context(), found, nil); err != nil {
		return err
	}
	return v.Done(at(v, schedulesPath), "The schedule “"+found.Description+"” was deleted.")
}
