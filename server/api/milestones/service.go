// Package milestones manages the milestones of projects and groups, and lists their issues and merge requests.
package milestones

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Milestones are the operations on milestones.
type Milestones struct {
	store  *store.Store
	access *access.Access
	events *events.Recorder
	pages  pagination.MaxOffset
	show   present.Presenter
	merges *mergerequest.Viewer
}

// New returns the milestone operations.
func New(
	st *store.Store, a *access.Access, rec *events.Recorder, pages pagination.MaxOffset, show present.Presenter,
	merges *mergerequest.Viewer,
) *Milestones {
	return &Milestones{store: st, access: a, events: rec, pages: pages, show: show, merges: merges}
}

// place is a project or group in which the caller has the required ability.
type place struct {
	store.ResourceOwner
	project *model.Project // nil for a group
	path    string
	scope   store.IssuableScope
}

func (m *Milestones) project(ctx context.Context, ref string, ability access.Ability) (place, model.ProjectRow, error) {
	row, err := m.access.Project(ctx, ref, ability)
	return place{store.OwnedByProject(row.Project), &row.Project, row.Project.FullPath, store.InProject(row, access.Reader(ctx))}, row, err
}

func (m *Milestones) group(ctx context.Context, ref string, ability access.Ability) (place, error) {
	g, _, err := m.access.Group(ctx, ref, ability)
	return place{store.OwnedByGroup(g), nil, g.FullPath, store.IssuableScope{GroupID: &g.ID, Reader: access.Reader(ctx)}}, err
}

func (m *Milestones) presentOne(row model.MilestoneRow) gen.Milestone {
	return m.show.Milestone(time.Now())(row)
}

// get returns a milestone of a project or group, or a 404.
func (m *Milestones) get(ctx context.Context, in place, id int64) (model.MilestoneRow, error) {
	row, err := m.store.Milestones.Get(ctx, in.ResourceOwner, id)
	if store.IsNotFound(err) {
		err = apierr.RecordNotFound()
	}
	return row, err
}

