package resourceevents

import (
	"context"

	"svc/gen"
	"svc/server/platform/present"
	"svc/store/clock"
	"svc/store/model"
)

// ListProjectIssueResourceLabelEvents lists the label events of an issue.
// GET /projects/{id}/issues/{issue_iid}/resource_label_events
func (r *ResourceEvents) ListProjectIssueResourceLabelEvents(
	ctx context.Context, req gen.ListProjectIssueResourceLabelEventsRequestObject,
) (gen.ListProjectIssueResourceLabelEventsResponseObject, error) {
	on := item{req.ID, model.OnIssue, req.IssueIid, model.LabelEvents}
	rows, headers, err := r.list(ctx, on, query{req.Params.Sort, req.Params.Page, req.Params.PerPage, req.Params.Pagination})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueResourceLabelEvents200JSONResponse{
		Body:    present.All(rows, r.show.ResourceLabelEvent),
		Headers: gen.ListProjectIssueResourceLabelEvents200ResponseHeaders(headers),
	}, nil
}

// GetProjectIssueResourceLabelEvent shows a label event of an issue.
// GET /projects/{id}/issues/{issue_iid}/resource_label_events/{event_id}
func (r *ResourceEvents) GetProjectIssueResourceLabelEvent(
	ctx context.Context, req gen.GetProjectIssueResourceLabelEventRequestObject,
) (gen.GetProjectIssueResourceLabelEventResponseObject, error) {
	row, err := r.get(ctx, item{req.ID, model.OnIssue, req.IssueIid, model.LabelEvents}, req.EventID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssueResourceLabelEvent200JSONResponse(r.show.ResourceLabelEvent(row)), nil
}

// ListProjectIssueResourceStateEvents lists the state events of an issue.
// GET /projects/{id}/issues/{issue_iid}/resource_state_events
func (r *ResourceEvents) ListProjectIssueResourceStateEvents(
	ctx context.Context, req gen.ListProjectIssueResourceStateEventsRequestObject,
) (gen.ListProjectIssueResourceStateEventsResponseObject, error) {
	on := item{req.ID, model.OnIssue, req.IssueIid, model.StateEvents}
	rows, headers, err := r.list(ctx, on, query{req.Params.Sort, req.Params.Page, req.Params.PerPage, req.Params.Pagination})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueResourceStateEvents200JSONResponse{
		Body:    present.All(rows, r.show.ResourceStateEvent),
		Headers: gen.ListProjectIssueResourceStateEvents200ResponseHeaders(headers),
	}, nil
}

// GetProjectIssueResourceStateEvent shows a state event of an issue.
// GET /projects/{id}/issues/{issue_iid}/resource_state_events/{event_id}
func (r *ResourceEvents) GetProjectIssueResourceStateEvent(
	ctx context.Context, req gen.GetProjectIssueResourceStateEventRequestObject,
) (gen.GetProjectIssueResourceStateEventResponseObject, error) {
	row, err := r.get(ctx, item{req.ID, model.OnIssue, req.IssueIid, model.StateEvents}, req.EventID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssueResourceStateEvent200JSONResponse(r.show.ResourceStateEvent(row)), nil
}

// ListProjectIssueResourceMilestoneEvents lists the milestone events of an issue.
// GET /projects/{id}/issues/{issue_iid}/resource_milestone_events
func (r *ResourceEvents) ListProjectIssueResourceMilestoneEvents(
	ctx context.Context, req gen.ListProjectIssueResourceMilestoneEventsRequestObject,
) (gen.ListProjectIssueResourceMilestoneEventsResponseObject, error) {
	on := item{req.ID, model.OnIssue, req.IssueIid, model.MilestoneEvents}
	rows, headers, err := r.list(ctx, on, query{req.Params.Sort, req.Params.Page, req.Params.PerPage, req.Params.Pagination})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueResourceMilestoneEvents200JSONResponse{
		Body:    present.All(rows, r.show.ResourceMilestoneEvent(clock.Now(ctx))),
		Headers: gen.ListProjectIssueResourceMilestoneEvents200ResponseHeaders(headers),
	}, nil
}

// GetProjectIssueResourceMilestoneEvent shows a milestone event of an issue.
// GET /projects/{id}/issues/{issue_iid}/resource_milestone_events/{event_id}
func (r *ResourceEvents) GetProjectIssueResourceMilestoneEvent(
	ctx context.Context, req gen.GetProjectIssueResourceMilestoneEventRequestObject,
) (gen.GetProjectIssueResourceMilestoneEventResponseObject, error) {
	row, err := r.get(ctx, item{req.ID, model.OnIssue, req.IssueIid, model.MilestoneEvents}, req.EventID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssueResourceMilestoneEvent200JSONResponse(r.show.ResourceMilestoneEvent(clock.Now(ctx))(row)), nil
}

// ListProjectIssueResourceIterationEvents lists the iteration events of an issue.
// GET /projects/{id}/issues/{issue_iid}/resource_iteration_events
func (r *ResourceEvents) ListProjectIssueResourceIterationEvents(
	ctx context.Context, req gen.ListProjectIssueResourceIterationEventsRequestObject,
) (gen.ListProjectIssueResourceIterationEventsResponseObject, error) {
	on := item{req.ID, model.OnIssue, req.IssueIid, model.IterationEvents}
	rows, headers, err := r.list(ctx, on, query{req.Params.Sort, req.Params.Page, req.Params.PerPage, req.Params.Pagination})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueResourceIterationEvents200JSONResponse{
		Body:    present.All(rows, r.show.ResourceIterationEvent(clock.Now(ctx))),
		Headers: gen.ListProjectIssueResourceIterationEvents200ResponseHeaders(headers),
	}, nil
}

// GetProjectIssueResourceIterationEvent shows an iteration event of an issue.
// GET /projects/{id}/issues/{issue_iid}/resource_iteration_events/{event_id}
func (r *ResourceEvents) GetProjectIssueResourceIterationEvent(
	ctx context.Context, req gen.GetProjectIssueResourceIterationEventRequestObject,
) (gen.GetProjectIssueResourceIterationEventResponseObject, error) {
	row, err := r.get(ctx, item{req.ID, model.OnIssue, req.IssueIid, model.IterationEvents}, req.EventID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssueResourceIterationEvent200JSONResponse(r.show.ResourceIterationEvent(clock.Now(ctx))(row)), nil
}

// ListProjectIssueResourceWeightEvents lists the weight events of an issue.
// GET /projects/{id}/issues/{issue_iid}/resource_weight_events
func (r *ResourceEvents) ListProjectIssueResourceWeightEvents(
	ctx context.Context, req gen.ListProjectIssueResourceWeightEventsRequestObject,
) (gen.ListProjectIssueResourceWeightEventsResponseObject, error) {
	on := item{req.ID, model.OnIssue, req.IssueIid, model.WeightEvents}
	rows, headers, err := r.list(ctx, on, query{req.Params.Sort, req.Params.Page, req.Params.PerPage, req.Params.Pagination})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueResourceWeightEvents200JSONResponse{
		Body:    present.All(rows, r.show.ResourceWeightEvent),
		Headers: gen.ListProjectIssueResourceWeightEvents200ResponseHeaders(headers),
	}, nil
}

// GetProjectIssueResourceWeightEvent shows a weight event of an issue.
// GET /projects/{id}/issues/{issue_iid}/resource_weight_events/{event_id}
func (r *ResourceEvents) GetProjectIssueResourceWeightEvent(
	ctx context.Context, req gen.GetProjectIssueResourceWeightEventRequestObject,
) (gen.GetProjectIssueResourceWeightEventResponseObject, error) {
	row, err := r.get(ctx, item{req.ID, model.OnIssue, req.IssueIid, model.WeightEvents}, req.EventID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssueResourceWeightEvent200JSONResponse(r.show.ResourceWeightEvent(row)), nil
}
