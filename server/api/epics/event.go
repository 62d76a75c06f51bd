package epics

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/model"
)

// events returns one page of the resource events of one kind of an epic.
func (s *Epics) events(
	ctx context.Context, ref string, id int64, kind string, q gen.ListGroupEpicResourceLabelEventsParams,
) ([]model.ResourceEventRow, pagination.Headers, error) {
	t, err := s.talk(ctx, ref, id, access.ReadEpicEvent)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := pagination.OffsetOnly(ctx, s.pages, "ResourceEvent", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	on := model.Noteable{Type: model.OnEpic, ID: t.Epic.Epic.ID}
	rows, total, err := s.store.ResourceEvents.List(ctx, on, kind, q.Sort != nil && *q.Sort == gen.SortDesc, window.Page)
	return rows, window.Headers(total), err
}

// event returns one resource event of an epic.
func (s *Epics) event(ctx context.Context, ref string, id int64, kind string, eventID int64) (model.ResourceEventRow, error) {
	t, err := s.talk(ctx, ref, id, access.ReadEpicEvent)
	if err != nil {
		return model.ResourceEventRow{}, err
	}
	row, err := s.store.ResourceEvents.Get(ctx, model.Noteable{Type: model.OnEpic, ID: t.Epic.Epic.ID}, kind, eventID)
	return row, apierr.OrNotFound(err)
}

// ListGroupEpicResourceLabelEvents lists the changes of the labels of an epic.
// GET /groups/{id}/epics/{epic_id}/resource_label_events
func (s *Epics) ListGroupEpicResourceLabelEvents(
	ctx context.Context, req gen.ListGroupEpicResourceLabelEventsRequestObject,
) (gen.ListGroupEpicResourceLabelEventsResponseObject, error) {
	rows, headers, err := s.events(ctx, req.ID, req.EpicID, model.LabelEvents, req.Params)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupEpicResourceLabelEvents200JSONResponse{
		Body:    present.All(rows, s.show.EpicLabelEvent),
		Headers: gen.ListGroupEpicResourceLabelEvents200ResponseHeaders(headers),
	}, nil
}

// GetGroupEpicResourceLabelEvent shows a change of the labels of an epic.
// GET /groups/{id}/epics/{epic_id}/resource_label_events/{event_id}
func (s *Epics) GetGroupEpicResourceLabelEvent(
	ctx context.Context, req gen.GetGroupEpicResourceLabelEventRequestObject,
) (gen.GetGroupEpicResourceLabelEventResponseObject, error) {
	row, err := s.event(ctx, req.ID, req.EpicID, model.LabelEvents, req.EventID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupEpicResourceLabelEvent200JSONResponse(s.show.EpicLabelEvent(row)), nil
}

// ListGroupEpicResourceStateEvents lists the changes of the state of an epic.
// GET /groups/{id}/epics/{epic_id}/resource_state_events
func (s *Epics) ListGroupEpicResourceStateEvents(
	ctx context.Context, req gen.ListGroupEpicResourceStateEventsRequestObject,
) (gen.ListGroupEpicResourceStateEventsResponseObject, error) {
	q := gen.ListGroupEpicResourceLabelEventsParams(req.Params)
	rows, headers, err := s.events(ctx, req.ID, req.EpicID, model.StateEvents, q)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupEpicResourceStateEvents200JSONResponse{
		Body:    present.All(rows, s.show.EpicStateEvent),
		Headers: gen.ListGroupEpicResourceStateEvents200ResponseHeaders(headers),
	}, nil
}

// GetGroupEpicResourceStateEvent shows a change of the state of an epic.
// GET /groups/{id}/epics/{epic_id}/resource_state_events/{event_id}
func (s *Epics) GetGroupEpicResourceStateEvent(
	ctx context.Context, req gen.GetGroupEpicResourceStateEventRequestObject,
) (gen.GetGroupEpicResourceStateEventResponseObject, error) {
	row, err := s.event(ctx, req.ID, req.EpicID, model.StateEvents, req.EventID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupEpicResourceStateEvent200JSONResponse(s.show.EpicStateEvent(row)), nil
}