func (m *Milestones) list(ctx context.Context, in place, q gen.ListProjectMilestonesParams) ([]gen.Milestone, pagination.Headers, error) {
	window, err := m.window(ctx, "Milestone", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	f := store.MilestoneFilter{
		Ancestors:    wire.Value(q.IncludeAncestors) || wire.Value(q.IncludeParentMilestones),
		UpdatedAfter: q.UpdatedAfter.Std(), UpdatedBefore: q.UpdatedBefore.Std(),
	}
	if q.Iids != nil {
		f.IIDs = *q.Iids
	}
	if q.State != nil {
		f.State = string(*q.State)
	}
	if q.Title != nil {
		f.Title = *q.Title
	}
	if q.Search != nil {
		f.Search = *q.Search
	}
	rows, total, err := m.store.Milestones.List(ctx, in.ResourceOwner, f, window.Page)
	return present.All(rows, m.show.Milestone(time.Now())), window.Headers(total), err
}

func (m *Milestones) create(ctx context.Context, in place, body gen.MilestoneCreate) (gen.Milestone, error) {
	made := model.Milestone{
		ProjectID: in.ProjectID, GroupID: in.GroupID, Title: strings.TrimSpace(body.Title),
		Description: body.Description.Ptr(), State: model.MilestoneActive,
		StartDate: day(body.StartDate), DueDate: day(body.DueDate),
	}
	if err := errors.Join(checkTitle(made.Title), checkDates(made)); err != nil {
		return gen.Milestone{}, err
	}
	err := m.store.Tx(ctx, func(ctx context.Context) error {
		if err := m.store.Milestones.Create(ctx, &made); err != nil {
			return explainTaken(err)
		}
		return m.recordActivity(ctx, in, made.ID, model.EventCreated)
	})
	return m.presentOne(model.MilestoneRow{Milestone: made, Place: in.path}), err
}

// recordActivity records an activity event for a project milestone. Groups have no activity of their own.
func (m *Milestones) recordActivity(ctx context.Context, in place, id int64, action string) error {
	if in.project == nil {
		return nil
	}
	return m.events.Activity(ctx, *in.project, events.On(reqctx.Of(ctx).Actor.User.ID, action, model.OnMilestone, id))
}

func (m *Milestones) update(ctx context.Context, in place, id int64, body gen.MilestoneUpdate) (gen.Milestone, error) {
	row, err := m.get(ctx, in, id)
	if err != nil {
		return gen.Milestone{}, err
	}
	set, after := map[string]any{}, row.Milestone
	if body.Title != nil {
		after.Title = strings.TrimSpace(*body.Title)
		set["title"] = after.Title
	}
	if body.Description.IsSet() {
		set["description"] = body.Description.Ptr()
	}
	if body.StartDate.IsSet() {
		after.StartDate = day(body.StartDate)
		set["start_date"] = after.StartDate
	}
	if body.DueDate.IsSet() {
		after.DueDate = day(body.DueDate)
		set["due_date"] = after.DueDate
	}
	if err := errors.Join(checkTitle(after.Title), checkDates(after)); err != nil {
		return gen.Milestone{}, err
	}
	action := ""
	if body.StateEvent != nil {
		switch {
		case *body.StateEvent == gen.MilestoneStateEventClose && row.Milestone.State == model.MilestoneActive:
			set["state"], action = model.MilestoneClosed, model.EventClosed
		case *body.StateEvent == gen.MilestoneStateEventActivate && row.Milestone.State == model.MilestoneClosed:
			set["state"], action = model.MilestoneActive, model.EventReopened
		}
	}
	err = m.store.Tx(ctx, func(ctx context.Context) error {
		if err := m.store.Milestones.Update(ctx, id, set); err != nil {
			return explainTaken(err)
		}
		if action != "" {
			if err := m.recordActivity(ctx, in, id, action); err != nil {
				return err
			}
		}
		row, err = m.get(ctx, in, id)
		return err
	})
	return m.presentOne(row), err
}

func (m *Milestones) delete(ctx context.Context, in place, id int64, unmodifiedSince *string) error {
	if _, err := m.get(ctx, in, id); err != nil {
		return err
	}
	return m.store.Tx(ctx, func(ctx context.Context) error {
		if err := m.store.Milestones.Delete(ctx, id, reqctx.UnmodifiedSince(unmodifiedSince)); err != nil {
			return err
		}
		return m.recordActivity(ctx, in, id, model.EventDestroyed)
	})
}

func (m *Milestones) issues(
	ctx context.Context, in place, id int64, number, size *int64, paging *gen.Pagination,
) ([]gen.Issue, pagination.Headers, error) {
	if _, err := m.get(ctx, in, id); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := m.window(ctx, "Issue", number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := m.store.Issues.List(ctx, in.scope, store.IssueFilter{
		IssuableFilter: store.IssuableFilter{MilestoneID: &id, OrderBy: "relative_position", Asc: true},
	}, window.Page)
	show := present.IssuePresenter{Presenter: m.show, Now: time.Now(), From: in.path}
	return present.All(rows, show.Issue), window.Headers(total), err
}

func (m *Milestones) mergeRequests(
	ctx context.Context, in place, id int64, q gen.ListProjectMilestoneMergeRequestsParams,
) ([]gen.MergeRequest, pagination.Headers, error) {
	if _, err := m.get(ctx, in, id); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := m.window(ctx, "MergeRequest", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := m.store.MergeRequests.List(
		ctx, in.scope, store.MergeRequestFilter{IssuableFilter: store.IssuableFilter{MilestoneID: &id}}, window.Page,
	)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	details, err := m.merges.Details(ctx, rows...)
	show := m.show.MergeRequests(present.MergeRequestDetails(details), in.path)
	return present.All(rows, show.MergeRequest), window.Headers(total), err
}

// PromoteProjectMilestone turns a project milestone into a milestone of the project's group.
// POST /projects/{id}/milestones/{milestone_id}/promote
func (m *Milestones) PromoteProjectMilestone(
	ctx context.Context, req gen.PromoteProjectMilestoneRequestObject,
) (gen.PromoteProjectMilestoneResponseObject, error) {
	in, row, err := m.project(ctx, req.ID, access.PromoteMilestone)
	if err != nil {
		return nil, err
	}
	if row.Place.Kind != model.NamespaceGroup {
		return nil, apierr.Refused("The project does not belong to a group")
	}
	if _, _, err := m.access.Group(ctx, strconv.FormatInt(row.Place.ID, 10), access.AdminGroupMilestone); err != nil {
		return nil, err
	}
	found, err := m.get(ctx, in, req.MilestoneID)
	if err != nil {
		return nil, err
	}
	made, err := m.store.Milestones.Promote(ctx, found.Milestone, row.Place.ID)
	if err != nil {
		return nil, err
	}
	return gen.PromoteProjectMilestone200JSONResponse(m.presentOne(model.MilestoneRow{Milestone: made, Place: row.Place.FullPath})), nil
}

func (m *Milestones) window(ctx context.Context, name string, number, size *int64, paging *gen.Pagination) (pagination.Window, error) {
	if err := pagination.NoKeyset(paging); err != nil {
		return pagination.Window{}, err
	}
	return m.pages.Offset(ctx, pagination.Kind{Name: name}, number, size)
}

func explainTaken(err error) error {
	var conflict *store.ConflictError
	if errors.As(err, &conflict) {
		return apierr.Invalid("title", "already being used for another group or project milestone.")
	}
	return err
}

func checkTitle(title string) error {
	if title == "" {
		return apierr.Invalid("title", "can't be blank")
	}
	return nil
}

// checkDates refuses years outside 1 to 9999, and a due date before the start date.
func checkDates(m model.Milestone) error {
	for name, at := range map[string]*time.Time{"start_date": m.StartDate, "due_date": m.DueDate} {
		if at != nil && (at.Year() < 1 || at.Year() > 9999) {
			return apierr.Invalid(name, "is not a valid date")
		}
	}
	if m.StartDate != nil && m.DueDate != nil && m.DueDate.Before(*m.StartDate) {
		return apierr.Invalid("due_date", "must be greater than start date")
	}
	return nil
}

func day(given wire.Optional[wire.Date]) *time.Time {
	if given.Ptr() == nil {
		return nil
	}
	return &given.Ptr().Time
}
