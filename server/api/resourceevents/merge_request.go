package resourceevents

import (
	"context"

	"svc/gen"
	"svc/server/platform/present"
	"svc/store/clock"
	"svc/store/model"
)

// ListProjectMergeRequestResourceLabelEvents lists the label events of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/resource_label_events
func (r *ResourceEvents) ListProjectMergeRequestResourceLabelEvents(
	ctx context.Context, req gen.ListProjectMergeRequestResourceLabelEventsRequestObject,
) (gen.ListProjectMergeRequestResourceLabelEventsResponseObject, error) {
	on := item{req.ID, model.OnMergeRequest, req.MergeRequestIid, model.LabelEvents}
	rows, headers, err := r.list(ctx, on, query{req.Params.Sort, req.Params.Page, req.Params.PerPage, req.Params.Pagination})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestResourceLabelEvents200JSONResponse{
		Body:    present.All(rows, r.show.ResourceLabelEvent),
		Headers: gen.ListProjectMergeRequestResourceLabelEvents200ResponseHeaders(headers),
	}, nil
}

// GetProjectMergeRequestResourceLabelEvent shows a label event of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/resource_label_events/{event_id}
func (r *ResourceEvents) GetProjectMergeRequestResourceLabelEvent(
	ctx context.Context, req gen.GetProjectMergeRequestResourceLabelEventRequestObject,
) (gen.GetProjectMergeRequestResourceLabelEventResponseObject, error) {
	row, err := r.get(ctx, item{req.ID, model.OnMergeRequest, req.MergeRequestIid, model.LabelEvents}, req.EventID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestResourceLabelEvent200JSONResponse(r.show.ResourceLabelEvent(row)), nil
}

// ListProjectMergeRequestResourceStateEvents lists the state events of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/resource_state_events
func (r *ResourceEvents) ListProjectMergeRequestResourceStateEvents(
	ctx context.Context, req gen.ListProjectMergeRequestResourceStateEventsRequestObject,
) (gen.ListProjectMergeRequestResourceStateEventsResponseObject, error) {
	on := item{req.ID, model.OnMergeRequest, req.MergeRequestIid, model.StateEvents}
	rows, headers, err := r.list(ctx, on, query{req.Params.Sort, req.Params.Page, req.Params.PerPage, req.Params.Pagination})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestResourceStateEvents200JSONResponse{
		Body:    present.All(rows, r.show.ResourceStateEvent),
		Headers: gen.ListProjectMergeRequestResourceStateEvents200ResponseHeaders(headers),
	}, nil
}

// GetProjectMergeRequestResourceStateEvent shows a state event of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/resource_state_events/{event_id}
func (r *ResourceEvents) GetProjectMergeRequestResourceStateEvent(
	ctx context.Context, req gen.GetProjectMergeRequestResourceStateEventRequestObject,
) (gen.GetProjectMergeRequestResourceStateEventResponseObject, error) {
	row, err := r.get(ctx, item{req.ID, model.OnMergeRequest, req.MergeRequestIid, model.StateEvents}, req.EventID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestResourceStateEvent200JSONResponse(r.show.ResourceStateEvent(row)), nil
}

// ListProjectMergeRequestResourceMilestoneEvents lists the milestone events of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/resource_milestone_events
func (r *ResourceEvents) ListProjectMergeRequestResourceMilestoneEvents(
	ctx context.Context, req gen.ListProjectMergeRequestResourceMilestoneEventsRequestObject,
) (gen.ListProjectMergeRequestResourceMilestoneEventsResponseObject, error) {
	on := item{req.ID, model.OnMergeRequest, req.MergeRequestIid, model.MilestoneEvents}
	rows, headers, err := r.list(ctx, on, query{req.Params.Sort, req.Params.Page, req.Params.PerPage, req.Params.Pagination})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestResourceMilestoneEvents200JSONResponse{
		Body:    present.All(rows, r.show.ResourceMilestoneEvent(clock.Now(ctx))),
		Headers: gen.ListProjectMergeRequestResourceMilestoneEvents200ResponseHeaders(headers),
	}, nil
}

// GetProjectMergeRequestResourceMilestoneEvent shows a milestone event of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/resource_milestone_events/{event_id}
func (r *ResourceEvents) GetProjectMergeRequestResourceMilestoneEvent(
	ctx context.Context, req gen.GetProjectMergeRequestResourceMilestoneEventRequestObject,
) (gen.GetProjectMergeRequestResourceMilestoneEventResponseObject, error) {
	row, err := r.get(ctx, item{req.ID, model.OnMergeRequest, req.MergeRequestIid, model.MilestoneEvents}, req.EventID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestResourceMilestoneEvent200JSONResponse(r.show.ResourceMilestoneEvent(clock.Now(ctx))(row)), nil
}
