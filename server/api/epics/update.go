package epics

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/epic"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
)

// UpdateGroupEpic changes an epic.
// PUT /groups/{id}/epics/{epic_iid}
func (s *Epics) UpdateGroupEpic(
	ctx context.Context, req gen.UpdateGroupEpicRequestObject,
) (gen.UpdateGroupEpicResponseObject, error) {
	g, found, err := s.find(ctx, req.ID, req.EpicIid, access.AdminEpic)
	if err != nil {
		return nil, err
	}
	change := changeFrom(*req.Body)
	if !change.IsSet() {
		return nil, apierr.BadParameter("add_labels, color, confidential, description, due_date_fixed, due_date_is_fixed, " +
			"labels, parent_id, remove_labels, start_date_fixed, start_date_is_fixed, state_event, title are missing, " +
			"at least one parameter must be provided")
	}
	if err := s.epics.Apply(ctx, g, found, change); err != nil {
		return nil, err
	}
	shown, err := s.reload(ctx, g.FullPath, found.Epic.ID)
	return gen.UpdateGroupEpic200JSONResponse(shown), err
}

// changeFrom reads a change of an epic from the request.
func changeFrom(body gen.EpicUpdate) epic.Change {
	c := epic.Change{
		Title: body.Title, Description: body.Description,
		Labels: issuable.LabelInput{Set: body.Labels, Add: body.AddLabels, Remove: body.RemoveLabels},
		Color:  body.Color, Confidential: body.Confidential, StartDateIsFixed: body.StartDateIsFixed,
		DueDateIsFixed: body.DueDateIsFixed, ParentID: body.ParentID,
	}
	if body.StartDateFixed.IsSet() {
		c.StartDateFixed = wire.Maybe(day(body.StartDateFixed))
	}
	if body.DueDateFixed.IsSet() {
		c.DueDateFixed = wire.Maybe(day(body.DueDateFixed))
	}
	if body.StateEvent != nil {
		c.State = string(*body.StateEvent)
	}
	return c
}
