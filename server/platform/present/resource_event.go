package present

import (
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// ResourceLabelEvent presents a change of a label.
func (p Presenter) ResourceLabelEvent(r model.ResourceEventRow) gen.ResourceLabelEvent {
	kind, id := resourceOf(r.Event)
	shown := gen.ResourceLabelEvent{
		ID: r.Event.ID, User: p.person(r.User), CreatedAt: wire.NewTime(r.Event.CreatedAt), ResourceType: kind,
		ResourceID: id, Action: gen.ResourceEventAction(r.Event.Action),
	}
	if r.Label != nil {
		label := LabelBasic(*r.Label)
		shown.Label = &label
	}
	return shown
}

// ResourceStateEvent presents a change of the state.
func (p Presenter) ResourceStateEvent(r model.ResourceEventRow) gen.ResourceStateEvent {
	kind, id := resourceOf(r.Event)
	return gen.ResourceStateEvent{
		ID: r.Event.ID, User: p.person(r.User), CreatedAt: wire.NewTime(r.Event.CreatedAt), ResourceType: kind,
		ResourceID: id, State: gen.ResourceStateEventState(r.Event.Action),
	}
}

// ResourceMilestoneEvent presents a change of the milestone at a time.
func (p Presenter) ResourceMilestoneEvent(now time.Time) func(model.ResourceEventRow) gen.ResourceMilestoneEvent {
	return func(r model.ResourceEventRow) gen.ResourceMilestoneEvent {
		kind, id := resourceOf(r.Event)
		shown := gen.ResourceMilestoneEvent{
			ID: r.Event.ID, User: p.person(r.User), CreatedAt: wire.NewTime(r.Event.CreatedAt), ResourceType: kind,
			ResourceID: id, Action: gen.ResourceEventAction(r.Event.Action),
		}
		if r.Milestone != nil {
			milestone := p.Milestone(now)(*r.Milestone)
			shown.Milestone = &milestone
		}
		return shown
	}
}

// ResourceWeightEvent presents a change of the weight.
func (p Presenter) ResourceWeightEvent(r model.ResourceEventRow) gen.ResourceWeightEvent {
	kind, id := resourceOf(r.Event)
	return gen.ResourceWeightEvent{
		ID: r.Event.ID, User: p.person(r.User), CreatedAt: wire.NewTime(r.Event.CreatedAt), ResourceType: kind,
		ResourceID: id, IssueID: id, Weight: r.Event.Weight,
	}
}

// resourceOf returns the type and the ID of the item that an event is about.
func resourceOf(e model.ResourceEvent) (gen.ResourceType, int64) {
	if e.MergeRequestID != nil {
		return gen.ResourceType(model.OnMergeRequest), *e.MergeRequestID
	}
	return gen.ResourceType(model.OnIssue), *e.IssueID
}
